"""Odometry on the host, which outlives wraps, resets and restarts of the controller's.

The controller integrates its own pose and tells it in steps of 2.54 mm and 0.1 degree, within
83 m of its origin. The host adds up the differences (scout_protocol.md §4.9).
"""

import math
from enum import Enum

from walking_robots.geometry.se2 import ORIGIN, Pose2, Twist2, wrap
from walking_robots.scout.readings import Readings
from walking_robots.scout.settings import DriverSettings

__all__ = ['HostOdometry', 'News']

SLACK = 0.05
"""Distance, m, and angle, rad, that a reading may be ahead of what speed allows."""
FAR = 76.2
"""Distance from the controller's origin, m, from which it is moved (30000 units)."""
EDGE = 82.0
"""Distance, m, from which that cannot wait for the robot to rest."""


class News(Enum):
    """What a reading meant for the odometry."""

    MOVED = 'moved'
    JUMPED = 'jumped'
    RESTARTED = 'restarted'


class HostOdometry:
    """Adds up what the controller's pose changes by; ``pose`` and rim ``travel`` are the sums."""

    def __init__(self, settings: DriverSettings) -> None:
        """Begin at the origin."""
        self._settings = settings
        self._turn_scale = settings.model.wheel_separation / settings.wheel_separation
        self._exact = self._turn_scale == 1.0 == settings.odometry_scale
        self._last: Readings | None = None
        self.pose = ORIGIN
        self.travel = (0.0, 0.0)
        self.jumps = 0

    def update(self, now: Readings) -> News:
        """Take in a reading; a jump that no wheel can have made is counted, not believed."""
        last, self._last = self._last, now
        if last is None:
            return News.MOVED
        if now.clock < last.clock:
            return News.RESTARTED
        step = last.pose.inverse() @ now.pose
        step = step._replace(heading=wrap(step.heading))
        dt = now.clock - last.clock
        top = self._settings.model.top_speed
        turn = 2.0 * top / self._settings.model.wheel_separation
        if ORIGIN.distance(step) > top * dt + SLACK or abs(step.heading) > turn * dt + SLACK:
            self.jumps += 1
            return News.JUMPED
        self._move(step, last, now, dt)
        return News.MOVED

    def redefined(self, now: Readings) -> None:
        """Take in the first reading after the controller's own pose was defined anew.

        What the robot moved since the last one is told by its wheels.
        """
        last, self._last = self._last, now
        if last is None or now.clock < last.clock:
            return
        dt = now.clock - last.clock
        twist = Twist2(0.5 * (last.twist.v + now.twist.v), 0.5 * (last.twist.w + now.twist.w))
        self._move(ORIGIN.advance(twist, dt), last, now, dt)

    def reset(self) -> None:
        """Call the present place the origin."""
        self.pose = ORIGIN

    def strays(self, at: Readings) -> bool:
        """Tell whether the controller's origin should be moved now, before its numbers end."""
        reach = max(abs(at.pose.x), abs(at.pose.y))
        return reach > EDGE or (reach > FAR and not at.moving)

    def _move(self, step: Pose2, last: Readings, now: Readings, dt: float) -> None:
        if not self._exact:
            half = 0.5 * step.heading
            way = step.x * math.cos(half) + step.y * math.sin(half)
            scaled = Twist2(way * self._settings.odometry_scale, step.heading * self._turn_scale)
            step = ORIGIN.advance(scaled, 1.0)
        self.pose = self.pose @ step
        self.travel = (
            self.travel[0] + 0.5 * dt * (last.wheels.left + now.wheels.left),
            self.travel[1] + 0.5 * dt * (last.wheels.right + now.wheels.right),
        )
