"""The launch file as `ros2 launch` runs it, ended by SIGINT."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip(
    'launch_ros', reason='There is no launch_ros here: it comes with a ROS 2 distribution only.'
)

LAUNCH = Path(__file__).parents[2] / 'launch' / 'asv.launch.py'
SCRIPT = """
import sys
from launch import LaunchService
from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource

service = LaunchService()
arguments = [text.split(':=') for text in sys.argv[2:]]
source = PythonLaunchDescriptionSource(sys.argv[1])
service.include_launch_description(
    IncludeLaunchDescription(source, launch_arguments=arguments))
sys.exit(service.run())
"""


def _launch(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, '-c', SCRIPT, str(LAUNCH), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {'PYTHONUNBUFFERED': '1'},
    )


def test_all_nodes_end_cleanly_on_interrupt() -> None:
    process = _launch('viewer:=false', 'real_time_factor:=0.0')
    time.sleep(8.0)
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=30.0)[0]
    for node in ('terrain', 'free_gait', 'leg_servo', 'hexapod_sim'):
        clean = [line for line in output.splitlines() if f'[{node}-' in line and 'cleanly' in line]
        assert clean, output


def test_an_unknown_rule_set_is_refused_with_the_known_ones() -> None:
    process = _launch('rules:=wild')
    output = process.communicate(timeout=30.0)[0]
    assert process.returncode != 0
    assert 'faithful' in output and 'repaired' in output


def test_a_missing_terrain_file_is_named() -> None:
    process = _launch('terrain:=/missing.yaml', 'viewer:=false')
    time.sleep(6.0)
    process.send_signal(signal.SIGINT)
    output = process.communicate(timeout=30.0)[0]
    assert '/missing.yaml' in output
    assert 'exit code 2' in output
