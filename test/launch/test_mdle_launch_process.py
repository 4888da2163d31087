"""The launch file of MDLe as `ros2 launch` runs it: a plan from the start, ended by SIGINT."""

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


def test_a_plan_of_ones_own_runs_and_all_end_cleanly(start: Start, tmp_path: Path) -> None:
    (tmp_path / 'hello.mdle').write_text(
        'mdle 1; import std.body2; plan hello { do { log("hello from the plan"); stop(); } }'
    )
    process = start(
        'mdle',
        f'port:={tmp_path}/scout',
        'backend:=emulator',
        'viewer:=false',
        f'library:={tmp_path}',
        'plan:=hello',
    )
    output = _output(process, 9.0)
    assert 'hello from the plan' in output, output
    for node in ('scout_emulator', 'scout_driver', 'mdle_executor'):
        assert any(f'[{node}-' in line and 'cleanly' in line for line in output.splitlines())


def test_any_robot_on_cmd_vel_needs_no_scout(start: Start) -> None:
    output = _output(start('mdle', 'robot:=twist', 'viewer:=false'), 6.0)
    assert '[scout_driver-' not in output and '[scout_emulator-' not in output
    assert any('[mdle_executor-' in line and 'cleanly' in line for line in output.splitlines())
