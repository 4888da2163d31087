"""Robots of dm_control, measured beside ours where it is installed."""

import time
from collections.abc import Callable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version


def peer(robot: str, seconds: float) -> tuple[str, Callable[[], float]] | None:
    """Return what to call a robot of its suite, and what measures it: seconds in one of CPU.

    It is simulated with its own steps and without a controller, so that the figure says what its
    physics and its interface cost. seconds: simulated time.
    """
    try:
        suite = import_module('dm_control.suite')
        found, environment = version('dm_control'), suite.load(robot, 'walk')
    except (ImportError, PackageNotFoundError, AttributeError):
        # It is not there, or made for another MuJoCo.
        return None
    still = 0.0 * environment.action_spec().generate_value()

    def once() -> float:
        environment.reset()
        begin, steps = time.process_time_ns(), round(seconds / environment.control_timestep())
        for _ in range(steps):
            environment.step(still)
        return seconds / ((time.process_time_ns() - begin) * 1e-9)

    return f'{robot} of dm_control {found}, without a controller', once
