"""A program that knows nothing of the package reads an emulated Scout on a terminal."""

import json
import math
import subprocess
import sys
from pathlib import Path

import pytest

from walking_robots.geometry.se2 import Pose2
from walking_robots.robots.super_scout import INCH, SUPER_SCOUT, TENTH_INCH
from walking_robots.scout import protocol
from walking_robots.scout.framing import frame
from walking_robots.simulation.scout.emulator import Emulator
from walking_robots.simulation.scout.settings import EmulatorSettings
from walking_robots.simulation.terminal import PseudoTerminal
from walking_robots.worlds.files import parse_world

CLIENT = Path(__file__).with_name('second_client.py')
ROOM = parse_world(
    'ars_schema: 1\nworld: {name: room, size: [80, 80], cell: 5cm, walls: []}', 'room'
)


def test_it_reads_what_is_true(tmp_path: Path) -> None:
    sound = EmulatorSettings(sonar_noise=0.0, battery_start=11.5)
    robot = Emulator(ROOM, sound, start=Pose2(2.0, 2.0, 0.0))
    for packet in (
        protocol.define_position(-500, 700),
        protocol.define_heading(450),
        protocol.velocities(-60, 40),
    ):
        robot.feed(frame(packet))
        robot.advance(0.1)
    robot.advance(3.0)
    robot.feed(frame(protocol.velocities(60, 60)))
    robot.advance(25.0)
    robot.feed(frame(protocol.sonar_order(15, SUPER_SCOUT.sonar.order)))
    robot.advance(1.2)
    robot.take()
    true = robot.state
    assert true.bumper
    terminal = PseudoTerminal(robot, tmp_path / 'scout')
    terminal.start()
    try:
        done = subprocess.run(
            [sys.executable, CLIENT, terminal.path], capture_output=True, text=True
        )
    finally:
        terminal.close()
    assert done.returncode == 0, done.stderr
    reported = json.loads(done.stdout)
    # The controller was reported a place and a heading of its own: a turn between the two frames.
    turn = math.radians(45.0)
    dx, dy = true.pose.x - 2.0, true.pose.y - 2.0
    x = dx * math.cos(turn) - dy * math.sin(turn)
    y = dx * math.sin(turn) + dy * math.cos(turn)
    assert reported['x'] == pytest.approx(-500 + x / TENTH_INCH, abs=1.0)
    assert reported['y'] == pytest.approx(700 + y / TENTH_INCH, abs=1.0)
    assert reported['heading'] == pytest.approx(
        math.degrees(true.pose.heading + turn) % 360.0 * 10.0, abs=1.0
    )
    assert (reported['right'], reported['left']) == (0, 0)
    assert reported['bumper'] == true.bumper
    assert reported['status'] == 0x03
    assert reported['clock'] * 0.001 == pytest.approx(robot.state.time, abs=5.0)
    assert reported['cpu_volt'] == pytest.approx(11.5, abs=0.03)
    assert reported['motor_volt'] == pytest.approx(11.5, abs=0.03)
    nearest = min(reported['sonar']) * INCH
    gap = min(true.pose.x, true.pose.y, 4.0 - true.pose.x, 4.0 - true.pose.y)
    assert nearest == pytest.approx(gap - SUPER_SCOUT.sonar.radius, abs=0.15)
