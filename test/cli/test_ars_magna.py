"""The commands of ARS MAGNA: the command line from a script, what is in a world, mazes."""

import io
import json
import subprocess
import sys

import pytest

from walking_robots.ars_magna.design.files import parse_design
from walking_robots.cli import main

SESSION = 'pos 20 20\nobj-desig 0 local size=5\n# a comment\ncam-track 0 0\nquit\nstatus\n'
WORLD = """
ars_schema: 1
world:
  name: yard
  size: [9, 7]
  walls: [{rect: {from: [0, 0], to: [9, 7], type: brick, params: [1]}}]
  objects: [{name: tub, at: [3, 3], attrs: {capacity: 4}, contents: [{name: cork}]}]
"""
ROBOT = 'ars_schema: 1\nrobots: [{name: rob, at: [2, 2], cameras: [{fov: 90deg, resolution: 4}]}]'


def call(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        main(['ars_magna', *map(str, arguments)])
    captured = capsys.readouterr()
    return int(ended.value.code or 0), captured.out, captured.err


@pytest.fixture
def files(tmp_path):
    world, robot = tmp_path / 'yard.yaml', tmp_path / 'robot.yaml'
    world.write_text(WORLD)
    robot.write_text(ROBOT)
    return world, robot


def test_a_script_is_carried_out_line_by_line(capsys, tmp_path):
    script = tmp_path / 'session.txt'
    script.write_text(SESSION)
    code, out, err = call(capsys, 'cli', 'big_room', '--clean', '--script', script)
    assert (code, err) == (0, '')
    assert out.splitlines()[1:] == [
        'Robot> pos 20 20',
        'Robot> obj-desig 0 local size=5',
        'obj-desig: camera 0 found designator 0.',
        'Robot> # a comment',
        'Robot> cam-track 0 0',
        'cam-track: camera 0 tracks designator 0.',
        'Robot> quit',
    ]
    assert out.startswith("*WARNING* -> object 'big_box' at (30, 20) stands in a wall")


def test_lines_come_from_stdin_where_that_is_no_terminal(capsys, monkeypatch):
    monkeypatch.setattr(sys, 'stdin', io.StringIO('speed 0.5\n'))
    code, out, _ = call(capsys, 'cli', 'house')
    assert (code, out) == (0, 'Robot> speed 0.5\nspeed: the speed is 0.50.\n')


def test_somebody_at_a_terminal_is_prompted_until_the_end_of_input(capsys, monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setattr(sys, 'stdin', Terminal('angle 2\n\nstatus\n'))
    code, out, _ = call(capsys, 'cli', 'office')
    assert code == 0
    assert out.count('Robot> ') == 4
    assert 'Angle:             2.00' in out


def test_the_same_seed_gives_the_same_session(capsys, monkeypatch):
    def session(seed):
        monkeypatch.setattr(sys, 'stdin', io.StringIO('go 5\nview 1\n'))
        return call(capsys, 'cli', '--seed', seed)

    assert session(3) == session(3) != session(4)


def test_what_is_in_a_world_is_reported(capsys, files):
    code, out, err = call(capsys, 'check', *files)
    assert (code, err) == (0, '')
    assert out.splitlines() == [
        'world: yard',
        'columns: 9',
        'rows: 7',
        'walls: 28',
        'places: 4 concave',
        'things: 1 tub, 1 cork',
        'robots: rob with 1 cameras, 0 hands, 0 bins',
        'kickers: none',
        'manipulations: none',
    ]
    found = json.loads(call(capsys, 'check', 'big_room', '--json')[1])
    assert (found['walls'], found['places']) == (337, {'concave': 4, 'beak': 2})
    assert len(found['warnings']) == 1
    assert call(capsys, 'check', 'big_room')[1].startswith("warning: object 'big_box'")


def test_a_maze_is_written_that_can_be_loaded(capsys):
    code, out, _ = call(capsys, 'maze', '--columns', 4, '--rows', 3, '--seed', 5)
    assert code == 0
    assert parse_design(out).grid.columns == 17
    assert call(capsys, 'maze', '--columns', 4, '--rows', 3, '--seed', 5)[1] == out


@pytest.mark.parametrize(
    ('arguments', 'sentence'),
    [
        (['check', 'bigroom'], "there is no world 'bigroom'; give the path of a file, or one of "),
        (['check', 'none.yaml'], 'none.yaml: cannot be read (no such file or directory); give '),
        (['check', 'big_room', 'none.yaml'], 'none.yaml: cannot be read'),
        (['cli', 'big_room', '--robot', 'marvin'], "there is no robot 'marvin'; the world has "),
        (['cli', 'open_room'], 'open_room.yaml, line 7: '),
        (['cli', '--script', 'none.txt'], 'none.txt: cannot be read'),
        (['cli', '--seed', '-1'], "Invalid value for '--seed'"),
        (['maze', '--columns', '500'], 'a maze needs at least 2 chambers, and at most '),
        (['maze', '--columns', '1', '--rows', '1'], 'a maze needs at least 2 chambers'),
    ],
)
def test_what_cannot_be_is_one_sentence(capsys, arguments, sentence):
    code, out, err = call(capsys, *arguments)
    assert (code, out) == (2, '')
    assert err.startswith('walking_robots: ') and err.count('\n') == 1
    assert sentence in err


def test_a_world_without_a_robot_has_nobody_to_command(capsys, files):
    code, _, err = call(capsys, 'cli', files[0])
    assert code == 2
    assert err.endswith('there is no robot in this world; add one under robots\n')


def test_a_wrong_world_is_reported_with_its_line(capsys, tmp_path):
    path = tmp_path / 'wrong.yaml'
    path.write_text(WORLD.replace('capacity', 'kapacity'))
    code, _, err = call(capsys, 'check', path)
    assert code == 2
    assert f'{path}, line 7' in err and 'kapacity' in err


def test_help_does_not_load_the_command_line_of_the_robot():
    code = (
        'import sys\nfrom walking_robots.cli import main\n'
        'try: main(["--help"])\nexcept SystemExit: pass\n'
        'print("walking_robots.ars_magna.console.console" in sys.modules)'
    )
    done = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True, check=True)
    assert 'ars_magna' in done.stdout
    assert done.stdout.endswith('False\n')


def test_place_types_that_cannot_be_are_warned_of(capsys, tmp_path):
    path = tmp_path / 'yard.yaml'
    odd = "place_types: {odd: {matchers: [{form: ['???', '?#?', '???'], direction: 0}]}}\n"
    path.write_text(WORLD + odd)
    code, out, _ = call(capsys, 'check', path)
    assert code == 0
    assert out.startswith("warning: place type 'odd' would classify 28 filled cells; only empty")
