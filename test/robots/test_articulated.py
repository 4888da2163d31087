"""What a hexapod with three joints a leg must be (aquarobot.md §3.4)."""

import math
from dataclasses import replace

import pytest

from walking_robots.robots.aquarobot import AQUAROBOT
from walking_robots.robots.articulated import JointRange, Masses, Stance

LEG = AQUAROBOT.legs[1]


def test_joints_are_named_leg_by_leg():
    names = AQUAROBOT.joint_names()
    assert len(names) == 18
    assert names[:4] == ('leg1_yaw', 'leg1_lift', 'leg1_knee', 'leg2_yaw')


def test_neutral_feet_stand_ahead_of_their_hips():
    for leg, (x, y, z) in zip(AQUAROBOT.legs, AQUAROBOT.neutral_feet, strict=True):
        assert math.hypot(x, y) == pytest.approx(1.15)
        assert math.atan2(y, x) == pytest.approx(leg.heading)
        assert z == -0.75
    assert AQUAROBOT.height == 0.75


def test_neutral_feet_may_be_given_one_by_one():
    feet = tuple((x, y, -0.1 * k) for k, (x, y, _) in enumerate(AQUAROBOT.neutral_feet, 1))
    robot = replace(AQUAROBOT, stance=feet)
    assert robot.neutral_feet == feet
    assert robot.height == pytest.approx(0.35)


def test_masses_add_up():
    assert Masses(body=2.0, coxa=0.1, femur=0.2, tibia=0.3).total == pytest.approx(5.6)


@pytest.mark.parametrize(
    ('wrong', 'sentence'),
    [
        (lambda: JointRange(1.0, 1.0), 'give the lower end first'),
        (lambda: JointRange(math.nan, 1.0), 'give the lower end first'),
        (lambda: JointRange(0.0, 4.0), 'within -180 to 180 degrees'),
        (lambda: replace(LEG, femur=0.0), 'femur of leg 2 is 0 m; give a positive'),
        (lambda: replace(LEG, coxa=-0.1), 'coxa of leg 2'),
        (lambda: replace(LEG, mount=(0.0, math.inf, 0.0)), 'leg 2 hold a value that is not fini'),
        (lambda: replace(LEG, home=(0.0, 2.0, -1.0)), 'home of the lift joint of leg 2 is 114.59'),
        (lambda: replace(LEG, directions=(1.0, 0.0, 1.0)), 'direction of leg 2 is not 1 or -1'),
        (lambda: Stance(0.0, 0.1), 'stance height'),
        (lambda: Masses(1.0, -1.0, 0.0, 0.0), 'mass of a link'),
        (lambda: replace(AQUAROBOT, legs=AQUAROBOT.legs[::-1]), 'legs 1 to 6 in order'),
        (lambda: replace(AQUAROBOT, outline=((0.0, 0.0), (1.0, 0.0))), 'fewer than 3 corners'),
        (lambda: replace(AQUAROBOT, joint_speed=-1.0), 'joint speed of aquarobot is -1 rad/s'),
        (lambda: replace(AQUAROBOT, stance=((1.0, 0.0, -1.0),)), '1 neutral feet; give 6'),
        (lambda: replace(AQUAROBOT, stance=((1.0, 0.0, 0.0),) * 6), 'not below its body'),
    ],
)
def test_nonsense_is_refused_in_one_sentence(wrong, sentence):
    with pytest.raises(ValueError, match=sentence):
        wrong()
