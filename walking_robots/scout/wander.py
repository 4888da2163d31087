"""Roam without hitting anything, by sonars and bumper alone.

Each sensor is fired about once a second (scout_protocol.md §5), so that its reading can be a
second old: speed is low, and falls with the room ahead.
"""

import math
from collections.abc import Sequence

from walking_robots.geometry.se2 import Twist2
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.robots.wheeled import WheeledModel

SPEED = 0.25
TURN = 0.6
NEAR = 0.45
"""Room ahead, m, at which the robot turns away."""
CLEAR = 0.8
"""Room ahead, m, with which it goes on; the difference keeps it from dithering."""
HABIT = 10.0
"""Time, s, for which it goes on turning to the side it turned to, so as to come out of corners."""
BACK = 0.12
BACK_TIME = 1.5
TURN_TIME = 1.2
"""Speed (m/s) and time (s) of backing off after a touch, and time of the turn that follows."""


class Wander:
    """Decides on a motion from what is felt.

    Its whole state: the side it turns to, 1 left, -1 right, 0 ahead; the side it last turned to
    and until when it keeps to it; until when it backs off, and turns after that, s.
    """

    def __init__(self, model: WheeledModel = SUPER_SCOUT) -> None:
        """Begin by going ahead."""
        self._bearings = [
            math.remainder(model.sonar.bearing(sensor), 2.0 * math.pi)
            for sensor in range(model.sonar.count)
        ]
        self.turning = 0.0
        self.habit = (0.0, 0.0)
        self.until = (0.0, 0.0)

    def step(self, ranges: Sequence[float], touches: Sequence[float], now: float) -> Twist2:
        """Return the motion for distances (m, by REP-117, NaN unknown), touches and the time, s.

        ``touches``: bearings, rad, of the switches that are closed.
        """
        room = [math.nan if math.isnan(found) else max(found, 0.0) for found in ranges]
        front = any(math.cos(bearing) > 0.0 for bearing in touches)
        if touches and now >= self.until[1]:
            self.turning = self._side(room, now)
            begin = now + BACK_TIME if front else now
            self.until = (begin, begin + TURN_TIME)
        elif touches and not front:
            # What is behind ends the way back.
            self.until = (min(now, self.until[0]), self.until[1])
        if now < self.until[0]:
            return Twist2(-BACK, 0.0)
        ahead = self._least(room, math.radians(50.0))
        if math.isnan(ahead):
            return Twist2(0.0, 0.0)
        if ahead < NEAR and not self.turning:
            self.turning = self._side(room, now)
        elif ahead > CLEAR and now >= self.until[1]:
            self.turning = 0.0
        if self.turning:
            return Twist2(0.0, TURN * self.turning)
        return Twist2(SPEED * min(1.0, ahead / (2.0 * CLEAR)), 0.0)

    def _least(self, room: Sequence[float], width: float) -> float:
        """Return the least known room within ``width`` rad of ahead, NaN for none."""
        near = [
            free
            for free, turn in zip(room, self._bearings, strict=True)
            if abs(turn) <= width and not math.isnan(free)
        ]
        return min(near, default=math.nan)

    def _side(self, room: Sequence[float], now: float) -> float:
        """Return the side to turn to: the freer one, or by habit."""
        side = self.habit[0] if now < self.habit[1] else self._freer_side(room)
        self.habit = (side, now + HABIT)
        return side

    def _freer_side(self, room: Sequence[float]) -> float:
        """Return 1 for the left where it has more room than the right, else -1."""
        left, right = (
            sum(
                min(free, 3.0)
                for free, turn in zip(room, self._bearings, strict=True)
                if 0.0 < side * turn < math.radians(120.0) and not math.isnan(free)
            )
            for side in (1.0, -1.0)
        )
        return 1.0 if left >= right else -1.0
