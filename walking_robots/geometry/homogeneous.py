"""Poses as 4 x 4 matrices, many at once: points are columns, p' = H p."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]


def stacked(rows: Any) -> Array:
    """Return the matrices of four rows of four entries, each a number or an array: (..., 4, 4)."""
    parts = np.broadcast_arrays(*(np.asarray(entry, dtype=float) for row in rows for entry in row))
    return np.stack(parts, axis=-1).reshape(*parts[0].shape, 4, 4)


def pose_matrix(
    azimuth: ArrayLike, elevation: ArrayLike, roll: ArrayLike,
    x: ArrayLike, y: ArrayLike, z: ArrayLike,
) -> Array:  # fmt: skip
    """Return Trans(x, y, z) Rz(azimuth) Ry(elevation) Rx(roll), rad (aquarobot.md §3.1, eq. 4.12).

    Shape (..., 4, 4) for arguments of shape (...).
    """
    ca, sa = np.cos(azimuth), np.sin(azimuth)
    ce, se = np.cos(elevation), np.sin(elevation)
    cr, sr = np.cos(roll), np.sin(roll)
    return stacked(
        (
            (ca * ce, ca * se * sr - sa * cr, ca * se * cr + sa * sr, x),
            (sa * ce, sa * se * sr + ca * cr, sa * se * cr - ca * sr, y),
            (-se, ce * sr, ce * cr, z),
            (0.0, 0.0, 0.0, 1.0),
        )
    )


def rigid_inverse(matrix: Array) -> Array:
    """Return the inverses of rotations with translations, (..., 4, 4) (aquarobot.md §3.1)."""
    turned = np.swapaxes(matrix[..., :3, :3], -1, -2)
    inverse = np.zeros_like(matrix)
    inverse[..., :3, :3] = turned
    inverse[..., :3, 3] = -(turned @ matrix[..., :3, 3, None])[..., 0]
    inverse[..., 3, 3] = 1.0
    return inverse


def points_of(matrix: Array, points: ArrayLike) -> Array:
    """Map points of shape (n, 3) by matrices of shape (..., 4, 4), to (..., n, 3)."""
    mapped: Array = np.asarray(points, dtype=float) @ np.swapaxes(matrix[..., :3, :3], -1, -2)
    return mapped + matrix[..., None, :3, 3]
