"""Lead a body along the way of its commands where feet slip or wait for ground."""

import math

from walking_robots.geometry.pose import Pose
from walking_robots.geometry.se2 import Pose2, Screw2, wrap

GAIN = 0.5
"""Velocity, 1/s, for being away from the way."""

MOST_TURN = 0.2
"""Greatest turn, rad, that is made up for."""


class PathHold:
    """Corrects commands by where the body is measured.

    ``place`` is where the commands have led so far, None of a body at rest.
    """

    def __init__(self, dt: float, leash: float) -> None:
        """Begin at rest; dt: time of a step, s; leash: longest way, m, that is made up for."""
        self._dt, self._leash = dt, leash
        self.place: Pose2 | None = None

    def correct(self, command: Screw2, pose: Pose) -> Screw2:
        """Return the velocity for a step under a command, both in the heading of the body."""
        if not any(command):
            self.place = None
            return command
        here = Pose2(pose.position[0], pose.position[1], pose.yaw())
        x, y, heading = here.inverse() @ (self.place or here)
        turn = max(-MOST_TURN, min(MOST_TURN, wrap(heading)))
        share = min(1.0, self._leash / max(math.hypot(x, y), 1e-12))
        away = Pose2(share * x, share * y, turn)
        self.place = here @ away @ command.exp(self._dt)
        return Screw2(*(part + GAIN * error for part, error in zip(command, away, strict=True)))
