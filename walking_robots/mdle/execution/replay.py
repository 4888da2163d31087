"""Drive back what was driven (mdle.md §4.11)."""

import math
from dataclasses import replace

from walking_robots.geometry.se2 import Pose2, wrap
from walking_robots.mdle.execution.backward import Backward
from walking_robots.mdle.execution.endings import Cleanup, Ending
from walking_robots.mdle.execution.faults import RunError
from walking_robots.mdle.execution.frame import Surroundings
from walking_robots.mdle.execution.leaf import space_of
from walking_robots.mdle.execution.live import Values
from walking_robots.mdle.execution.recording import Driven, Watch
from walking_robots.mdle.language.ast import Reverse

__all__ = ['ReplayFrame']

AHEAD, ASIDE, TURNED = 1.0, 4.0, 2.0
"""Gains of the correction to the recorded path, 1/s, 1/m^2 and 1/m."""


class ReplayFrame(Backward):
    """One run of ``reverse last``: every recorded control negated, the last one first.

    While the robot keeps to the poses it came by, the controls are exactly those recorded; where
    it strays, they are corrected, and beyond the tube the reversal fails.
    """

    __slots__ = ('_next', '_record', '_watches')

    def __init__(
        self, around: Surroundings, step: Reverse, record: list[Driven], watches: list[Watch]
    ) -> None:
        """Take what was driven, in the order of driving, and what minded contact then."""
        # What was driven was scaled already.
        super().__init__(replace(around, alpha=None), step.place)
        self._record = record
        self._next = len(record)
        self._watches = watches

    def start(self, y: Values, now: int) -> Ending | None:
        """Make sure that this can be driven backwards."""
        name = self._record[-1].space if self._record else 'none'
        self.space = space_of(self.around, name)
        if any(driven.space != name for driven in self._record):
            raise RunError(
                'E701', 'what was driven uses several control spaces', self.place, self.path
            )
        if self.space.channels and not (self.space.symmetric and self.space.driftless):
            raise RunError(
                'E701', f"control space '{name}' cannot be reversed", self.place, self.path
            )
        self.entered = now
        length = sum(driven.duration for driven in self._record)
        self.deadline = now + round(1.5e9 * length) + self.core.settings.period
        self.guards = tuple(self.kept(self._watches))
        self._enter()
        return self.check(y, now)

    def check(self, y: Values, now: int) -> Ending | None:
        """Look at the guards; end where no control is left, or off the path."""
        ending = self._fired(y, now)
        if ending is None and self._next == 0:
            ending = Ending('done', self.path)
        if ending is None and now >= self.deadline:
            ending = self._late(None, gentle=False)
        if ending is None and self._off(y) > self.core.settings.tube:
            ending = Ending('fail', self.path, self.place, text='left the path')
        if ending:
            self._exit(ending)
        return ending

    def leave(self, ending: Ending) -> tuple[Cleanup, ...]:
        """End from outside."""
        if self.alive:
            self._exit(ending)
        return ()

    def _goal(self) -> Pose2 | None:
        """Give the recorded pose at which this tick of the way back begins."""
        following = self._next
        return self._record[following].pose if following < len(self._record) else None

    def _off(self, y: Values) -> float:
        pose, goal = y.get('pose'), self._goal()
        if not self.core.settings.tracking or pose is None or goal is None:
            return 0.0
        return math.hypot(goal[0] - pose[0], goal[1] - pose[1])

    def _law(self, y: Values, now: int) -> tuple[float, ...]:
        pose, goal = y.get('pose'), self._goal()
        # A tick in which nothing is driven, as before a breakpoint, takes no control.
        self._next -= 1
        control = tuple(-u for u in self._record[self._next].control)
        if self.space.name != 'body2' or not self.core.settings.tracking:
            return control
        if pose is None or goal is None:
            return control
        dx, dy = goal[0] - pose[0], goal[1] - pose[1]
        ahead = dx * math.cos(pose[2]) + dy * math.sin(pose[2])
        aside = dy * math.cos(pose[2]) - dx * math.sin(pose[2])
        turned = wrap(goal[2] - pose[2])
        v, w = control
        # Tracking law of Kanayama et al. (1990); all its terms vanish on the recorded path.
        return v + AHEAD * ahead, w + ASIDE * v * aside + TURNED * abs(v) * math.sin(turned)
