"""Planes in space: transformation, distance and least-squares estimation."""

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from walking_robots.geometry.pose import Pose, Vector


class Plane(NamedTuple):
    """The points p with ``normal . p + offset = 0``; the normal has unit length."""

    normal: Vector
    offset: float

    def in_body(self, pose: Pose) -> 'Plane':
        """Express a plane of the odometry frame in the body frame of ``pose`` (asv.md §11)."""
        nx, ny, nz = self.normal
        px, py, pz = pose.position
        return Plane(pose.rotate_to_body(self.normal), nx * px + ny * py + nz * pz + self.offset)

    def height_at(self, x: float, y: float) -> float:
        """Return z of the plane over (x, y), m; the plane must not be vertical."""
        nx, ny, nz = self.normal
        return -(nx * x + ny * y + self.offset) / nz


LEVEL = Plane((0.0, 0.0, 1.0), 0.0)


def fit_plane(points: Sequence[Vector]) -> Plane | None:
    """Fit z(x, y) to points (m) by least squares; None when they do not span a plane.

    The two-stage regression of the source (asv.md §11): z and y are first regressed on x,
    then the remainders on each other, which equals ordinary least squares on [1, x, y].
    """
    n = len(points)
    if n < 3:
        return None
    mx = my = mz = 0.0
    for x, y, z in points:
        mx += x
        my += y
        mz += z
    mx, my, mz = mx / n, my / n, mz / n
    sxx = sxy = sxz = 0.0
    for x, y, z in points:
        dx = x - mx
        sxx += dx * dx
        sxy += dx * (y - my)
        sxz += dx * (z - mz)
    if sxx < 1e-12:
        return None
    a1, a2 = sxz / sxx, sxy / sxx
    syy = syz = 0.0
    for x, y, z in points:
        dx = x - mx
        dy = y - my - a2 * dx
        syy += dy * dy
        syz += dy * (z - mz - a1 * dx)
    if syy < 1e-12:
        return None
    a4 = syz / syy
    slope_x, slope_y = a1 - a4 * a2, a4
    norm = sqrt(slope_x * slope_x + slope_y * slope_y + 1.0)
    offset = -(mz - slope_x * mx - slope_y * my)
    return Plane((-slope_x / norm, -slope_y / norm, 1.0 / norm), offset / norm)
