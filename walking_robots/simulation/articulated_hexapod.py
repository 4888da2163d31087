"""The kinematic backend of a hexapod on articulated legs."""

import numpy as np

from walking_robots.legs.driven import DrivenLegs
from walking_robots.robots.articulated import ArticulatedHexapod
from walking_robots.simulation.kinematic_hexapod import CarriedHexapod, Ground, Stand

__all__ = ['KinematicArticulated']

TOUCH = 1e-4
"""Height over the ground, m, below which a foot switch closes."""

RELEASE = 1e-9
"""Distance, m, from where the others would leave it at which a foot has been lifted.

A step lifts a foot by far more, and the numeric error of a step is a thousandth of it: what is
left of a foot that begins to rise must not shift those that stand.
"""


class KinematicArticulated(CarriedHexapod):
    """A robot whose joints are its own values, as they travel on topics, rad."""

    def __init__(
        self, robot: ArticulatedHexapod, terrain: Ground, *, x: float = 0.0, y: float = 0.0
    ) -> None:
        """Stand the robot on its neutral feet, its body at (x, y), m, in the odometry frame."""
        super().__init__(
            DrivenLegs(robot),
            Stand(np.array(robot.neutral_feet), (True,) * 6, (x, y, robot.height)),
            terrain,
            touch=TOUCH,
            release=RELEASE,
        )
