"""Where the feet of a biped in space are, from what it feels."""

import math
from typing import NamedTuple

from walking_robots.gaits.biped.felt_slip import FeetApart
from walking_robots.gaits.biped.spatial.senses import SpatialSenses
from walking_robots.gaits.biped.virtual_legs import LegRates
from walking_robots.geometry.pose import Vector


class LateralFoot(NamedTuple):
    """A foot sideways of the middle between the hips, m to the left, and how fast it moves, m/s.

    Both level, across the heading of the body. at, moving: the same along the axes of the body, m,
    and what its own joints move it by, m/s.
    """

    place: float
    speed: float
    at: Vector
    moving: Vector


def foot_beside(
    hip: float, leg: LegRates, first: int, senses: SpatialSenses, pitch_rate: float
) -> LateralFoot:
    """Return where a foot is.

    hip: where its hip is, m to the left; leg: its virtual leg in the plane in which it bends,
    absolute as the planar controller has it; first: the place of its joints among all; pitch_rate:
    of the body, rad/s.
    """
    yaw, roll = senses.joints[first], senses.joints[first + 1]
    yaw_rate, roll_rate = senses.rates[first], senses.rates[first + 1]
    length, absolute, length_rate, absolute_rate = leg
    angle, angle_rate = absolute - senses.pitch, absolute_rate - pitch_rate
    sine, cosine = math.sin(angle), math.cos(angle)
    # In the plane of the leg: x ahead, z up, and their rates.
    x, z = -length * sine, -length * cosine
    x_rate = -length_rate * sine + z * angle_rate
    z_rate = -length_rate * cosine - x * angle_rate
    sine, cosine = math.sin(roll), math.cos(roll)
    y, y_rate = -z * sine, -z_rate * sine - z * cosine * roll_rate
    z, z_rate = z * cosine, z_rate * cosine - z * sine * roll_rate
    sine, cosine = math.sin(yaw), math.cos(yaw)
    x, y = x * cosine - y * sine, x * sine + y * cosine
    x_rate, y_rate = (
        x_rate * cosine - y_rate * sine - yaw_rate * y,
        x_rate * sine + y_rate * cosine + yaw_rate * x,
    )
    y += hip
    at, moving = (x, y, z), (x_rate, y_rate, z_rate)
    wx, _, wz = senses.turning
    # The foot moves relative to the body, and with it as it turns.
    y_rate += wz * x - wx * z
    z_rate += wx * y - senses.turning[1] * x
    sine, cosine = math.sin(senses.roll), math.cos(senses.roll)
    return LateralFoot(y * cosine - z * sine, y_rate * cosine - z_rate * sine, at, moving)


def spatial_feet_apart(right: LateralFoot, left: LateralFoot) -> FeetApart:
    """Return the distance of two feet; the attitude of the body cancels out."""
    (a, b, c), (d, e, f) = right.at, left.at
    (u, v, w), (x, y, z) = right.moving, left.moving
    a, b, c = a - d, b - e, c - f
    distance = math.sqrt(a * a + b * b + c * c)
    growth = a * (u - x) + b * (v - y) + c * (w - z)
    return FeetApart(distance, growth / distance if distance else 0.0)


def pitch_rate(senses: SpatialSenses) -> float:
    """Return the rate of the pitch, rad/s, from those about the axes of the body."""
    _, y, z = senses.turning
    return y * math.cos(senses.roll) - z * math.sin(senses.roll)
