"""Rigid motion that best carries one set of points onto another."""

import math
from collections.abc import Sequence

import numpy as np

from walking_robots.geometry.pose import Quaternion, Vector


def register(body: Sequence[Vector], world: Sequence[Vector]) -> tuple[Vector, Quaternion]:
    """Find position and unit quaternion (w, x, y, z) with ``world = position + R(q) body``.

    Both lists hold the same n >= 3 points, m. Least squares by Horn's quaternion method
    (B. K. P. Horn, 1987: the eigenvector of the largest eigenvalue of a symmetric 4 x 4
    matrix of the correlations). Exact when the points fit rigidly.
    """
    mx, my, mz = _mean(body)
    px, py, pz = _mean(world)
    xx = xy = xz = yx = yy = yz = zx = zy = zz = 0.0
    for (ax, ay, az), (bx, by, bz) in zip(body, world, strict=True):
        ax, ay, az, bx, by, bz = ax - mx, ay - my, az - mz, bx - px, by - py, bz - pz
        xx += ax * bx
        xy += ax * by
        xz += ax * bz
        yx += ay * bx
        yy += ay * by
        yz += ay * bz
        zx += az * bx
        zy += az * by
        zz += az * bz
    matrix = np.array(
        (
            (xx + yy + zz, yz - zy, zx - xz, xy - yx),
            (yz - zy, xx - yy - zz, xy + yx, zx + xz),
            (zx - xz, xy + yx, yy - xx - zz, yz + zy),
            (xy - yx, zx + xz, yz + zy, zz - xx - yy),
        )
    )
    w, x, y, z = np.linalg.eigh(matrix)[1][:, 3].tolist()
    norm = math.copysign(math.sqrt(w * w + x * x + y * y + z * z), w)
    w, x, y, z = w / norm, x / norm, y / norm, z / norm
    tx, ty, tz = 2 * (y * mz - z * my), 2 * (z * mx - x * mz), 2 * (x * my - y * mx)
    position = (
        px - (mx + w * tx + y * tz - z * ty),
        py - (my + w * ty + z * tx - x * tz),
        pz - (mz + w * tz + x * ty - y * tx),
    )
    return position, (w, x, y, z)


def _mean(points: Sequence[Vector]) -> Vector:
    x = y = z = 0.0
    for a, b, c in points:
        x += a
        y += b
        z += c
    n = len(points)
    return (x / n, y / n, z / n)
