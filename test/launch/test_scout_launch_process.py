"""The Scout's launch file as `ros2 launch` runs it, ended by SIGINT."""

import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip(
    'launch_ros', reason='There is no launch_ros here: it comes with a ROS 2 distribution only.'
)

Start = Callable[..., subprocess.Popen[str]]


def _output(process: subprocess.Popen[str], seconds: float) -> str:
    time.sleep(seconds)
    process.send_signal(signal.SIGINT)
    return process.communicate(timeout=30.0)[0]


def _ended_cleanly(node: str, output: str) -> bool:
    return any(f'[{node}-' in line and 'cleanly' in line for line in output.splitlines())


def test_the_driver_finds_the_emulator_and_all_end_cleanly(start: Start, tmp_path: Path) -> None:
    process = start('scout', f'port:={tmp_path}/scout', 'backend:=emulator', 'viewer:=false')
    output = _output(process, 8.0)
    assert 'talks to the robot' in output, output
    for node in ('scout_emulator', 'scout_driver', 'scout_wander'):
        assert _ended_cleanly(node, output), output


def test_a_port_of_ones_own_leaves_the_emulator_out(start: Start) -> None:
    output = _output(start('scout', 'port:=/dev/ttyNONE', 'viewer:=false'), 6.0)
    assert '/dev/ttyNONE' in output
    assert '[scout_emulator-' not in output
    assert _ended_cleanly('scout_driver', output), output


def test_an_unknown_backend_is_refused_with_the_known_ones(start: Start) -> None:
    process = start('scout', 'backend:=simulation')
    output = process.communicate(timeout=30.0)[0]
    assert process.returncode != 0
    assert 'emulator' in output and 'serial' in output
