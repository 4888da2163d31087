"""The layouts for Foxglove: each topic is in the graph of its system, with what is drawn of it."""

import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from walking_robots.systems import SYSTEMS

pytestmark = pytest.mark.graph

FOLDER = Path(__file__).resolve().parents[2] / 'config/foxglove'
SCENE = {
    'nav_msgs/msg/OccupancyGrid', 'nav_msgs/msg/Odometry', 'nav_msgs/msg/Path',
    'sensor_msgs/msg/PointCloud2', 'visualization_msgs/msg/Marker',
    'visualization_msgs/msg/MarkerArray',
}  # fmt: skip
PLOTTED = re.compile(r'(u?int\d+|float|double|boolean)')
NAMED = re.compile(r'string')


def layout_of(system: str) -> Any:
    return json.loads((FOLDER / f'{system}.json').read_text('utf-8'))


def panels_in(place: Any) -> list[str]:
    """Return the panels of a layout, which is one or two parts side by side."""
    if isinstance(place, str):
        return [place]
    return [*panels_in(place['first']), *panels_in(place['second'])]


def type_at(path: str, kinds: dict[str, str]) -> str:
    """Return the type of a field of a topic, such as ``/odom.pose.pose.position.x``."""
    topic, *fields = path.split('.')
    kind = kinds[topic]
    for field in fields:
        name, _, place = field.partition('[')
        package, *_, message = kind.split('/')
        known = getattr(import_module(f'{package}.msg'), message).get_fields_and_field_types()
        kind = known[name]
        assert ('[' in kind or 'sequence' in kind) == bool(place) or field == fields[-1], path
        if place:
            kind = re.sub(r'sequence<(.*?)(, \d+)?>|(.*)\[\d+\]', r'\1\3', kind)
    return kind


def test_each_system_has_a_layout() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == set(SYSTEMS)


@pytest.mark.parametrize('system', SYSTEMS)
def test_a_layout_shows_topics_of_its_graph(system: str) -> None:
    from walking_robots.nodes.common.composition import Composition
    from walking_robots.nodes.common.network import free_domain

    with free_domain() as domain:
        graph = Composition(system, without=['viewer'], domain=domain)
        try:
            kinds = {
                publisher.topic_name: '/msg/'.join(
                    (publisher.msg_type.__module__.split('.')[0], publisher.msg_type.__name__)
                )
                for node in graph.nodes.values()
                for publisher in node.publishers
            }
        finally:
            graph.close()
    layout = layout_of(system)
    panels = layout['configById']
    assert sorted(panels) == sorted(panels_in(layout['layout']))
    for name, panel in panels.items():
        kind = name.partition('!')[0]
        if kind == '3D':
            assert {kinds[topic] for topic in panel['topics']} <= SCENE
            assert any(panel['topics'])
        elif kind == 'Plot':
            assert all(PLOTTED.fullmatch(type_at(one['value'], kinds)) for one in panel['paths'])
        elif kind == 'StateTransitions':
            assert all(NAMED.fullmatch(type_at(one['value'], kinds)) for one in panel['paths'])
        elif kind == 'RawMessages':
            assert type_at(panel['topicPath'], kinds)
        else:
            assert kind == 'DiagnosticSummary'
            assert kinds[panel['topicToRender']] == 'diagnostic_msgs/msg/DiagnosticArray'
