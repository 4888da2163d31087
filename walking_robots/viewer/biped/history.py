"""Remember what the figures of a walk are drawn from."""

import math
from collections import deque
from typing import NamedTuple

from walking_robots.viewer.biped.state import BipedView

SPAN = 10.0
"""Time, s, that is remembered."""
SPACING = 0.03
"""Least time, s, between two moments."""


class Moment(NamedTuple):
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


class History:
    """What was of the last ten seconds, some thirty times a second."""

    def __init__(self) -> None:
        """Begin empty."""
        self._moments: deque[Moment] = deque()
        self._robot = ''
        self.changed = False

    def add(self, state: BipedView) -> None:
        """Note a moment; a time that runs back, or another robot, begins anew."""
        moments, now = self._moments, state.time
        if moments and (now < moments[-1].time or state.settings.robot != self._robot):
            moments.clear()
        self._robot = state.settings.robot
        if moments and now - moments[-1].time < SPACING - 1e-9:
            return
        moments.append(
            Moment(
                now, state.state, state.height, state.felt_height, state.speed,
                state.felt_speed, state.desired_speed, math.degrees(state.pitch), state.efforts,
            )
        )  # fmt: skip
        while moments[0].time < now - SPAN:
            moments.popleft()
        self.changed = True

    def moments(self) -> tuple[Moment, ...]:
        """Return what was noted, the oldest first."""
        self.changed = False
        return tuple(self._moments)
