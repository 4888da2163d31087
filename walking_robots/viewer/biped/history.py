"""Remember what the figures of a walk are drawn from."""

import math
from collections import deque
from typing import NamedTuple

from walking_robots.viewer.biped.state import BipedView

SPAN = 10.0
"""Time, s, that is remembered."""
SPACING = 0.03
"""Least time, s, between two moments."""


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


class WalkHistory:
    """What was of the last ten seconds, some thirty times a second."""

    def __init__(self) -> None:
        """Begin empty."""
        self._moments: deque[WalkSample] = deque()
        self._robot = ''

    def add(self, state: BipedView) -> None:
        """Note a moment; a time that runs back, or another robot, begins anew."""
        moments, now = self._moments, state.time
        if moments and (now < moments[-1].time or state.settings.robot != self._robot):
            moments.clear()
        self._robot = state.settings.robot
        if moments and now - moments[-1].time < SPACING - 1e-9:
            return
        moments.append(
            WalkSample(
                now, state.state, state.height, state.felt_height, state.speed,
                state.felt_speed, state.desired_speed, math.degrees(state.pitch), state.efforts,
            )
        )  # fmt: skip
        while moments[0].time < now - SPAN:
            moments.popleft()

    def moments(self) -> tuple[WalkSample, ...]:
        """Return what was noted, the oldest first."""
        return tuple(self._moments)


class FrictionHistory:
    """The most friction that each foot has needed in the last seconds."""

    SPAN = 3.0

    def __init__(self) -> None:
        """Begin empty."""
        self._entries: deque[tuple[float, tuple[float, float]]] = deque()

    def add(self, time: float, friction: tuple[float, float]) -> None:
        """Note what right and left foot need at a time (s); one that runs back begins anew."""
        if self._entries and time < self._entries[-1][0]:
            self._entries.clear()
        self._entries.append((time, friction))
        while self._entries[0][0] < time - self.SPAN:
            self._entries.popleft()

    def most(self) -> tuple[float, float]:
        """Return the most of each foot, NaN for one that has not stood."""
        right, left = (
            max((v[side] for _, v in self._entries if v[side] == v[side]), default=float('nan'))
            for side in range(2)
        )
        return (right, left)
