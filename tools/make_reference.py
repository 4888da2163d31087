"""Write the reference page of each system: ``make_reference.py FOLDER``.

It starts the nodes of a system in one process with its parameter file and reads their declared
parameters, topics, services and actions. It needs ROS and the interfaces of this package.
"""

import argparse
import json
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from rcl_interfaces.msg import ParameterDescriptor
from rclpy.action import graph as actions

from walking_robots.nodes.common.composition import Composition
from walking_robots.nodes.common.network import stay_on_this_machine
from walking_robots.systems import SYSTEMS, System

ROOT = Path(__file__).resolve().parent.parent
COMMON = (
    'describe_parameters', 'get_parameter_types', 'get_parameters', 'list_parameters',
    'set_parameters', 'set_parameters_atomically', 'get_type_description',
)  # fmt: skip
"""Services that every node has."""


def page(system: System, domain: int | None = None) -> str:
    """Return the page of a system in Markdown, from its nodes started on a ROS domain."""
    namespace = f'/{system.name}'
    composition = Composition(
        system.name, domain=domain, namespace=namespace, also=system.more_nodes
    )
    try:
        nodes = [_node(name, node, namespace) for name, node in composition.nodes.items()]
    finally:
        composition.close()
    lines = [
        f'# Reference: {system.name}',
        '',
        f'{system.demo.summary} The demo ends after {system.demo.ends} with `--once`.',
        'A *fixed* parameter is read when the node starts; the others may change at any time.',
        'This page is written by `tools/make_reference.py` from the nodes themselves.',
        '',
        *_table(('what', 'where'), _files(system)),
    ]
    return '\n'.join((*lines, *(line for node in nodes for line in node))) + '\n'


def _files(system: System) -> Iterator[tuple[str, str]]:
    """Return what starts a system and the files that it reads first."""
    yield 'demo', f'`walking_robots demo {system.name}`'
    if system.trial:
        yield 'trial', f'`walking_robots trial {system.trial.split("trial_")[-1]}`'
    yield 'launch file', f'`launch/{system.name}.launch.py`'
    yield 'parameters', f'`{system.parameters}`'
    if (ROOT / f'config/rviz/{system.name}.rviz').exists():
        yield 'RViz', f'`config/rviz/{system.name}.rviz`'


def _node(name: str, node: Any, namespace: str) -> list[str]:
    """Return the section of a node: what it does, its parameters and its interfaces."""
    own, place = node.get_name(), node.get_namespace()

    def rows(kind: str, found: Iterable[tuple[str, list[str]]]) -> Iterator[tuple[str, str, str]]:
        several: dict[tuple[str, str], list[str]] = {}
        for topic, types in sorted(found):
            if '/_action/' not in topic and topic not in ('/parameter_events', '/rosout'):
                name = topic.removeprefix(f'{namespace}/')
                several.setdefault((re.sub(r'\d+', 'N', name), ', '.join(types)), []).append(name)
        for (pattern, kinds), names in several.items():
            which = f'`{pattern}` (N from 0 to {len(names) - 1})'
            yield which if len(names) > 1 else f'`{names[0]}`', kind, f'`{kinds}`'

    def by_node(function: Callable[..., Any]) -> Any:
        return function(own, place)

    services = by_node(node.get_service_names_and_types_by_node)
    interfaces = [
        *rows('subscribes', by_node(node.get_subscriber_names_and_types_by_node)),
        *rows('publishes', by_node(node.get_publisher_names_and_types_by_node)),
        *rows('service', (s for s in services if s[0].rsplit('/', 1)[1] not in COMMON)),
        *rows('action', actions.get_action_server_names_and_types_by_node(node, own, place)),
    ]
    summary = (type(node).__doc__ or '').partition('\n')[0]
    return [
        '', f'## {name}', '', summary,
        '', *_table(('parameter', 'default', 'description'), _parameters(node)),
        '', *_table(('name', 'kind', 'type'), interfaces),
    ]  # fmt: skip


def _parameters(node: Any) -> Iterator[tuple[str, str, str]]:
    """Return name, value and description of each parameter that a node declares itself."""
    names = sorted(
        name
        for name in node._parameters
        if not name.startswith('qos_overrides.')
        and name not in ('use_sim_time', 'start_type_description_service')
    )
    for descriptor in node.describe_parameters(names):
        value = node.get_parameter(descriptor.name).value
        if isinstance(value, float):
            value = float(f'{value:.6g}')
        yield f'`{descriptor.name}`', f'`{json.dumps(value, default=list)}`', _describe(descriptor)


def _describe(descriptor: ParameterDescriptor) -> str:
    """Return what a parameter means, its range, and whether it may change."""
    text = descriptor.description.replace('|', '\\|')
    for bounds in (*descriptor.floating_point_range, *descriptor.integer_range):
        text += f', {bounds.from_value:.10g} to {bounds.to_value:.10g}'
    return f'{text}; fixed' if descriptor.read_only else text


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    """Return a table in Markdown."""
    lines = [f'| {" | ".join(cells)} |' for cells in (heads, *rows)]
    return [lines[0], '|---' * len(heads) + '|', *lines[1:]]


def main() -> None:
    """Write all pages into the folder that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('folder', type=Path, help='such as docs/reference')
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    stay_on_this_machine()
    os.environ['ROS_LOG_DIR'] = tempfile.gettempdir()
    for system in SYSTEMS.values():
        (folder / f'{system.name}.md').write_text(page(system), encoding='utf-8')


if __name__ == '__main__':
    main()
