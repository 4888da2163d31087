"""docs/servos.md: its commands run on an emulated bus, its files are read, its names exist."""

import re
import shlex
from pathlib import Path

import pytest

from walking_robots.cli import main
from walking_robots.robots.hexapod_files import parse_hexapod
from walking_robots.servos.model_files import parse_model
from walking_robots.servos.models import MODELS
from walking_robots.simulation.servos.bus import emulated_robot
from walking_robots.simulation.terminal import PseudoTerminal

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / 'docs/servos.md').read_text('utf-8')
BLOCKS = re.findall(r'^```(\w+)\n(.*?)^```$', PAGE, re.MULTILINE | re.DOTALL)
MODEL, WIRING = (text for kind, text in BLOCKS if kind == 'yaml')
COMMANDS = [line for kind, text in BLOCKS if kind == 'console' for line in text.splitlines()]
INLINE = re.findall(r'`((?:ros2|walking_robots) [^`]+)`', PAGE)
STEPS = re.findall(r'^(\d+)\. (.+)$', PAGE, re.MULTILINE)


def test_its_commands_run_on_an_emulated_bus(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    terminal = PseudoTerminal(emulated_robot('insect18'), tmp_path / 'servos')
    terminal.start()
    port = str(terminal.path)
    commands = [
        line for line in [*COMMANDS, *INLINE] if re.match(r'walking_robots servo [sm]', line)
    ]
    try:
        for line in commands:
            text = re.sub(r'/tmp/servos|/dev/ttyUSB0', port, line).split('  #')[0]
            with pytest.raises(SystemExit) as end:
                main(shlex.split(text)[1:])
            assert not end.value.code, (line, capsys.readouterr())
    finally:
        terminal.close()
    assert len(commands) == 4


def test_options_that_the_text_names_are_there():
    source = (ROOT / 'walking_robots/cli/servos.py').read_text()
    for option in set(re.findall(r'--[a-z][a-z-]+', PAGE)) - {'--ros-args'}:
        assert f"'{option}'" in source, option


def test_the_model_is_one_and_the_wiring_belongs_to_a_robot():
    assert parse_model(MODEL).name == 'XC330-M288'
    insect = (ROOT / 'config/robots/insect18.yaml').read_text()
    start, end = insect.index('servo_bus:'), insect.index('# What its label says')
    robot = parse_hexapod(insect[:start] + WIRING + insect[end:])
    assert robot.servo_bus is not None and robot.servo_bus.ids == tuple(range(1, 19))


def test_the_table_is_that_of_the_models():
    rows = re.findall(
        r'^\| (\S+) \| ([12])\.0 \| (.+?) \| (.+?) \| (.+?) to (.+?) \| (\d+) \|$', PAGE, re.M
    )
    assert [row[0] for row in rows] == list(MODELS)
    for name, *figures in rows:
        model = MODELS[name]
        assert [float(figure) for figure in figures] == [
            model.protocol, model.stall_torque, model.stall_current, *model.voltage, model.hottest,
        ]  # fmt: skip


def test_there_are_twelve_steps_and_each_says_what_is_seen():
    assert [int(number) for number, _ in STEPS] == list(range(1, 13))
    assert all('**You see**' in text for _, text in STEPS)


def test_launch_arguments_parameters_and_services_exist():
    launch = (ROOT / 'launch/hexapod.launch.py').read_text()
    node = (ROOT / 'walking_robots/nodes/hexapod/servo_bus.py').read_text()
    lines = [*COMMANDS, *INLINE]
    for line in lines:
        if line.startswith('ros2 launch'):
            for argument in shlex.split(line)[4:]:
                assert f"    ('{argument.split(':=')[0]}'," in launch
        elif line.startswith('ros2 run'):
            for word in re.findall(r'-p (\w+):=', line):
                assert f"'{word}'" in node or word == 'robot'
        elif line.startswith('ros2 service'):
            assert "'~/resume'" in node
    for name in re.findall(r'`~/(\w+)`', PAGE):
        assert f"'~/{name}'" in node
    for name in re.findall(r'`(soft_start|max_speed|command_timeout|contact_load)`', PAGE):
        assert f"'{name}'" in node
