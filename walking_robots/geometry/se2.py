"""Poses in the plane and their exact motion under a constant twist (mdle.md §1.4 and §1.5)."""

import math
from typing import NamedTuple


class Twist2(NamedTuple):
    """Velocity in body axes: ``v`` ahead, m/s, and ``w`` to the left, rad/s."""

    v: float = 0.0
    w: float = 0.0


class Screw2(NamedTuple):
    """Any velocity in body axes: ``v`` ahead and ``aside`` to the left, m/s, ``w`` left, rad/s.

    A robot on two wheels has no ``aside``.
    """

    v: float
    aside: float
    w: float

    def exp(self, dt: float) -> 'Pose2':
        """Return where it leads in ``dt`` seconds, from the origin."""
        turn = self.w * dt
        s, c = _arc(turn)
        return Pose2(dt * (s * self.v - c * self.aside), dt * (c * self.v + s * self.aside), turn)


class Pose2(NamedTuple):
    """Position, m, and heading, rad, counter-clockwise from x; the heading is not wrapped."""

    x: float = 0.0
    y: float = 0.0
    heading: float = 0.0

    def __matmul__(self, other: 'Pose2') -> 'Pose2':
        """Return the pose that ``other``, given in this one's axes, has in the outer frame."""
        cosine, sine = math.cos(self.heading), math.sin(self.heading)
        return Pose2(
            self.x + cosine * other.x - sine * other.y,
            self.y + sine * other.x + cosine * other.y,
            self.heading + other.heading,
        )

    def inverse(self) -> 'Pose2':
        """Return the pose of the outer frame in this one's axes."""
        cosine, sine = math.cos(self.heading), math.sin(self.heading)
        return Pose2(
            -cosine * self.x - sine * self.y, sine * self.x - cosine * self.y, -self.heading
        )

    def carried(self, twist: Screw2) -> Screw2:
        """Return the velocity at the outer origin of a body moving at ``twist`` in this pose."""
        cosine, sine = math.cos(self.heading), math.sin(self.heading)
        return Screw2(
            cosine * twist.v - sine * twist.aside + twist.w * self.y,
            sine * twist.v + cosine * twist.aside - twist.w * self.x,
            twist.w,
        )

    def advance(self, twist: Twist2, dt: float) -> 'Pose2':
        """Move for ``dt`` seconds under a constant twist, exactly (exponential map)."""
        turn, way = twist.w * dt, twist.v * dt
        ahead, aside = _arc(turn)
        return self @ Pose2(way * ahead, way * aside, turn)

    def log(self, dt: float = 1.0) -> Screw2:
        """Return the constant velocity that leads here from the origin in ``dt`` seconds.

        Of all that do, it is the one with less than half a turn, or half a turn to the left
        (mdle.md §1.5).
        """
        turn = wrap(self.heading)
        half = 0.5 * turn
        a = half / math.tan(half) if half else 1.0
        return Screw2(
            (a * self.x + half * self.y) / dt, (a * self.y - half * self.x) / dt, turn / dt
        )

    def distance(self, other: 'Pose2') -> float:
        """Return the distance between two positions, m."""
        return math.hypot(other.x - self.x, other.y - self.y)


def _arc(turn: float) -> tuple[float, float]:
    """Return how far ahead and aside an arc of length 1 leads; exact also for slow turns."""
    half = 0.5 * turn
    return (math.sin(turn) / turn, math.sin(half) ** 2 / half) if half else (1.0, 0.0)


ORIGIN = Pose2()


def wrap(angle: float) -> float:
    """Return an angle, rad, as its equal in (-pi, pi]."""
    wrapped = math.remainder(angle, 2.0 * math.pi)
    return math.pi if wrapped == -math.pi else wrapped


def quaternion(heading: float) -> tuple[float, float, float, float]:
    """Return the quaternion (w, x, y, z) of a heading, rad."""
    half = 0.5 * wrap(heading)
    return (math.cos(half), 0.0, 0.0, math.sin(half))
