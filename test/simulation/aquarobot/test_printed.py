"""The C++ listing moves other joints than it is reported, and its body leaves its legs (A22)."""

import numpy as np
import pytest

from walking_robots.simulation.aquarobot.frames import attitude_of
from walking_robots.simulation.aquarobot.moves import move_of
from walking_robots.simulation.aquarobot.printed import moved_as_printed, reset_as_printed
from walking_robots.simulation.aquarobot.robot import moved, reset_state


def leg_1(*increments):
    joints = np.zeros((6, 3))
    joints[0] = np.radians(increments)
    return move_of(joints=joints)


def test_a22_p1_increments_reach_the_joints_after_those_they_are_meant_for():
    state = moved_as_printed(reset_as_printed(), leg_1(10, 5, 3)).robot
    assert state.feet[0] == pytest.approx([92.575587, 0, -4.283269], abs=1e-6)
    assert state.limit_flags.nonzero() == (0, 0)
    meant = moved(reset_state('printed'), leg_1(10, 5, 3))
    assert meant.feet[0] == pytest.approx([86.607710, 8.659014, -2.543514], abs=1e-6)
    assert not meant.limit_flags.any()


def test_a22_p2_the_knee_has_no_limits_and_p3_the_foot_wide_ones():
    state = moved_as_printed(reset_as_printed(), leg_1(0, -100, 359)).robot
    assert np.degrees(state.joints[0, 2]) == pytest.approx(-256.4)
    assert state.motion_complete.all()
    state = moved_as_printed(reset_as_printed(), leg_1(0, 0, 361)).robot
    assert state.limit_flags.nonzero() == (0, 2)


def test_a22_p4_outline_and_legs_part():
    state = reset_as_printed()
    for _ in range(2):
        state = moved_as_printed(state, move_of((0.1, 0, 0, 10, 0, 0)))
    assert state.outline[0, :2] == pytest.approx([19.9500, 0.9983], abs=1e-4)
    front = state.outline[1] - state.outline[0]
    assert np.arctan2(front[1], front[0]) == pytest.approx(0.2)
    assert state.robot.position[:2] == pytest.approx([20, 0])
    assert attitude_of(state.robot.pose)[0] == pytest.approx(0.1)
    state = moved_as_printed(reset_as_printed(), move_of((0, 0.1, 0, 0, 0, 0)))
    assert state.outline[0] == pytest.approx([-5.4092, 0, -53.9112], abs=1e-4)
    assert state.robot.position == pytest.approx([0, 0, -54.1819])


def test_without_a_turn_outline_and_legs_stay_together():
    state = moved_as_printed(reset_as_printed(), move_of((0, 0, 0, 3, -4, 5)))
    ours = moved(reset_state('printed'), move_of((0, 0, 0, 3, -4, 5)))
    assert state.outline[0] == pytest.approx(ours.position)
    assert state.vertices[8:].reshape(6, 4, 3) == pytest.approx(ours.points)
