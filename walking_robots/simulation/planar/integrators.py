"""Integrators of the unicycle, by name, and closed forms of the two Euler schemes (mdle.md §1).

Only ``exp`` is exact; the others are here to be compared with it. ``euler_matrix`` works on
matrices, because its rotation block leaves the rotations.
"""

import math
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.se2 import Pose2, Twist2

Matrix = NDArray[np.float64]
Integrator = Literal['exp', 'midpoint', 'euler_coord', 'euler_matrix']
"""Names of the integrators of mdle.md §1.4."""

A1: Matrix = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
"""Generator of rotation, corrected (mdle.md §1.2, K1)."""
A1_AS_PRINTED: Matrix = np.array([[0.0, -1.0, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
"""Generator of rotation as the report prints it: with it nothing turns."""
A2: Matrix = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
"""Generator of translation."""

NO_TURN = 1e-100
"""Turn of a step, rad, below which it goes straight, in whatever digits."""


class ScaledPose(NamedTuple):
    """What a 3 x 3 matrix says: place, m, heading, rad, and the scale of its rotation block."""

    pose: Pose2
    scale: float


def _exp(pose: Pose2, twist: Twist2, dt: float) -> Pose2:
    return pose.advance(twist, dt)


def _midpoint(pose: Pose2, twist: Twist2, dt: float) -> Pose2:
    return _straight(pose, twist, dt, pose.heading + 0.5 * twist.w * dt)


def _euler_coord(pose: Pose2, twist: Twist2, dt: float) -> Pose2:
    return _straight(pose, twist, dt, pose.heading)


def _straight(pose: Pose2, twist: Twist2, dt: float, along: float) -> Pose2:
    way = twist.v * dt
    return Pose2(
        pose.x + way * math.cos(along),
        pose.y + way * math.sin(along),
        pose.heading + twist.w * dt,
    )


POSE_INTEGRATORS: Mapping[str, Callable[[Pose2, Twist2, float], Pose2]] = {
    'exp': _exp,
    'midpoint': _midpoint,
    'euler_coord': _euler_coord,
}
"""The integrators that keep a pose a pose: one step of ``dt`` seconds under a constant twist."""


def matrix_of(pose: Pose2) -> Matrix:
    """Return a pose as the 3 x 3 matrix G of mdle.md §1.1."""
    cosine, sine = math.cos(pose.heading), math.sin(pose.heading)
    return np.array([[cosine, -sine, pose.x], [sine, cosine, pose.y], [0.0, 0.0, 1.0]])


def frame_of(matrix: Matrix) -> ScaledPose:
    """Read place, heading in (-pi, pi] and scale off a 3 x 3 matrix by its first column."""
    cosine, sine = float(matrix[0, 0]), float(matrix[1, 0])
    heading = math.atan2(sine, cosine)
    pose = Pose2(float(matrix[0, 2]), float(matrix[1, 2]), heading)
    return ScaledPose(pose, math.hypot(cosine, sine))


def euler_matrix_closed(twist: Twist2, dt: float, steps: int) -> ScaledPose:
    """Return where ``steps`` steps of ``euler_matrix`` from the origin end (mdle.md §1.5)."""
    turn, way = twist.w * dt, twist.v * dt
    if abs(turn) < NO_TURN:
        return ScaledPose(Pose2(way * steps), 1.0)
    # The power of 1 + i turn, less 1, written so that slow turns lose no digits.
    growth, heading = 0.5 * steps * math.log1p(turn * turn), steps * math.atan(turn)
    scale = math.exp(growth)
    ahead = math.expm1(growth) * math.cos(heading) - 2.0 * math.sin(0.5 * heading) ** 2
    x, y = way * scale * math.sin(heading) / turn, -way * ahead / turn
    return ScaledPose(Pose2(x, y, heading), scale)


def euler_coord_closed(twist: Twist2, dt: float, steps: int) -> Pose2:
    """Return where ``steps`` steps of ``euler_coord`` from the origin end (mdle.md §1.5)."""
    turn, way = twist.w * dt, twist.v * dt
    if abs(turn) < NO_TURN:
        return Pose2(way * steps)
    half, middle = 0.5 * turn, 0.5 * (steps - 1) * turn
    chord = way * math.sin(steps * half) / math.sin(half)
    return Pose2(chord * math.cos(middle), chord * math.sin(middle), turn * steps)
