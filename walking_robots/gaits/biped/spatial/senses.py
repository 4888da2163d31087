"""What a biped in space feels: joints, attitude, gyroscope, foot switches."""

from typing import NamedTuple

from walking_robots.gaits.biped.senses import Senses
from walking_robots.gaits.biped.virtual_legs import LegRates
from walking_robots.geometry.pose import Vector

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
