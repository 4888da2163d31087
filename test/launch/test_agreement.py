"""The launch file and systems.py name the same nodes and the same parameter file."""

import ast
from pathlib import Path

from walking_robots.gaits.repairs import RULE_SETS
from walking_robots.systems import SYSTEMS

LAUNCH = Path(__file__).parents[2] / 'launch' / 'asv.launch.py'
FOREIGN = {'robot_state_publisher', 'rviz2'}


def _calls(name: str) -> list[ast.Call]:
    tree = ast.parse(LAUNCH.read_text())
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == name]


def test_both_name_the_same_nodes() -> None:
    launched = [ast.literal_eval(call.args[0]) for call in _calls('node')]
    assert sorted(launched) == sorted(SYSTEMS['asv'].nodes)


def test_both_read_the_same_parameter_file() -> None:
    files = {
        '/'.join(ast.literal_eval(part) for part in call.args)
        for call in _calls('shared')
        if all(isinstance(part, ast.Constant) for part in call.args)
    }
    assert SYSTEMS['asv'].parameters in files


def test_every_shared_file_is_there() -> None:
    for call in _calls('shared'):
        if all(isinstance(part, ast.Constant) for part in call.args):
            assert LAUNCH.parents[1].joinpath(*map(ast.literal_eval, call.args)).is_file()


def test_other_packages_bring_the_rest() -> None:
    executables = {
        ast.literal_eval(word.value)
        for call in _calls('Node')
        for word in call.keywords
        if word.arg == 'executable' and isinstance(word.value, ast.Constant)
    }
    assert executables == FOREIGN


def test_the_launch_file_knows_all_rule_sets() -> None:
    tree = ast.parse(LAUNCH.read_text())
    tables = [
        ast.literal_eval(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and node.targets[0].id == 'ARGUMENTS'
    ]
    choices = {name: choices for name, _, _, choices in tables[0]}
    assert choices['rules'] == list(RULE_SETS)
