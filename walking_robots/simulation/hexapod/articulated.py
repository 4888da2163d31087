"""The kinematic backend of a hexapod on articulated legs."""

import math

import numpy as np

from walking_robots.legs.driven import DrivenLegs
from walking_robots.robots.articulated import ArticulatedHexapod
from walking_robots.simulation.hexapod.kinematic import CarriedHexapod
from walking_robots.simulation.hexapod.simulated import GroundSurface, Stand

TOUCH = 1e-4
"""Height over the ground, m, below which a foot switch closes."""

RELEASE = 1e-9
"""Distance, m, from where the others would leave it at which a foot has been lifted.

A step lifts a foot by far more, and the numeric error of a step is a thousandth of it: what is
left of a foot that begins to rise must not shift those that stand.
"""

AISLE = 5
"""Cells between the edges of a terrain and the feet of a robot that begins there."""

SMALLEST = 49
LENGTHS = 5.0
"""A terrain in cells: at least as large as the ASV's, and so many robots long."""


class KinematicArticulated(CarriedHexapod):
    """A robot whose joints are its own values, as they travel on topics, rad."""

    def __init__(
        self, robot: ArticulatedHexapod, terrain: GroundSurface, *, x: float = 0.0, y: float = 0.0
    ) -> None:
        """Stand the robot on its neutral feet, its body at (x, y), m, in the odometry frame."""
        super().__init__(
            DrivenLegs(robot),
            neutral_stand(robot, x, y),
            terrain,
            touch=TOUCH,
            release=RELEASE,
        )


def neutral_stand(robot: ArticulatedHexapod, x: float, y: float) -> Stand:
    """Return how a robot stands on its neutral feet, its body at (x, y), m."""
    return Stand(np.array(robot.neutral_feet), (True,) * 6, (x, y, robot.height))


def terrain_size(robot: ArticulatedHexapod) -> tuple[int, int]:
    """Return the cells along x and y of a terrain that a robot can walk about on."""
    length = 2.0 * _extent(robot) / robot.cell
    across = math.ceil(length) + 2 * AISLE + 1
    return max(SMALLEST, math.ceil(LENGTHS * length)), max(SMALLEST, across)


def start_place(robot: ArticulatedHexapod) -> float:
    """Return where a robot begins on a terrain: x as well as y of its body, m."""
    return (math.ceil(_extent(robot) / robot.cell) + AISLE + 0.5) * robot.cell


def _extent(robot: ArticulatedHexapod) -> float:
    """Return how far feet are from the middle of the body along either axis, m."""
    return max(abs(part) for foot in robot.neutral_feet for part in foot[:2])
