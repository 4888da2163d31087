"""The launch file as `ros2 launch` runs it, ended by SIGINT."""

import signal
import subprocess
import time
from collections.abc import Callable

import pytest

pytest.importorskip(
    'launch_ros', reason='There is no launch_ros here: it comes with a ROS 2 distribution only.'
)

Start = Callable[..., subprocess.Popen[str]]


def test_all_nodes_end_cleanly_on_interrupt(start: Start) -> None:
    process = start('asv', 'viewer:=false', 'real_time_factor:=0.0')
    time.sleep(8.0)
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=30.0)[0]
    for node in ('terrain', 'free_gait', 'leg_servo', 'hexapod_sim'):
        clean = [line for line in output.splitlines() if f'[{node}-' in line and 'cleanly' in line]
        assert clean, output


def test_an_unknown_rule_set_is_refused_with_the_known_ones(start: Start) -> None:
    process = start('asv', 'rules:=wild')
    output = process.communicate(timeout=30.0)[0]
    assert process.returncode != 0
    assert 'faithful' in output and 'repaired' in output


def test_a_missing_terrain_file_is_named(start: Start) -> None:
    process = start('asv', 'terrain:=/missing.yaml', 'viewer:=false')
    time.sleep(6.0)
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=30.0)[0]
    assert '/missing.yaml' in output
    assert 'exit code 2' in output
