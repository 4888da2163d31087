"""The kinematics of any hexapod, in the joint values that travel on topics."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from walking_robots.legs.driven import DrivenLegs
from walking_robots.legs.pantograph import PantographLegs
from walking_robots.robots.articulated import ArticulatedHexapod
from walking_robots.robots.model import HexapodModel

Array = NDArray[np.float64]


class LegKinematics(Protocol):
    """Kinematics of all legs: driven joints (rad, sliders m) and feet (m, body frame), (6, 3)."""

    def forward(self, joints: Array, /) -> Array:
        """Return the feet of joints."""

    def inverse(self, feet: Array, /) -> Array:
        """Return the joints of feet; raises ValueError for a foot out of reach."""

    def follow(self, feet: Array, bears: Sequence[bool], /) -> Array:
        """Return the joints of feet, those in the air as near as the legs get to them.

        bears: which feet carry the body. Raises ValueError for one of them out of reach.
        """

    def passive(self, joints: Array, /) -> Array:
        """Return the joints that follow from others, rad, (6, n): as many as have names."""


def leg_kinematics(model: HexapodModel) -> LegKinematics:
    """Return the kinematics of a robot, whatever its legs are."""
    links = model.kinematics
    if isinstance(links, ArticulatedHexapod):
        return DrivenLegs(links)
    return PantographLegs(model.legs, links)
