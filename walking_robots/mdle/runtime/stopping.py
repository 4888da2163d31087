"""Stop the robot and see that it rests, while what is left over runs without driving."""

from typing import Literal

from walking_robots.mdle.robot import VirtualRobot
from walking_robots.mdle.runtime.core import Core
from walking_robots.mdle.runtime.faults import RunError
from walking_robots.mdle.runtime.unwinding import Unwinding

__all__ = ['Stopping']

CALM_TICKS = 3
"""Ticks at rest in a row that confirm a stop (mdle.md §4.6.4)."""


class Stopping:
    """One stop; ``waited`` is how long it has taken, s."""

    def __init__(self, core: Core, robot: VirtualRobot, unwinding: Unwinding | None) -> None:
        """Begin to stop; ``unwinding`` is what still runs."""
        self._core, self._robot = core, robot
        self._unwinding = unwinding
        self._asked = core.now
        self._calm = 0
        self.waited = 0.0

    def step(self) -> Literal['', 'rests', 'late']:
        """Stop in one tick; tells when the robot has been seen to rest, or when it is too late."""
        core, robot = self._core, self._robot
        robot.stop('brake')
        self.waited = (core.now - self._asked) * 1e-9
        busy = self._unwind()
        self._calm = self._calm + 1 if robot.stopped() else 0
        if self._calm >= CALM_TICKS and not busy:
            return 'rests'
        if self.waited < core.settings.stop_timeout:
            return ''
        return 'rests' if self._calm >= CALM_TICKS else 'late'

    def _unwind(self) -> bool:
        """Let cleanups run that do not drive; tells whether there are any left."""
        unwinding = self._unwinding
        if unwinding is None or not unwinding.alive:
            return False
        why = self._trouble(unwinding, check=self.waited > 0.0)
        while unwinding.alive and why:
            unwinding.skip(why)
            why = self._trouble(unwinding, check=False)
        return unwinding.alive

    def _trouble(self, unwinding: Unwinding, check: bool) -> str:
        """Tell why the cleanup that runs has to be left, '' where it may go on."""
        core = self._core
        try:
            if check:
                unwinding.check(core.values, core.now)
            if any(any(leaf.control(core.values, core.now)) for leaf in core.driving):
                return 'nothing may drive after a fault or a cancel'
        except RunError as error:
            return error.text
        # What ends as soon as it is entered runs even then, so that each has its turn.
        late = self.waited >= core.settings.stop_timeout
        return f'no time is left of {core.settings.stop_timeout:g} s for a stop' if late else ''
