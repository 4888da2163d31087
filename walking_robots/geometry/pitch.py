"""The pitch of a body that only pitches, as an orientation and back."""

import math

from walking_robots.geometry.pose import Quaternion


def pitch_quaternion(pitch: float) -> Quaternion:
    """Return the quaternion (w, x, y, z) of a pitch, rad, nose down."""
    return (math.cos(0.5 * pitch), 0.0, math.sin(0.5 * pitch), 0.0)


def pitch_of(quaternion: Quaternion) -> float:
    """Return the pitch, rad, nose down, of a body without roll and yaw, in -pi ... pi."""
    w, _, y, _ = quaternion
    return math.remainder(2.0 * math.atan2(y, w), math.tau)
