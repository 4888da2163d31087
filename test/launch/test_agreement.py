"""The launch files agree with the systems' records, where no launch system is installed."""

import ast
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from walking_robots.documents.shipped_worlds import find_world
from walking_robots.gaits.coordinators import COMPLIANT_LIFT_MARGIN
from walking_robots.gaits.free.repairs import RULE_SETS
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.systems import SYSTEMS
from walking_robots.worlds.files import load_world

ROOT = Path(__file__).parents[2]
OTHERS = {'robot_state_publisher'}

every_system = pytest.mark.parametrize('system', SYSTEMS)


def _tree(system: str) -> ast.Module:
    """Parse the launch file of a system, or the one that it includes."""
    folder = ROOT / 'launch'
    text = (folder / f'{system}.launch.py').read_text()
    included = re.search(r"shared\('launch', '(\w+\.launch\.py)'\)", text)
    return ast.parse((folder / included[1]).read_text() if included else text)


def _launch(system: str) -> ast.Call:
    """Return the call of launch_system in a launch file."""
    (call,) = (
        node
        for node in ast.walk(_tree(system))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == 'launch_system'
    )
    return call


def _arguments(system: str) -> dict[str, tuple[Any, ...]]:
    (table,) = (
        node.value
        for node in _tree(system).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == 'ARGUMENTS'
    )
    assert isinstance(table, ast.Tuple)
    rows = [[ast.unparse(item) for item in row.elts] for row in table.elts]  # type: ignore[attr-defined]
    return {ast.literal_eval(name): tuple(rest) for name, *rest in rows}


@every_system
def test_each_launch_file_launches_a_system_by_its_record(system: str) -> None:
    launched = ast.literal_eval(_launch(system).args[0])
    assert SYSTEMS[launched].nodes == SYSTEMS[system].nodes
    assert SYSTEMS[launched].more_nodes == SYSTEMS[system].more_nodes


@every_system
def test_parameters_and_conditions_are_given_to_nodes_of_the_system(system: str) -> None:
    named = {
        ast.literal_eval(key)
        for word in _launch(system).keywords
        if word.arg in ('parameters', 'conditions') and isinstance(word.value, ast.Dict)
        for key in word.value.keys
        if key is not None
    }
    record = SYSTEMS[system]
    assert named <= {*record.nodes, *record.more_nodes, *OTHERS}


@every_system
def test_every_file_that_is_launched_with_is_there(system: str) -> None:
    files = [SYSTEMS[system].parameters, f'launch/{system}.launch.py']
    words = {word.arg: word.value for word in _launch(system).keywords}
    launched = ast.literal_eval(_launch(system).args[0])
    rviz = ast.literal_eval(words['rviz']) if 'rviz' in words else launched
    files.append(f'config/rviz/{rviz}.rviz')
    if 'urdf' in words and ast.unparse(words['urdf']).startswith("xacro('"):
        files.append('urdf/' + ast.literal_eval(words['urdf'].args[0]))  # type: ignore[attr-defined]
    assert [file for file in files if not (ROOT / file).is_file()] == []


def test_every_node_of_a_launch_keeps_frames_and_time_in_its_namespace() -> None:
    path = ROOT / 'walking_robots' / 'nodes' / 'common' / 'launch_files.py'
    nodes = [
        {word.arg: ast.unparse(word.value) for word in node.keywords}
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == 'Node'
    ]
    assert [words['executable'] for words in nodes] == [
        'executable', "'robot_state_publisher'", "'rviz2'"
    ]  # fmt: skip
    for words in nodes:
        assert words['namespace'] == "argument['namespace']"
        assert words['remappings'] == 'remappings'


@every_system
def test_rviz_shows_topics_of_its_namespace(system: str) -> None:
    launched = ast.literal_eval(_launch(system).args[0])
    path = ROOT / 'config' / 'rviz' / f'{launched}.rviz'
    if path.is_file():
        assert re.findall(r'(?:Value|Topic): +/', path.read_text()) == []


def test_the_launch_file_knows_all_rule_sets() -> None:
    assert ast.literal_eval(_arguments('asv')['rules'][-1]) == list(RULE_SETS)


@pytest.mark.parametrize('node', ['scout_emulator', 'scout_driver'])
def test_emulator_and_driver_meet_on_the_port_of_the_launch_file(node: str) -> None:
    values = yaml.safe_load((ROOT / SYSTEMS['scout'].parameters).read_text())
    name = {'scout_emulator': 'link', 'scout_driver': 'port'}[node]
    (own,) = (
        ast.literal_eval(item.value)
        for item in _tree('scout').body
        if isinstance(item, ast.Assign) and ast.unparse(item.targets[0]) == 'OWN_PORT'
    )
    assert values[f'/**/{node}']['ros__parameters'][name] == own


@pytest.mark.parametrize('robot', ['asv', 'hexapod'])
def test_rviz_shows_the_markers_that_nodes_publish(robot: str) -> None:
    view = yaml.safe_load((ROOT / 'config' / 'rviz' / f'{robot}.rviz').read_text())
    shown = [
        display['Topic']['Value']
        for display in view['Visualization Manager']['Displays']
        if display['Class'].endswith('MarkerArray')
    ]
    assert shown == ['gait/markers', 'terrain/markers', 'feet/markers', 'ground/markers']
    nodes = (ROOT / 'walking_robots' / 'nodes').rglob('*.py')
    sources = '\n'.join(path.read_text() for path in nodes)
    own = [topic for topic in shown if not topic.startswith(('terrain/', 'ground/'))]
    assert all(f"'{topic}'" in sources for topic in own)
    # The node `terrain` publishes what its parameter `topics` says.
    assert "f'{topics}/markers'" in sources and "'terrain/markers'" in sources


def test_rviz_shows_map_and_plan_as_they_are_published() -> None:
    view = yaml.safe_load((ROOT / 'config' / 'rviz' / 'scout.rviz').read_text())
    topics = {
        shown['Topic']['Value']: shown['Topic']['Durability Policy']
        for shown in view['Visualization Manager']['Displays']
        if 'Topic' in shown
    }
    nodes = ROOT / 'walking_robots' / 'nodes' / 'mdle'
    sources = (nodes / 'cartographer.py').read_text() + (nodes / 'planner.py').read_text()
    for topic in ('map', 'pose', 'plan', 'plan/markers'):
        assert topics[topic] == 'Transient Local'
        assert re.search(rf"create_publisher\(\w+, '{topic}', LATCHED\)", sources)


def test_exploring_begins_where_the_office_says() -> None:
    values = {
        name.id: ast.literal_eval(value)
        for item in _tree('mdle').body
        if isinstance(item, ast.Assign) and isinstance(item.targets[0], ast.Tuple)
        for name, value in zip(item.targets[0].elts, item.value.elts, strict=True)  # type: ignore[attr-defined]
    }
    office = load_world(find_world(values['OFFICE']))
    assert ast.literal_eval(values['OFFICE_START']) == list(office.start)


def test_rviz_shows_every_sonar() -> None:
    view = yaml.safe_load((ROOT / 'config' / 'rviz' / 'scout.rviz').read_text())
    groups = {shown['Name']: shown for shown in view['Visualization Manager']['Displays']}
    topics = [shown['Topic']['Value'] for shown in groups['Sonar']['Displays']]
    assert topics == [f'sonar/range_{number}' for number in range(SUPER_SCOUT.sonar.count)]


@pytest.mark.parametrize('system', ['asv', 'hexapod'])
def test_footholds_are_planned_with_more_margin_where_there_are_forces(system: str) -> None:
    text = (ROOT / 'launch' / f'{system}.launch.py').read_text()
    assert f"IfElseSubstitution(rigid, '1.0', '{COMPLIANT_LIFT_MARGIN}')" in text
