"""What the launch file of a hexapod runs, where no launch system is."""

import ast
import shlex
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_file_of_a_robot_may_have_spaces_in_its_path():
    tree = ast.parse((ROOT / 'launch' / 'hexapod.launch.py').read_text())
    (parts,) = (
        node.args[0].elts
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func) == 'Command'
    )
    robot, python = '/home/me/my robots/six.yaml', sys.executable
    found = {"value['robot']": robot, 'sys.executable': python, 'PACKAGE': 'walking_robots'}
    found['hardware'] = ' --ros2-control topic'
    line = ''.join(
        part.value if isinstance(part, ast.Constant) else found[ast.unparse(part)]
        for part in parts
    )
    words = [python, '-m', 'walking_robots', 'robot', 'urdf', robot]
    assert shlex.split(line) == [*words, '--ros2-control', 'topic']
