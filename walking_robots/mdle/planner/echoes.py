"""From where the echoes of the last round may have come."""

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.se2 import Pose2

AHEAD = math.radians(45.0)
"""Sector of the sonars that look ahead, rad, as the guard of the planner's programs has it."""
ACROSS = (-1.0, -0.5, 0.0, 0.5, 1.0)
"""Places on an arc, in halves of its width; a choice."""
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

    They lie on its arc; what is nearer than a sensor measures may be anywhere up to there.
    """
    least = ring.near + ring.unit
    half = 0.5 * ring.field_of_view
    found = []
    for number, distance in enumerate(ranges):
        if distance < ECHO_TO:
            sensor = pose @ sensor_pose(ring, number)
            if distance > least:
                places = [Pose2(0.0, 0.0, share * half) @ Pose2(distance) for share in ACROSS]
            else:
                places = [Pose2(0.5 * (1.0 + share) * least) for share in ACROSS]
            found.append([(sensor @ place)[:2] for place in places])
    return np.array(found).reshape(-1, len(ACROSS), 2)
