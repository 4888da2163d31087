"""Report the displacement of an object for a while."""

import math

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.cartographer.moved_object import ObjectNews, nothing_moved
from walking_robots.worlds.moving_disc import REST

Point = tuple[float, float]


class DisplacementTracker:
    """Measures how far an object is from where it was when the robot last set off.

    A robot that follows waits at rest until a move is reported and then drives, which ends the
    report. A move while it drives is reported when it comes to rest, so that a walk counts as a
    whole and the same move never starts the robot twice.
    """

    def __init__(self) -> None:
        """Begin at rest, with no object."""
        self._left: Point | None = None
        self._seen: Point | None = None
        self._still_since = -math.inf
        self._rests = True
        self._valid = False

    def step(self, time: float, moving: bool, pose: Pose2, place: Point | None) -> ObjectNews:
        """Take in where the object is now, m, None for nowhere, and return the displacement; s."""
        if place is None:
            return nothing_moved(pose)
        if moving:
            if self._rests:
                self._left = self._seen
            self._rests, self._still_since = False, math.inf
        else:
            self._still_since = min(self._still_since, time)
            self._rests = self._rests or time - self._still_since >= REST - 1e-9
        if self._left is None:
            self._left = place
        if self._rests:
            self._seen = place
        shift = math.dist(self._left, place)
        self._valid = self._valid or shift > 0.0
        return ObjectNews(self._valid, shift, self._left, place)
