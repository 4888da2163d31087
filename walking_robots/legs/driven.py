"""Articulated legs in the robot's own joint values, as they travel on topics."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from walking_robots.legs.articulated import ArticulatedLegs, OutOfReachError, Reach
from walking_robots.robots.articulated import ArticulatedHexapod

Array = NDArray[np.float64]


class DrivenLegs:
    """Kinematics of all legs; joint values are ``direction * q + offset`` of canonical q, rad.

    ``canonical`` are the same legs in canonical joints. Arrays as in `ArticulatedLegs`.
    """

    def __init__(self, robot: ArticulatedHexapod) -> None:
        """Take the legs of a robot."""
        self.canonical = ArticulatedLegs(robot)

    def forward(self, values: Array) -> Array:
        """Return the feet of joint values, m, body frame."""
        return self.canonical.forward(self.canonical.canonical(values))

    def inverse(self, feet: Array, near: Array | None = None) -> Array:
        """Return the joint values of feet, nearest to the posture ``near``.

        Raises OutOfReachError for the first foot that is not reached.
        """
        legs = self.canonical
        return legs.values(legs.inverse(feet, None if near is None else legs.canonical(near)))

    def follow(self, feet: Array, bears: Sequence[bool]) -> Array:
        """Return the joint values of feet, those in the air as near as the legs get to them.

        bears: which feet carry the body. Raises OutOfReachError for one of them not reached.
        """
        joints, found, reached = self.canonical.reach(feet)
        for leg, (carries, there) in enumerate(zip(bears, reached.tolist(), strict=True)):
            if carries and not there:
                raise OutOfReachError(leg + 1, feet[leg], found[leg])
        return self.canonical.values(joints)

    def passive(self, values: Array) -> Array:
        """Return the joints that follow from others: none, (6, 0)."""
        return values[..., :0]

    def reach(self, feet: Array, near: Array) -> Reach:
        """Return the joint values that bring every foot as near as possible to its place."""
        legs = self.canonical
        joints, found, reached = legs.reach(feet, legs.canonical(near))
        return Reach(legs.values(joints), found, reached)

    def points(self, values: Array) -> Array:
        """Return hip, coxa end, knee and foot of every leg, (..., 6, 4, 3), m, body frame."""
        return self.canonical.points(self.canonical.canonical(values))
