"""What a biped in space feels: joints, attitude, gyroscope, foot switches."""

import math
from typing import NamedTuple

from walking_robots.geometry.pose import Quaternion, Vector

Eight = tuple[float, float, float, float, float, float, float, float]


class SpatialSenses(NamedTuple):
    """The readings of one tick.

    joints: of the right leg and of the left one, yaw, roll, hip and knee each, rad; rates: theirs,
    rad/s; roll, pitch, heading: rad, of the body, about fixed axes; turning: of the body about
    its own axes, rad/s; contacts: foot switches, right and left; dt: s since the last tick.
    """

    joints: Eight
    rates: Eight
    roll: float
    pitch: float
    heading: float
    turning: Vector
    contacts: tuple[bool, bool]
    dt: float


def posture(attitude: Quaternion) -> Vector:
    """Return roll, pitch and heading, rad about fixed axes, of a unit quaternion (w, x, y, z).

    The same as `walking_robots.geometry.pose.roll_pitch_yaw`, ten times as fast.
    """
    w, x, y, z = attitude
    return (
        math.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y)),
        math.asin(max(-1.0, min(2.0 * (w * y - z * x), 1.0))),
        math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)),
    )
