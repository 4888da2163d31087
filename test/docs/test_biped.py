"""docs/biped.md: its commands work, its program and its file say what the page says."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from walking_robots.cli import main
from walking_robots.gaits.biped.parameter_files import shipped_sets
from walking_robots.learning.case_files import parse_cases
from walking_robots.terrain.profile_files import parse_profile

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / 'docs/biped.md').read_text('utf-8')
BLOCKS = re.findall(r'^```(\w+)\n(.*?)^```$', PAGE, re.MULTILINE | re.DOTALL)
YAML = [text for kind, text in BLOCKS if kind == 'yaml']
[PROGRAM] = [text for kind, text in BLOCKS if kind == 'python']
COMMANDS = re.findall(r'`(walking_robots trial biped [^`]*)`', PAGE)


@pytest.mark.parametrize('command', COMMANDS)
def test_the_commands_of_the_page_run(command, tmp_path, capsys, monkeypatch):
    (tmp_path / 'config').symlink_to(ROOT / 'config')
    monkeypatch.chdir(tmp_path)
    # A second of each walk is enough to see that the words are right.
    words = re.sub(r' --time \S+', '', command)
    with pytest.raises(SystemExit) as end:
        main([*shlex.split(words)[1:], '--time', '1s'])
    assert end.value.code == 0
    assert capsys.readouterr().out


def test_the_program_of_the_page_prints_what_it_says():
    done = subprocess.run(
        [sys.executable, '-c', PROGRAM], capture_output=True, text=True, cwd=ROOT
    )
    assert f'It prints `{done.stdout.strip()}`.' in PAGE, done.stderr


def test_the_ground_of_the_page_is_read():
    ground = parse_profile(YAML[0])
    assert ground.height(2.0) == ground.height(5.0) == pytest.approx(0.06)


def test_the_cases_of_the_page_are_read():
    cases = parse_cases(YAML[1])
    assert cases.start in shipped_sets().names(cases.robot)
    assert cases.tests['rough'].walks == 50


def test_the_page_lists_the_sets_that_are_tuned():
    sets = shipped_sets()
    for robot in 'ab':
        chosen = set(sets.document.choices['tuned'][robot].values())
        for name in chosen - set(sets.document.choices['literal'][robot].values()):
            assert f'| `{name}` |' in PAGE


def test_every_claim_has_its_row():
    rows = re.findall(r'^\| (\d+) \|', PAGE, re.MULTILINE)
    assert rows == [str(number) for number in range(1, 28)]


def test_what_the_page_says_of_the_graph_is_there():
    nodes = '\n'.join(path.read_text() for path in (ROOT / 'walking_robots/nodes').rglob('*.py'))
    [table] = re.findall(
        r'^\| node \| takes \| gives \|\n(.*?)\n\n', PAGE, re.MULTILINE | re.DOTALL
    )
    names = {name.lstrip('~/') for name in re.findall(r'`([\w/~]+)`', table)}
    assert len(names) > 20
    for name in names:
        assert f"{name}'" in nodes, name


def test_launch_arguments_of_the_page_are_those_of_the_launch_file():
    files = ('launch/biped.launch.py', 'walking_robots/nodes/common/launch_files.py')
    text = '\n'.join((ROOT / file).read_text() for file in files)
    commands = re.findall(r'ros2 launch walking_robots biped.launch.py ([^`\n]+)', PAGE)
    assert len(commands) == 2
    for argument in ' '.join(commands).split():
        name, _, value = argument.partition(':=')
        assert f"    ('{name}'," in text
        assert name in ('terrain', 'ground') or value == 'true' or f"'{value}'" in text
