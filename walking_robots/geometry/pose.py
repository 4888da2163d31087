"""Poses of a rigid body and their integration over one step.

A pose maps body coordinates to the odometry frame. Its scalars are plain floats, not arrays,
because a gait multiplies a few of them many times a step and numpy's call overhead would
dominate.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from transforms3d.euler import quat2euler

Vector = tuple[float, float, float]
Quaternion = tuple[float, float, float, float]
Rotation = tuple[float, float, float, float, float, float, float, float, float]

IDENTITY: Rotation = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


class Pose(NamedTuple):
    """Position (m) and rotation matrix (row by row) of a body in the odometry frame."""

    position: Vector
    rotation: Rotation = IDENTITY

    def apply(self, point: Vector) -> Vector:
        """Map a point from body to odometry coordinates, m."""
        x, y, z = point
        a, b, c, d, e, f, g, h, i = self.rotation
        px, py, pz = self.position
        return (
            a * x + b * y + c * z + px,
            d * x + e * y + f * z + py,
            g * x + h * y + i * z + pz,
        )

    def to_body(self, point: Vector) -> Vector:
        """Map a point from odometry to body coordinates, m."""
        px, py, pz = self.position
        x, y, z = point[0] - px, point[1] - py, point[2] - pz
        a, b, c, d, e, f, g, h, i = self.rotation
        return (a * x + d * y + g * z, b * x + e * y + h * z, c * x + f * y + i * z)

    def rotate_to_body(self, vector: Vector) -> Vector:
        """Turn a vector from odometry to body axes."""
        x, y, z = vector
        a, b, c, d, e, f, g, h, i = self.rotation
        return (a * x + d * y + g * z, b * x + e * y + h * z, c * x + f * y + i * z)

    def matrix(self) -> NDArray[np.float64]:
        """Return the rotation as an array of shape (3, 3)."""
        return np.array(self.rotation).reshape(3, 3)

    def yaw(self) -> float:
        """Return the heading, rad, from the x axis of the odometry frame."""
        return math.atan2(self.rotation[3], self.rotation[0])

    def pitch(self) -> float:
        """Return the pitch, rad, positive with the nose down."""
        return math.asin(max(-1.0, min(1.0, -self.rotation[6])))


class Rates(NamedTuple):
    """Velocity of the body in its own axes: m/s and rad/s."""

    vx: float = 0.0
    vy: float = 0.0
    vz: float = 0.0
    wx: float = 0.0
    wy: float = 0.0
    wz: float = 0.0

    @property
    def at_rest(self) -> bool:
        """Return whether the body neither travels nor turns.

        Posture is regulated without a dead zone and never comes to an exact zero.
        """
        return self.vx == 0.0 and self.vy == 0.0 and self.wz == 0.0

    def velocity_at(self, point: Vector) -> Vector:
        """Return the velocity of a body-fixed point (m, body frame), m/s in body axes."""
        vx, vy, vz, wx, wy, wz = self
        x, y, z = point
        return (vx + wy * z - wz * y, vy + wz * x - wx * z, vz + wx * y - wy * x)


def advance(pose: Pose, rates: Rates, dt: float, *, renew_third_column: bool = True) -> Pose:
    """Integrate a pose over one step to first order and restore its rotation (asv.md §6.5).

    Columns one and two are made orthonormal by Gram-Schmidt. The original leaves the third
    column as integrated (DEF-10); ``renew_third_column`` makes it their cross product.
    """
    vx, vy, vz, wx, wy, wz = rates
    a, b, c, d, e, f, g, h, i = pose.rotation
    x, y, z = pose.position
    tx, ty, tz = vx * dt, vy * dt, vz * dt
    position = (
        x + a * tx + b * ty + c * tz,
        y + d * tx + e * ty + f * tz,
        z + g * tx + h * ty + i * tz,
    )
    if wx == 0.0 and wy == 0.0 and wz == 0.0:
        return Pose(position, pose.rotation)
    rx, ry, rz = wx * dt, wy * dt, wz * dt
    x1, y1, z1 = a + b * rz - c * ry, d + e * rz - f * ry, g + h * rz - i * ry
    x2, y2, z2 = b - a * rz + c * rx, e - d * rz + f * rx, h - g * rz + i * rx
    norm = math.sqrt(x1 * x1 + y1 * y1 + z1 * z1)
    x1, y1, z1 = x1 / norm, y1 / norm, z1 / norm
    dot = x1 * x2 + y1 * y2 + z1 * z2
    x2, y2, z2 = x2 - dot * x1, y2 - dot * y1, z2 - dot * z1
    norm = math.sqrt(x2 * x2 + y2 * y2 + z2 * z2)
    x2, y2, z2 = x2 / norm, y2 / norm, z2 / norm
    if renew_third_column:
        x3, y3, z3 = y1 * z2 - z1 * y2, z1 * x2 - x1 * z2, x1 * y2 - y1 * x2
    else:
        x3, y3, z3 = c + a * ry - b * rx, f + d * ry - e * rx, i + g * ry - h * rx
    return Pose(position, (x1, x2, x3, y1, y2, y3, z1, z2, z3))


def from_quaternion(position: Vector, quaternion: Quaternion) -> Pose:
    """Build a pose from a position (m) and a unit quaternion (w, x, y, z)."""
    w, x, y, z = quaternion
    return Pose(
        position,
        (
            1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y),
            2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x),
            2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y),
        ),
    )  # fmt: skip


def upright_along(normal: Vector) -> Quaternion:
    """Return the least rotation that turns the z axis to a unit vector, which points upwards."""
    nx, ny, nz = normal
    w = math.sqrt(0.5 * (1.0 + nz))
    # Without negative zeros, so that the posture over level ground is the identity.
    return (w, (0.0 - ny) / (2.0 * w), (nx + 0.0) / (2.0 * w), 0.0)


def to_quaternion(pose: Pose) -> Quaternion:
    """Return the unit quaternion (w, x, y, z), w >= 0, of a pose's rotation.

    Shepperd's choice of the largest component keeps it accurate at every angle.
    """
    a, b, c, d, e, f, g, h, i = pose.rotation
    trace = a + e + i
    if trace > 0.0:
        s = 2.0 * math.sqrt(1.0 + trace)
        return (0.25 * s, (h - f) / s, (c - g) / s, (d - b) / s)
    if a >= e and a >= i:
        s = 2.0 * math.sqrt(max(1.0 + a - e - i, 0.0))
        q = ((h - f) / s, 0.25 * s, (b + d) / s, (c + g) / s)
    elif e >= i:
        s = 2.0 * math.sqrt(max(1.0 + e - a - i, 0.0))
        q = ((c - g) / s, (b + d) / s, 0.25 * s, (f + h) / s)
    else:
        s = 2.0 * math.sqrt(max(1.0 + i - a - e, 0.0))
        q = ((d - b) / s, (c + g) / s, (f + h) / s, 0.25 * s)
    return q if q[0] >= 0.0 else (-q[0], -q[1], -q[2], -q[3])


def roll_pitch_yaw(quaternion: Quaternion) -> Vector:
    """Return roll, pitch and yaw (rad, fixed axes x, y, z) of a unit quaternion (w, x, y, z)."""
    roll, pitch, yaw = quat2euler(quaternion, axes='sxyz')
    return (float(roll), float(pitch), float(yaw))
