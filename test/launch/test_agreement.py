"""The launch files and systems.py name the same nodes and the same parameter files."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from walking_robots.gaits.free.repairs import RULE_SETS
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.systems import SYSTEMS

ROOT = Path(__file__).parents[2]
FOREIGN = {'robot_state_publisher', 'rviz2'}
WITHOUT_BODIES = {'ars_magna'}

every_system = pytest.mark.parametrize('system', SYSTEMS)


def _tree(system: str) -> ast.Module:
    """Parse a launch file, together with the one that it includes."""
    folder = ROOT / 'launch'
    text = (folder / f'{system}.launch.py').read_text()
    included = re.search(r"shared\('launch', '(\w+\.launch\.py)'\)", text)
    return ast.parse(text + ((folder / included[1]).read_text() if included else ''))


def _calls(system: str, name: str) -> list[ast.Call]:
    calls = [node for node in ast.walk(_tree(system)) if isinstance(node, ast.Call)]
    return [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == name]


def _arguments(system: str) -> dict[str, tuple[Any, ...]]:
    tables = [
        ast.literal_eval(node.value)
        for node in _tree(system).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == 'ARGUMENTS'
    ]
    return {name: rest for name, *rest in tables[0]}


@every_system
def test_both_name_the_same_nodes(system: str) -> None:
    launched = [ast.literal_eval(call.args[0]) for call in _calls(system, 'node')]
    assert sorted(launched) == sorted(SYSTEMS[system].nodes)


@every_system
def test_both_read_the_same_parameter_file(system: str) -> None:
    files = {
        '/'.join(ast.literal_eval(part) for part in call.args)
        for call in _calls(system, 'shared')
        if all(isinstance(part, ast.Constant) for part in call.args)
    }
    assert SYSTEMS[system].parameters in files


@every_system
def test_every_shared_file_is_there(system: str) -> None:
    for call in _calls(system, 'shared'):
        if all(isinstance(part, ast.Constant) for part in call.args):
            assert ROOT.joinpath(*map(ast.literal_eval, call.args)).is_file()


@every_system
def test_other_packages_bring_the_rest(system: str) -> None:
    executables = {
        ast.literal_eval(word.value)
        for call in _calls(system, 'Node')
        for word in call.keywords
        if word.arg == 'executable' and isinstance(word.value, ast.Constant)
    }
    needless = {'robot_state_publisher'} if system in WITHOUT_BODIES else set()
    assert executables == FOREIGN - needless


def test_the_launch_file_knows_all_rule_sets() -> None:
    assert _arguments('asv')['rules'][-1] == list(RULE_SETS)


@pytest.mark.parametrize('node', ['scout_emulator', 'scout_driver'])
def test_emulator_and_driver_meet_on_the_port_of_the_launch_file(node: str) -> None:
    values = yaml.safe_load((ROOT / SYSTEMS['scout'].parameters).read_text())
    name = {'scout_emulator': 'link', 'scout_driver': 'port'}[node]
    assert values[f'/**/{node}']['ros__parameters'][name] == _arguments('scout')['port'][0]


@pytest.mark.parametrize('robot', ['asv', 'hexapod'])
def test_rviz_shows_the_markers_that_nodes_publish(robot: str) -> None:
    view = yaml.safe_load((ROOT / 'config' / 'rviz' / f'{robot}.rviz').read_text())
    shown = [
        display['Topic']['Value']
        for display in view['Visualization Manager']['Displays']
        if display['Class'].endswith('MarkerArray')
    ]
    assert shown == ['gait/markers', 'terrain/markers']
    nodes = (ROOT / 'walking_robots' / 'nodes').rglob('*.py')
    sources = '\n'.join(path.read_text() for path in nodes)
    assert all(f"'{topic}'" in sources for topic in shown)


def test_rviz_shows_every_sonar() -> None:
    view = yaml.safe_load((ROOT / 'config' / 'rviz' / 'scout.rviz').read_text())
    groups = {shown['Name']: shown for shown in view['Visualization Manager']['Displays']}
    topics = [shown['Topic']['Value'] for shown in groups['Sonar']['Displays']]
    assert topics == [f'sonar/range_{number}' for number in range(SUPER_SCOUT.sonar.count)]
