"""Rigid motion that best carries one set of points onto another."""

import math

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.pose import Quaternion, Vector

Array = NDArray[np.float64]


def register(body: Array, world: Array) -> tuple[Vector, Quaternion]:
    """Find position and unit quaternion (w, x, y, z) with ``world = position + R(q) body``.

    Both arrays have shape (n, 3), m, n >= 3. Least squares by Horn's quaternion method
    (B. K. P. Horn, 1987: the eigenvector of the largest eigenvalue of a symmetric 4 x 4
    matrix of the correlations). Exact when the points fit rigidly.
    """
    body_mean, world_mean = body.mean(axis=0), world.mean(axis=0)
    a, b = body - body_mean, world - world_mean
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = (a[:, :, None] * b[:, None, :]).sum(axis=0).tolist()
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
    mx, my, mz = body_mean.tolist()
    tx, ty, tz = 2 * (y * mz - z * my), 2 * (z * mx - x * mz), 2 * (x * my - y * mx)
    px, py, pz = world_mean.tolist()
    position = (
        px - (mx + w * tx + y * tz - z * ty),
        py - (my + w * ty + z * tx - x * tz),
        pz - (mz + w * tz + x * ty - y * tx),
    )
    return position, (w, x, y, z)
