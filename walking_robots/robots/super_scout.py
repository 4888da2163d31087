"""The Nomad Super Scout, in SI; source of every number: scout_protocol.md §3 to §6.

What the sources do not say is a choice, marked so, and a parameter of the nodes.
"""

import math

from walking_robots.geometry.units import FOOT
from walking_robots.robots.wheeled import BatteryModel, BumperModel, SonarModel, WheeledModel

INCH = FOOT / 12.0
"""Unit of a sonar reading, m."""
TENTH_INCH = INCH / 10.0
"""Unit of positions and speeds on the wire, m and m/s."""

# The maker's constant, 0.118597 inch a degree, is half the track for each degree of turn.
_TRACK = 2.0 * 0.118597 * INCH * 180.0 / math.pi

SUPER_SCOUT = WheeledModel(
    name='super_scout',
    title='Nomad Super Scout',
    radius=0.205,
    height=0.35,
    mass=23.0,
    wheel_separation=_TRACK,
    wheel_radius=0.065,  # not known; a choice
    wheel_width=0.02,  # not known; a choice, for the picture only
    top_speed=1.0,
    top_acceleration=2.0,
    default_speed=0.5,
    default_turn=2.0,
    default_acceleration=0.5,
    sonar=SonarModel(
        count=16,
        near=6.0 * INCH,
        far=255.0 * INCH,
        unit=INCH,
        period=0.06,
        order=(0, 2, 15, 1, 14, 3, 13, 4, 12, 5, 11, 6, 10, 7, 9, 8),
        radius=0.20,  # not known; a choice near the rim of the body
        height=0.25,  # not known; a choice
        field_of_view=math.radians(25.0),
    ),
    bumper=BumperModel(
        # Which bit is which switch is not known: sectors counter-clockwise from ahead, a choice.
        bearings=tuple(math.radians(60.0 * number) for number in range(6)),
        sector=math.radians(60.0),
    ),
    battery=BatteryModel(full=12.6, empty=11.4, cpu_range=12.0, motor_range=12.85),
)
