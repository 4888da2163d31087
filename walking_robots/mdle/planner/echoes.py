"""From where the echoes of the last round may have come."""

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.se2 import Pose2

AHEAD = math.radians(45.0)
"""Sector of the sonars that look ahead, rad, as the guard of the planner's programs has it."""
ECHO_TO = 1.0
"""Range, m, up to which an echo slows the robot down beside it."""


class Ring(Protocol):
    """A ring of sensors; radius, near, unit: m; field_of_view: full width of a cone, rad."""

    @property
    def radius(self) -> float:
        """Of the ring, m."""

    @property
    def field_of_view(self) -> float:
        """Full width of a cone, rad."""

    @property
    def near(self) -> float:
        """Of all ranges the shortest, m, which says only that something is nearer."""

    @property
    def unit(self) -> float:
        """Of ranges, m."""

    def bearing(self, number: int) -> float:
        """Return the direction of a sensor, rad, counter-clockwise from ahead."""


def sensor_pose(ring: Ring, number: int) -> Pose2:
    """Return where a sensor of a ring is on the robot."""
    bearing = ring.bearing(number)
    return Pose2(ring.radius * math.cos(bearing), ring.radius * math.sin(bearing), bearing)


def echo_arcs(ring: Ring, ranges: Sequence[float], pose: Pose2) -> NDArray[np.float64]:
    """Return places (n, 5, 2), m, from which each echo within ECHO_TO may have come.

    What is nearer than a sensor measures may touch the body.
    """
    least = ring.near + ring.unit
    angles = [0.5 * share * ring.field_of_view for share in (-1.0, -0.5, 0.0, 0.5, 1.0)]
    found = []
    for number, distance in enumerate(ranges):
        if distance < ECHO_TO:
            sensor = pose @ sensor_pose(ring, number)
            way = Pose2(distance if distance > least else 0.0)
            found.append([(sensor @ Pose2(0.0, 0.0, angle) @ way)[:2] for angle in angles])
    return np.array(found).reshape(-1, 5, 2)
