"""How fast articulated legs can bring their feet from place to place."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.legs.articulated import ArticulatedLegs
from walking_robots.legs.separate_volumes import LegRoom
from walking_robots.robots.articulated import LEGS, ArticulatedHexapod

Array = NDArray[np.float64]

SAMPLES = 12
"""How finely the way of a foot through the air is looked at."""


class FootMoves(NamedTuple):
    """What the feet of a robot can do in the rooms of their legs, no joint past its speed.

    Least times, s, from the neutral place to any other and from the ground to the height of a
    lift; the speed, m/s, that every foot can have in every direction.
    """

    swing: float
    rise: float
    speed: float


def foot_moves(robot: ArticulatedHexapod, rooms: Sequence[LegRoom], lift: float) -> FootMoves:
    """Look at all places in the rooms of the legs, on the ground and ``lift`` m over it."""
    legs, raise_by = ArticulatedLegs(robot), np.array((0.0, 0.0, lift))
    neutral = np.array(robot.neutral_feet)
    down = np.empty((len(rooms[0].places), LEGS, 3))
    down[..., :2] = np.swapaxes([room.places for room in rooms], 0, 1)
    down[..., 2] = neutral[:, 2]
    up = down + raise_by
    rates = np.linalg.inv(legs.jacobian(legs.solve(np.stack((down, up))).joints))
    return FootMoves(
        _turned(legs, neutral + raise_by, up) / robot.joint_speed,
        _turned(legs, down, up) / robot.joint_speed,
        robot.joint_speed / float(np.linalg.norm(rates, axis=-1).max()),
    )


def _turned(legs: ArticulatedLegs, start: Array, end: Array) -> float:
    """Return the greatest turn of a joint, rad, while feet go straight and steadily.

    It counts as if the joint turned all the time as it does at its fastest.
    """
    shares = np.linspace(0.0, 1.0, SAMPLES + 1)[:, None, None, None]
    joints = legs.solve(start + shares * (end - start)).joints
    return float(np.abs(np.diff(joints, axis=0)).max()) * SAMPLES
