"""Notice when a walk has come to a standstill from which it will not recover."""

from walking_robots.gaits.gait_step import GaitStep

HALT_TIME = 15.0
"""Time, s, without any change after which a walk counts as halted."""


class StallDetector:
    """Counts the steps in which body and legs stay as they are.

    A leg that is on its way has to change something well within the steps after which a walk
    counts as halted. With a leg that has failed only the body counts: the others may step for
    ever.
    """

    def __init__(self, steps: int) -> None:
        """Begin with a walk that moves and count as halted after ``steps`` without a change."""
        self._limit = steps
        self._last: tuple[object, ...] = ()
        self._steps = 0

    def add(self, gait: GaitStep) -> bool:
        """Take in a step; True when nothing has changed for long."""
        here = (gait.cycle, gait.state, gait.support, gait.planned_support, gait.footholds)
        unchanged = (here == self._last or bool(gait.failed)) and gait.motion.rates.at_rest
        self._steps = self._steps + 1 if unchanged else 0
        self._last = here
        return self._steps >= self._limit
