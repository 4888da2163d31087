"""How the body is held over its feet."""

import math
from typing import NamedTuple

from walking_robots.geometry.pose import Pose

__all__ = ['Posture', 'PostureRates']


class PostureRates(NamedTuple):
    """How fast a posture may change: m/s and rad/s."""

    height: float
    tilt: float


class Posture(NamedTuple):
    """Height of the body over its feet, m; roll (right side down) and pitch (nose down), rad."""

    height: float
    roll: float = 0.0
    pitch: float = 0.0

    def pose(self) -> Pose:
        """Give the pose of the body in the level frame that goes along on the ground below it."""
        sr, cr = math.sin(self.roll), math.cos(self.roll)
        sp, cp = math.sin(self.pitch), math.cos(self.pitch)
        rotation = (cp, sp * sr, sp * cr, 0.0, cr, -sr, -sp, cp * sr, cp * cr)
        return Pose((0.0, 0.0, self.height), rotation)

    def toward(self, other: 'Posture', rates: PostureRates, dt: float) -> 'Posture':
        """Give the posture ``dt`` seconds on the way to another."""
        limits = (rates.height * dt, rates.tilt * dt, rates.tilt * dt)
        return Posture(
            *(
                now + max(-limit, min(limit, wanted - now))
                for now, wanted, limit in zip(self, other, limits, strict=True)
            )
        )
