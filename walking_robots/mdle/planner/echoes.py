"""From where the echoes of late may have come."""

import math
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.cartographer.cartographer import ROUND

AHEAD = math.radians(45.0)
"""Sector of the sonars that look ahead, rad, as the guard of the planner's programs has it."""
ACROSS = (-1.0, -0.5, 0.0, 0.5, 1.0)
"""Places on an arc, in halves of its width; a choice."""
ECHO_TO, REMEMBERED = 2.2, 20.0
"""Range, m, up to which an echo slows the robot down beside it, and for how long, s: a smooth wall
seen at a grazing angle answers once in a while only. Choices, measured in docs/planner.md."""


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


class RingEchoes:
    """Keeps the places from which each echo of the last seconds may have come.

    The robot drives on while the others are fired: each echo stays where it was heard.
    """

    def __init__(self, ring: Ring) -> None:
        """Have heard nothing."""
        self._ring = ring
        self._arcs: list[tuple[NDArray[np.float64], float]] = []
        self._last: dict[int, tuple[float, float]] = {}

    @property
    def arcs(self) -> NDArray[np.float64]:
        """Return the arcs of all echoes within ECHO_TO, (n, 5, 2), m, REMEMBERED long."""
        return np.array([arc for arc, _ in self._arcs]).reshape(-1, len(ACROSS), 2)

    def hear(self, number: int, distance: float, pose: Pose2, now: float) -> NDArray[np.float64]:
        """Take in a range, m, of a sensor of a robot at a pose; return its arc, (1, 5, 2) or none.

        now: s. A range that is repeated within ROUND was not measured anew, and is not returned.
        """
        self._arcs = [(arc, then) for arc, then in self._arcs if now - then < REMEMBERED]
        last, at = self._last.get(number, (math.nan, -math.inf))
        if distance == last and now - at < ROUND:
            return np.empty((0, len(ACROSS), 2))
        self._last[number] = distance, now
        arc = echo_arc(self._ring, number, distance, pose)
        if arc is None:
            return np.empty((0, len(ACROSS), 2))
        self._arcs.append((arc, now))
        return arc[None]


def echo_arc(ring: Ring, number: int, distance: float, pose: Pose2) -> NDArray[np.float64] | None:
    """Return places (5, 2), m, from which an echo may have come, None for one beyond ECHO_TO.

    They lie on its arc; what is nearer than a sensor measures may be anywhere up to there.
    """
    if not distance < ECHO_TO:
        return None
    least = ring.near + ring.unit
    half = 0.5 * ring.field_of_view
    sensor = pose @ sensor_pose(ring, number)
    if distance > least:
        places = [Pose2(0.0, 0.0, share * half) @ Pose2(distance) for share in ACROSS]
    else:
        places = [Pose2(0.5 * (1.0 + share) * least) for share in ACROSS]
    return np.array([(sensor @ place)[:2] for place in places])
