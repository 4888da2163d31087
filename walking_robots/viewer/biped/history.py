"""Remember what the figures of a walk are drawn from."""

import math
from collections.abc import Iterable
from typing import NamedTuple

from walking_robots.viewer.biped.state import BipedView, Left, Pair
from walking_robots.viewer.common.history import RecentEntries, TimeSpan

SPAN = 10.0
"""Time, s, that is remembered."""
SPACING = 0.03
"""Least time, s, between two moments."""
LATELY = 3.0
"""Time, s, in which the most of friction and slip counts."""


class WalkSample(NamedTuple):
    """What is plotted of a moment; NaN is left out."""

    time: float
    state: int | None
    height: float
    felt_height: float
    speed: float
    felt_speed: float
    desired_speed: float
    pitch: float
    efforts: tuple[float, float, float, float]


class WalkHistory(TimeSpan[WalkSample]):
    """What was of the last ten seconds, some thirty times a second."""

    def __init__(self) -> None:
        """Begin empty."""
        super().__init__(SPAN, SPACING)
        self._robot = ''

    def add(self, state: BipedView) -> None:
        """Note a moment; another robot begins anew."""
        if state.settings.robot != self._robot:
            self.clear()
        self._robot = state.settings.robot
        sample = WalkSample(
            state.time, state.state, state.height, state.felt_height, state.speed,
            state.felt_speed, state.desired_speed, math.degrees(state.pitch), state.efforts,
        )  # fmt: skip
        self.note(state.time, sample)


class FrictionHistory(TimeSpan[Pair]):
    """The friction that right and left foot have needed in the last seconds."""

    def __init__(self) -> None:
        """Begin empty."""
        super().__init__(LATELY)

    def most(self) -> Pair:
        """Return the most of each foot, NaN for one that has not stood."""
        entries = self.entries()
        right, left = (
            max((v[side] for v in entries if not math.isnan(v[side])), default=math.nan)
            for side in range(2)
        )
        return (right, left)


class StateExitLog(RecentEntries[Left]):
    """The last few states that were left."""

    def add(self, time: float, left: Iterable[Left]) -> None:
        """Note what was left up to a time (s)."""
        # What was left before a robot was set up again comes with the state after it.
        self.note(time, (entry for entry in left if entry.time <= time))
