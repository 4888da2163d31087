"""Kinematics of a planar pantograph leg behind an abduction hinge (asv.md §3.4).

The driven joints of a leg are, in this order, the abduction angle (rad), the lift slider and
the drive slider (m). The linkage magnifies the drive five times along the body and the lift
four times across it.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from walking_robots.robots.model import LegModel, PantographModel

Array = NDArray[np.float64]


class PantographLegs:
    """Forward and inverse kinematics of all legs of a robot at once."""

    def __init__(self, legs: Sequence[LegModel], links: PantographModel) -> None:
        """Take the hips and sides of legs, their knee directions and link lengths."""
        self._hips = np.array([leg.hip for leg in legs])
        self._side = np.array([float(leg.side) for leg in legs])
        self._knee = np.array([float(direction) for direction in links.knee_directions])
        self._m, self._l = links.hinge_offset, links.slider_reference
        self._s1, self._s2, self._thigh = links.s1, links.s2, links.thigh
        self._kx, self._kz = links.horizontal_gain, links.vertical_gain

    def inverse(self, feet: Array) -> Array:
        """Return the joints, shape (6, 3), of feet in the body frame, shape (6, 3), m.

        Raise ValueError for a foot closer to its hinge axis than the leg plane's offset.
        """
        px, py, pz = (feet - self._hips).T
        square = py * py + pz * pz - self._m * self._m
        if (square <= 0.0).any():
            leg = int(np.argmax(square <= 0.0)) + 1
            raise ValueError(
                f'foot of leg {leg} is nearer to the hip axis than the leg plane allows; '
                'keep feet inside their working volume'
            )
        depth = np.sqrt(square)
        abduction = np.arctan2(self._side * py, -pz) - np.arctan(self._m / depth)
        lift = (depth - self._l) / self._kz
        drive = self._knee * px / self._kx
        return np.array((abduction, lift, drive)).T

    def follow(self, feet: Array, bears: Sequence[bool]) -> Array:
        """Return the joints of feet as `inverse` does, whether they carry the body or not."""
        del bears
        return self.inverse(feet)

    def forward(self, joints: Array) -> Array:
        """Return the feet, shape (6, 3), m in the body frame, of joints of shape (6, 3)."""
        abduction, lift, drive = joints.T
        depth = self._l + self._kz * lift
        cos, sin = np.cos(abduction), np.sin(abduction)
        feet = self._hips.copy()
        feet[:, 0] += self._kx * self._knee * drive
        feet[:, 1] += self._side * (self._m * cos + depth * sin)
        feet[:, 2] += self._m * sin - depth * cos
        return feet

    def passive(self, joints: Array) -> Array:
        """Return the thigh and knee angles, shape (6, 2), rad, of joints of shape (6, 3).

        Angles turn about the y axis of the leg plane; at zero the link hangs straight down,
        the shank in line with the thigh. Where the linkage cannot close it is stretched.
        """
        _, lift, drive = joints.T
        reach = np.hypot(lift, drive)
        cosine = (self._s1**2 - self._s2**2 + reach**2) / (2.0 * self._s1 * reach)
        alpha = np.pi / 2.0 - np.arctan2(drive, lift) - np.arccos(np.clip(cosine, -1.0, 1.0))
        thigh = -self._knee * (np.pi / 2.0 - alpha)
        knee_x = self._knee * self._thigh * np.cos(alpha)
        knee_depth = self._thigh * np.sin(alpha) - (lift - self._l)
        foot_x = self._kx * self._knee * drive
        foot_depth = self._l + self._kz * lift
        shank = np.arctan2(knee_x - foot_x, foot_depth - knee_depth)
        return np.array((thigh, shank - thigh)).T
