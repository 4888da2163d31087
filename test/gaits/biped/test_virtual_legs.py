"""Virtual legs: from joints to length and angle and back, and the forces along them."""

from dataclasses import replace
from math import acos, asin, cos, sin, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from walking_robots.gaits.biped.virtual_legs import RevoluteLeg, virtual_leg
from walking_robots.robots.kwalk import KWALKA, KWALKB
from walking_robots.simulation.biped.feet import foot_kinematics

LINK = 0.32
BENDS = st.tuples(st.sampled_from([-1, 1]), st.floats(0.05, 2.5))


@given(st.floats(-1.5, 1.5), BENDS)
def test_check_2_joints_come_back_from_the_virtual_leg(thigh, bend):
    direction, size = bend
    leg, knee = RevoluteLeg(LINK, direction), -direction * size
    length, angle, _, _ = leg.forward(thigh, knee, 0.0, 0.0)
    general = min(2 * LINK, sqrt(2 * LINK**2 + 2 * LINK**2 * cos(knee)))
    assert length == pytest.approx(general, abs=1e-12)
    assert angle == pytest.approx(thigh - direction * acos(general / (2 * LINK)), abs=1e-10)
    assert angle == pytest.approx(thigh + knee / 2, abs=1e-12)
    assert leg.inverse(length, angle) == pytest.approx((thigh, knee), abs=1e-10)


@given(st.floats(-1.5, 1.5), st.floats(0.0, 0.32))
def test_a_prismatic_leg_comes_back_too(thigh, knee):
    leg = virtual_leg(KWALKA)
    length, angle, _, _ = leg.forward(thigh, knee, 0.0, 0.0)
    assert (length, angle) == (0.64 - knee, thigh)
    assert leg.inverse(length, angle) == pytest.approx((thigh, knee), abs=1e-12)


@given(st.floats(-1.0, 1.0), BENDS, st.floats(-200.0, 200.0))
def test_check_3_a_knee_with_a_limp_hip_pushes_along_the_leg(thigh, bend, force):
    direction, size = bend
    leg, knee = RevoluteLeg(LINK, direction), -direction * size
    length, angle, _, _ = leg.forward(thigh, knee, 0.0, 0.0)
    torque = leg.knee_effort(force, length)
    # The foot forces that balance both joints of a leg without mass: J^T f + tau = 0.
    robot = replace(KWALKB, knee_direction=direction)
    foot = foot_kinematics(robot)(thigh, knee)
    jacobian = np.array([[foot.x_hip, foot.z_hip], [foot.x_knee, foot.z_knee]])
    ground = np.linalg.solve(jacobian, [0.0, -torque])
    assert ground == pytest.approx((force * sin(angle), force * cos(angle)), abs=1e-9, rel=1e-9)


def test_the_knee_torque_is_that_of_the_listing():
    length = 0.5
    alpha = 2.0 * asin(length / 0.64)
    assert RevoluteLeg(LINK, -1).knee_effort(90.0, length) == pytest.approx(
        -90.0 * 0.64 / 2.0 * cos(alpha / 2.0)
    )


@pytest.mark.parametrize('robot', [KWALKA, KWALKB])
@given(thigh=st.floats(-1.0, 1.0), knee=st.floats(0.02, 0.3))
def test_rates_are_the_derivatives(robot, thigh, knee):
    leg, rates, dt = virtual_leg(robot), (0.7, -0.4), 1e-6
    before = leg.forward(thigh, knee, *rates)
    after = leg.forward(thigh + rates[0] * dt, knee + rates[1] * dt, *rates)
    assert before.length_rate == pytest.approx((after.length - before.length) / dt, abs=1e-5)
    assert before.angle_rate == pytest.approx((after.angle - before.angle) / dt, abs=1e-5)


def test_a_leg_out_of_reach_is_straight():
    assert RevoluteLeg(LINK, -1).inverse(0.7, 0.1) == (0.1, 0.0)


def test_unequal_links_are_refused():
    unequal = replace(KWALKB, shank=KWALKB.shank._replace(z=0.3))
    with pytest.raises(ValueError, match='must have one length'):
        virtual_leg(unequal)
