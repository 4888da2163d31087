"""The numbers of Aquarobot against those derived in its specification."""

import math

import pytest

from walking_robots.robots.aquarobot import (
    AQUAROBOT,
    LENGTH_UNIT,
    RESET_HEIGHT,
    STANDARD_LINKS,
)

# Earth frame of the thesis, cm: knee and foot over the same place (aquarobot.md §12, A1).
A1_FEET = (
    (77.517452, 0.0),
    (38.758726, 67.132082),
    (-38.758726, 67.132082),
    (-77.517452, 0.0),
    (-38.758726, -67.132082),
    (38.758726, -67.132082),
)


def test_a1_reset_feet_stand_on_the_ground():
    for leg, (x, y) in zip(AQUAROBOT.legs, A1_FEET, strict=True):
        foot_x, foot_y, foot_z = (part / LENGTH_UNIT for part in leg.forward(leg.home))
        assert (foot_x, -foot_y) == pytest.approx((x, y), abs=1e-6)
        assert -foot_z + RESET_HEIGHT == pytest.approx(-0.000002, abs=1e-6)


def test_a3_legs_are_equal_but_for_their_headings():
    joints = (0.3, 0.5, -1.2)
    x, y, z = AQUAROBOT.legs[0].forward(joints)
    for leg in AQUAROBOT.legs:
        turn = -math.pi / 3 * (leg.number - 1)
        rotated = (
            x * math.cos(turn) - y * math.sin(turn),
            x * math.sin(turn) + y * math.cos(turn),
            z,
        )
        assert leg.forward(joints) == pytest.approx(rotated, abs=1e-12)


def test_lift_and_knee_span_half_a_turn():
    spans = [row.high - row.low for row in STANDARD_LINKS[1:]]
    assert spans == pytest.approx([120.0, 180.0, 180.0])


def test_joint_values_are_the_angles_of_the_thesis():
    # Clockwise hip, femur up, shank down (aquarobot.md §13: no offsets).
    assert {leg.directions for leg in AQUAROBOT.legs} == {(-1.0, 1.0, 1.0)}
    assert {leg.offsets for leg in AQUAROBOT.legs} == {(0.0, 0.0, 0.0)}
    limits = AQUAROBOT.legs[3].ranges
    assert [limit.low for limit in limits] == pytest.approx(
        [-1.047198, -1.860521, -2.729695], abs=1e-6
    )
    assert [limit.high for limit in limits] == pytest.approx(
        [1.047198, 1.281072, 0.411898], abs=1e-6
    )
