"""Robots of dm_control, measured beside ours in turns.

It needs another MuJoCo than this package, so it runs in a process and an environment of its own:
``make .venv-peer/ready`` installs that.
"""

import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

PYTHON = Path(__file__).parents[1] / '.venv-peer/bin/python'


def peer(robot: str, seconds: float, *steps: float) -> tuple[str, Callable[[], float]] | None:
    """Return what to call a robot of its suite, and what measures it: seconds in one of CPU.

    It is simulated without a controller, so that the figure says what its physics and its
    interface cost. seconds: simulated time; steps: of physics and of commands, s, in place of its
    own. None where it is not installed.
    """
    if not PYTHON.exists():
        return None
    process = subprocess.Popen(
        [PYTHON, '-W', 'ignore', __file__, robot, str(seconds), *map(str, steps)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    requests, answers = process.stdin, process.stdout
    assert requests is not None and answers is not None

    def once() -> float:
        print(file=requests, flush=True)
        return float(answers.readline())

    return answers.readline().strip(), once


def main(robot: str, seconds: float, *steps: float) -> None:
    """Print what is measured, and then a figure for each line of the input."""
    environment = import_module('dm_control.suite').load(robot, 'walk')
    physics = environment.physics
    if steps:
        physics.model.opt.timestep, command = steps
        environment = import_module('dm_control.rl.control').Environment(
            physics, environment.task, control_timestep=command
        )
    step, command = physics.timestep(), environment.control_timestep()
    print(
        f'{robot} of dm_control {version("dm_control")}, MuJoCo {version("mujoco")}, '
        f'{1e3 * step:g} ms, a command every {1e3 * command:g} ms, no controller',
        flush=True,
    )
    still = 0.0 * environment.action_spec().generate_value()
    for _ in sys.stdin:
        environment.reset()
        begin = time.process_time_ns()
        for _ in range(round(seconds / command)):
            environment.step(still)
        print(seconds / ((time.process_time_ns() - begin) * 1e-9), flush=True)


if __name__ == '__main__':
    main(sys.argv[1], *map(float, sys.argv[2:]))
