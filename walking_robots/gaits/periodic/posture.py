"""How the body is held over its feet, in all six axes."""

import math
from typing import NamedTuple

from walking_robots.geometry.plane import Plane
from walking_robots.geometry.pose import Pose
from walking_robots.geometry.se2 import Pose2, Screw2


class PostureRates(NamedTuple):
    """How fast a posture may change: m/s along every axis and rad/s about it."""

    way: float
    turn: float


class Posture(NamedTuple):
    """How the body is held in the level frame that goes along on the ground below it.

    Height over the feet, m; roll (right side down) and pitch (nose down), rad; shift ahead and to
    the left over the feet, m; yaw to the left, rad.
    """

    height: float
    roll: float = 0.0
    pitch: float = 0.0
    x: float = 0.0
    y: float = 0.0
    yaw: float = 0.0

    def pose(self) -> Pose:
        """Return the pose of the body in the level frame."""
        sr, cr = math.sin(self.roll), math.cos(self.roll)
        sp, cp = math.sin(self.pitch), math.cos(self.pitch)
        sy, cy = math.sin(self.yaw), math.cos(self.yaw)
        rotation = (
            cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,
            sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,
            -sp, cp * sr, cp * cr,
        )  # fmt: skip
        return Pose((self.x, self.y, self.height), rotation)

    def words(self) -> str:
        """Return the posture in words, without the axes that are at rest."""
        words = [f'{self.height:g} m high']
        for name, value in (('ahead', self.x), ('to the left', self.y)):
            words += [f'shifted {value:g} m {name}'] * bool(value)
        for name in ('roll', 'pitch', 'yaw'):
            angle = math.degrees(getattr(self, name))
            words += [f'at a {name} of {angle:g} degrees'] * bool(angle)
        return ', '.join(words)

    def over(self, ground: Plane) -> 'Posture':
        """Return this posture tilted with ``ground``, a plane of the level frame.

        The body stays at the same height above the middle of its feet, so that it is as stable as
        on level ground.
        """
        nx, ny, nz = ground.normal
        sy, cy = math.sin(self.yaw), math.cos(self.yaw)
        roll, pitch = -math.asin(cy * ny - sy * nx), math.atan2(cy * nx + sy * ny, nz)
        return self._replace(roll=self.roll + roll, pitch=self.pitch + pitch)

    def toward(self, other: 'Posture', rates: PostureRates, dt: float) -> 'Posture':
        """Return the posture ``dt`` seconds on the way to another."""
        if self == other:
            return self
        way, turn = rates.way * dt, rates.turn * dt
        limits = (way, turn, turn, way, way, turn)
        return Posture(
            *(
                now + max(-limit, min(limit, wanted - now))
                for now, wanted, limit in zip(self, other, limits, strict=True)
            )
        )

    def level_twist(self, twist: Screw2) -> Screw2:
        """Return the velocity of the level frame that gives the body one in its own heading."""
        return Pose2(self.x, self.y, self.yaw).carried(twist)

    def body_twist(self, twist: Screw2) -> Screw2:
        """Return the velocity of the body, in its own heading, of one of the level frame."""
        return Pose2(self.x, self.y, self.yaw).inverse().carried(twist)
