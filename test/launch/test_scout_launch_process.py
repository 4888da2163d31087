"""The Scout's launch file as `ros2 launch` runs it, ended by SIGINT."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.launch

Start = Callable[..., Any]


def test_the_driver_finds_the_emulator_and_all_end_cleanly(start: Start, tmp_path: Path) -> None:
    launch = start('scout', f'port:={tmp_path}/scout', 'backend:=emulator', 'viewer:=false')
    launch.until('talks to the robot')
    launch.until_nodes('scout_wander')
    launch.interrupt()
    assert launch.end() and launch.ended_cleanly(
        'scout_emulator', 'scout_driver', 'scout_wander'
    ), launch.output


def test_a_port_of_ones_own_leaves_the_emulator_out(start: Start) -> None:
    launch = start('scout', 'port:=/dev/ttyNONE', 'viewer:=false')
    launch.until('/dev/ttyNONE')
    launch.until_nodes('scout_driver')
    launch.interrupt()
    output = launch.end()
    assert '[scout_emulator-' not in output
    assert launch.ended_cleanly('scout_driver'), output


def test_an_unknown_backend_is_refused_with_the_known_ones(start: Start) -> None:
    launch = start('scout', 'backend:=simulation')
    output = launch.end()
    assert launch.process.returncode != 0
    assert 'emulator' in output and 'serial' in output
