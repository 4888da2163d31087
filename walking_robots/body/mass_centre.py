"""Where the weight of a robot on articulated legs is."""

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.pose import Vector
from walking_robots.robots.articulated import Masses


def mass_centre(masses: Masses, points: NDArray[np.float64]) -> Vector:
    """Return the centre of gravity, m, body frame.

    points: hip, end of the coxa, knee and foot of every leg, (6, 4, 3), m, body frame. The body
    weighs at its origin, every link in its middle.
    """
    links = 0.5 * (points[:, :-1] + points[:, 1:]).sum(axis=0)
    moment = np.array((masses.coxa, masses.femur, masses.tibia)) @ links / masses.total
    x, y, z = moment.tolist()
    return (x, y, z)
