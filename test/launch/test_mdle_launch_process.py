"""The launch file of MDLe as `ros2 launch` runs it: a plan from the start, ended by SIGINT."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.launch

Start = Callable[..., Any]


def test_a_plan_of_ones_own_runs_and_all_end_cleanly(start: Start, tmp_path: Path) -> None:
    (tmp_path / 'hello.mdle').write_text(
        'mdle 1; import std.body2; plan hello { do { log("hello from the plan"); stop(); } }'
    )
    launch = start(
        'mdle',
        f'port:={tmp_path}/scout',
        'backend:=emulator',
        'viewer:=false',
        f'library:={tmp_path}',
        'plan:=hello',
    )
    launch.until('hello from the plan')
    launch.until('talks to the robot')
    launch.interrupt()
    assert launch.end() and launch.ended_cleanly(
        'scout_emulator', 'scout_driver', 'mdle_executor'
    ), launch.output


def test_any_robot_on_cmd_vel_needs_no_scout(start: Start) -> None:
    launch = start('mdle', 'robot:=twist', 'viewer:=false')
    launch.until_nodes('mdle_executor')
    launch.interrupt()
    output = launch.end()
    assert '[scout_driver-' not in output and '[scout_emulator-' not in output
    assert launch.ended_cleanly('mdle_executor'), output
