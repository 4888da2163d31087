"""Odometry on the host, which outlives wraps, resets and restarts of the controller's.

The controller integrates its own pose and reports it in steps of 2.54 mm and 0.1 degree, within
83 m of its origin. The host adds up the differences (scout_protocol.md §4.9).
"""

import math
from enum import Enum

from walking_robots.geometry.se2 import ORIGIN, Pose2, Twist2, wrap
from walking_robots.scout.readings import Readings
from walking_robots.scout.settings import DriverSettings

SLACK = 0.05
"""Distance, m, and angle, rad, that a reading may be ahead of what speed allows."""
CLOCK_TURN = 2.0**32 * 1e-3
"""Time, s, after which the controller's clock begins anew by itself."""
CLOCK_SLACK = 1.0
"""Time, s, by which the controller's clock may run off the host's between two readings."""
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
    """Adds up what the controller's pose changes by; ``pose`` and rim ``travel`` are the sums.

    Times ``at`` are those of the host, s, at which a reading came.
    """

    def __init__(self, settings: DriverSettings) -> None:
        """Begin at the origin."""
        self._settings = settings
        # A rim that goes farther than reported turns the robot farther, too.
        self._turn_scale = (
            settings.odometry_scale * settings.model.wheel_separation / settings.wheel_separation
        )
        self._exact = self._turn_scale == 1.0 == settings.odometry_scale
        self._last: tuple[Readings, float] | None = None
        self.pose = ORIGIN
        self.travel = (0.0, 0.0)
        self.jumps = 0

    def update(self, now: Readings, at: float) -> News:
        """Take in a reading; a jump that no wheel can have made is counted, not believed."""
        before, self._last = self._last, (now, at)
        if before is None:
            return News.MOVED
        last, then = before
        dt = (now.clock - last.clock) % CLOCK_TURN
        if abs(dt - (at - then)) > CLOCK_SLACK + 0.01 * (at - then):
            return News.RESTARTED
        step = last.pose.inverse() @ now.pose
        step = step._replace(heading=wrap(step.heading))
        top = self._settings.model.top_speed
        turn = 2.0 * top / self._settings.model.wheel_separation
        if ORIGIN.distance(step) > top * dt + SLACK or abs(step.heading) > turn * dt + SLACK:
            self.jumps += 1
            return News.JUMPED
        self._move(step if self._exact else self._scaled(step))
        return News.MOVED

    def redefined(self, now: Readings, at: float) -> None:
        """Take in the first reading after the controller's own pose was defined anew.

        What the robot moved since the last one is known from its wheels.
        """
        before, self._last = self._last, (now, at)
        if before is None:
            return
        last, then = before
        twist = Twist2(0.5 * (last.twist.v + now.twist.v), 0.5 * (last.twist.w + now.twist.w))
        self._move(ORIGIN.advance(twist, min(at - then, 1.0)))

    def reset(self) -> None:
        """Call the present place the origin."""
        self.pose = ORIGIN

    def is_far(self, at: Readings) -> bool:
        """Return whether the controller is far from its origin, where its numbers end."""
        return max(abs(at.pose.x), abs(at.pose.y)) > FAR

    def strays(self, at: Readings) -> bool:
        """Return whether the controller's origin should be moved now, before its numbers end."""
        reach = max(abs(at.pose.x), abs(at.pose.y))
        return reach > EDGE or (reach > FAR and not at.moving)

    def _scaled(self, step: Pose2) -> Pose2:
        half = 0.5 * step.heading
        way = step.x * math.cos(half) + step.y * math.sin(half)
        twist = Twist2(way * self._settings.odometry_scale, step.heading * self._turn_scale)
        return ORIGIN.advance(twist, 1.0)

    def _move(self, step: Pose2) -> None:
        self.pose = self.pose @ step
        half = 0.5 * step.heading
        way = step.x * math.cos(half) + step.y * math.sin(half)
        aside = half * self._settings.wheel_separation
        self.travel = (self.travel[0] + way - aside, self.travel[1] + way + aside)
