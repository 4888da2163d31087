"""Strokes and speeds of bodies on articulated legs (aquarobot.md §5.6, A18)."""

import math
from dataclasses import replace

import numpy as np
import pytest

from walking_robots.legs.articulated import ArticulatedLegs
from walking_robots.legs.strokes import speed_limits, stroke_table, turning, walking
from walking_robots.robots.aquarobot import AQUAROBOT, BODY_RADIUS
from walking_robots.robots.articulated import Stance

# cm: rows are heights of the body, columns distances of the feet from its middle, 80 to 170.
TABLE = """
  30   -    -     -     -     -     -    11.1  31.1  51.1  68.9
  40   -    -     -     -    1.1   21.1  41.1  61.1  81.1  64.1
 54.18 5.0 25.0  45.0  65.0  85.0 105.0 114.7  94.7  74.7  54.7
  70 73.6  90.9 108.3 125.6 140.3 120.3 100.3  80.3  60.3  40.3
  80 73.6  90.9 108.3 125.6 128.8 108.8  88.8  68.8  48.8  28.8
  90 73.6  90.9 108.3 125.6 115.0  95.0  75.0  55.0  35.0  15.0
 100 73.6  90.9 108.3 118.6  98.6  78.6  58.6  38.6  18.6   -
 110 73.6  90.9 108.3  99.0  79.0  59.0  39.0  19.0   -     -
 120 73.6  90.9  95.0  75.0  55.0  35.0  15.0   -     -     -
"""


def table(text: str) -> np.ndarray:
    rows = [line.replace(' -', ' nan').split() for line in text.strip().splitlines()]
    return np.array(rows, dtype=float)


def test_strokes_are_those_of_the_specification():
    expected = table(TABLE)
    # 54.18 stands for the height after a reset.
    heights = np.where(expected[:, 0] == 54.18, 54.181866, expected[:, 0]) / 100
    reaches = (np.arange(80, 171, 10) - BODY_RADIUS) / 100
    strokes = stroke_table(AQUAROBOT, heights.tolist(), reaches.tolist()) * 100
    np.testing.assert_allclose(strokes, expected[:, 1:], atol=0.051)


def test_a18_from_reset_the_body_cannot_move_but_from_a_wide_stance_it_can():
    legs = ArticulatedLegs(AQUAROBOT)
    directions = np.radians(np.arange(0, 360, 10))
    reset = legs.forward(legs.home)
    wide = np.array([Stance(0.7, 1.2 - 0.375).foot(leg) for leg in AQUAROBOT.legs])
    for direction in directions.tolist():
        assert not legs.solve(walking(reset, direction)(np.array(0.001))).reached.all()
        path = walking(wide, direction)(np.linspace(-0.3, 0.3, 61))
        assert legs.solve(path).reached.all()


def test_a_turning_body_sees_its_feet_turn_the_other_way():
    feet = turning([(1.0, 0.0, -0.5)] * 6)(np.array(math.pi / 2))
    assert feet[0] == pytest.approx((0.0, -1.0, -0.5), abs=1e-12)


def test_slow_joints_bound_the_speed_and_short_strokes_do_otherwise():
    slow, half = (
        speed_limits(replace(AQUAROBOT, joint_speed=speed), 0.5, 10.0) for speed in (0.02, 0.01)
    )
    assert slow == pytest.approx([2.0 * speed for speed in half], rel=0.05)
    swift = replace(AQUAROBOT, joint_speed=1e4)
    stance = AQUAROBOT.stance
    stroke = stroke_table(AQUAROBOT, [stance.height], [stance.reach], [0.0])[0, 0]
    limit = speed_limits(swift, 0.75, 60.0)
    assert limit.forward == pytest.approx(stroke / 45.0, rel=2e-3)
    assert speed_limits(swift, 0.75, 120.0).forward == pytest.approx(limit.forward / 2)


def test_feet_that_come_back_in_a_third_of_the_time_want_joints_three_times_as_fast():
    slow = replace(AQUAROBOT, joint_speed=1e-3)
    even, short = speed_limits(slow, 0.5, 12.0), speed_limits(slow, 0.75, 8.0)
    assert [a / b for a, b in zip(even, short, strict=True)] == pytest.approx([3.0] * 3, rel=0.03)


def test_joints_keep_their_speed_at_the_limit():
    duty, period = 0.5, 4.0
    limit = speed_limits(AQUAROBOT, duty, period)
    legs = ArticulatedLegs(AQUAROBOT)
    half = limit.forward * duty * period / 2
    s = np.linspace(-half, half, 2001)
    joints = legs.inverse(walking(AQUAROBOT.neutral_feet, 0.0)(s))
    speeds = np.abs(np.diff(joints, axis=0)) / (s[1] - s[0]) * limit.forward
    assert 0.95 * AQUAROBOT.joint_speed < speeds.max() <= 1.001 * AQUAROBOT.joint_speed


def test_a_robot_that_cannot_stand_cannot_walk():
    assert speed_limits(replace(AQUAROBOT, stance=Stance(0.3, 0.4)), 0.5, 2.0) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(('duty', 'period'), [(0.0, 1.0), (1.0, 1.0), (0.5, 0.0), (0.5, math.inf)])
def test_no_gait_no_speed(duty, period):
    with pytest.raises(ValueError, match='; give'):
        speed_limits(AQUAROBOT, duty, period)
