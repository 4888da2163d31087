"""Aquarobot, the six-legged underwater walker, from the centimetres of its thesis.

Source of every number: ``aquarobot.md`` §2. The thesis counts z downwards and angles clockwise;
its tables stand here as it gives them (cm, degrees), the robot in the house frame and in SI.
"""

import math
from typing import NamedTuple

from walking_robots.robots.articulated import (
    ArticulatedHexapod,
    ArticulatedLeg,
    JointRange,
    Masses,
    Stance,
)

LENGTH_UNIT = 0.01
"""One unit of length of the thesis in m: it names none, and means centimetres (§2.1)."""


class LinkRow(NamedTuple):
    """A row of a Denavit-Hartenberg table: degrees and cm; angle and limits of its joint.

    In the standard (distal) convention twist and length are those of the joint's own link, in the
    modified (proximal) one those of the link before it.
    """

    twist: float
    length: float
    displacement: float
    angle: float
    low: float
    high: float


BODY_RADIUS = 37.5
"""Distance of the hips from the centre of the hexagon, cm (§2.3)."""

ATTACHMENTS = (0.0, 60.0, 120.0, 180.0, 240.0, 300.0)
"""Attachment angles of legs 1 to 6, degrees from ahead, clockwise from above (§2.2)."""

RESET_JOINTS = (0.0, 66.4, -156.4)
"""Joints after a reset, degrees: the shank stands upright (§2.5)."""

RESET_HEIGHT = -54.181866
"""z of the body after a reset, cm downwards, in the Lisp program: correct to single precision."""

RESET_HEIGHT_PRINTED = -54.1819
"""The same in the C++ program."""

MODIFIED_LINKS = (
    LinkRow(0.0, 0.0, 0.0, 0.0, -360.0, 360.0),
    LinkRow(0.0, BODY_RADIUS, 0.0, 0.0, -60.0, 60.0),
    LinkRow(-90.0, 20.0, 0.0, 66.4, -106.6, 73.4),
    LinkRow(0.0, 50.0, 0.0, -156.4, -156.4, 23.6),
    LinkRow(0.0, 100.0, 0.0, 0.0, -360.0, 360.0),
)
"""Table 4.1 by Craig's convention: attachment, three joints, passive foot (§2.3a)."""

STANDARD_LINKS = (
    LinkRow(0.0, BODY_RADIUS, 0.0, 0.0, -360.0, 360.0),
    LinkRow(-90.0, 20.0, 0.0, 0.0, -60.0, 60.0),
    LinkRow(0.0, 50.0, 0.0, 66.4, -106.6, 73.4),
    LinkRow(0.0, 100.0, 0.0, -156.4, -156.4, 23.6),
)
"""The links of the Lisp program by the Denavit-Hartenberg convention (§2.3b)."""

BODY_NODES = (
    (0.0, 0.0, 0.0),
    (37.5, 0.0, 0.0),
    (18.75, 32.48, 0.0),
    (-18.75, 32.48, 0.0),
    (-37.5, 0.0, 0.0),
    (-18.75, -32.48, 0.0),
    (18.75, -32.48, 0.0),
    (37.5, 0.0, -15.0),
)
"""Centre, corners 1 to 6 and the mark of the front as drawn, cm, z down (§2.4).

Rounded by the thesis; the last node is hardly legible there (§11 U4).
"""

WALKING_SPEED = 1.0 / 60.0
"""Speed of the real robot on an uneven sea bed, m/s: one metre a minute (§2.7)."""


def _leg(number: int) -> ArticulatedLeg:
    """Return a leg in the house frame: clockwise attachments are negative headings there."""
    heading = math.remainder(-math.radians(ATTACHMENTS[number - 1]), math.tau)
    radius = BODY_RADIUS * LENGTH_UNIT
    _, coxa, femur, tibia = STANDARD_LINKS
    yaw, lift, knee = (
        JointRange(math.radians(row.low), math.radians(row.high)) for row in (coxa, femur, tibia)
    )
    home = tuple(map(math.radians, RESET_JOINTS))
    return ArticulatedLeg(
        number=number,
        mount=(radius * math.cos(heading), radius * math.sin(heading), 0.0),
        heading=heading,
        coxa=coxa.length * LENGTH_UNIT,
        femur=femur.length * LENGTH_UNIT,
        tibia=tibia.length * LENGTH_UNIT,
        # The range of the yaw joint is the same read clockwise and counter-clockwise.
        ranges=(yaw, lift, knee),
        home=(-home[0] + 0.0, home[1], home[2]),
        # Joint values on topics are the angles of the thesis.
        directions=(-1.0, 1.0, 1.0),
    )


_LEGS = tuple(_leg(number) for number in range(1, 7))

AQUAROBOT = ArticulatedHexapod(
    name='aquarobot',
    legs=_LEGS,
    outline=tuple(leg.mount[:2] for leg in _LEGS),
    # From here to the end the thesis is silent (§2.6): guesses, but for the stance (§5.6).
    masses=Masses(body=280.0, coxa=20.0, femur=25.0, tibia=30.0, guessed=True),
    foot_radius=0.1,
    stance=Stance(height=0.75, reach=1.15 - BODY_RADIUS * LENGTH_UNIT),
    joint_speed=0.5,
    cell=0.1,
)
