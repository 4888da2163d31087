"""The bipeds KWALKA and KWALKB weigh and bend as their thesis says."""

from dataclasses import replace
from math import pi

import pytest

from walking_robots.robots.impedance import LIMP, JointOrder, effort
from walking_robots.robots.kwalk import GRAVITY, KWALKA, KWALKB


@pytest.mark.parametrize('robot', [KWALKA, KWALKB])
def test_check_1_masses_and_inertias(robot):
    assert robot.body.mass == pytest.approx(6.49733, abs=1e-5)
    assert robot.thigh.mass == pytest.approx(1.163077, abs=1e-5)
    assert robot.shank.mass == pytest.approx(0.444706, abs=1e-5)
    assert robot.mass == pytest.approx(9.71289, abs=1e-5)
    assert robot.mass * GRAVITY == pytest.approx(95.283, abs=1e-3)
    assert robot.body.inertia == pytest.approx((0.0703877, 0.0703877, 0.0974599), abs=1e-5)
    assert robot.thigh.inertia == pytest.approx((0.0100437, 0.0099855, 0.000179), abs=1e-5)
    assert robot.shank.inertia == pytest.approx((0.0038402, 0.0038180, 0.0000686), abs=1e-5)


def test_knees_bend_within_their_limits():
    assert KWALKA.knee_range == (0.0, 0.32)
    assert KWALKB.knee_range == pytest.approx((0.0, pi))
    assert replace(KWALKB, knee_direction=1).knee_range == pytest.approx((-pi, 0.0))


def test_a_knee_of_another_kind_is_refused():
    with pytest.raises(ValueError, match='prismatic or revolute and bends to -1 or 1'):
        replace(KWALKB, knee_direction=0)


def test_an_order_is_every_servo():
    assert effort(LIMP, 0.3, -2.0) == 0.0
    assert effort(JointOrder(0.5, 0.0, 150.0, 3.0), 0.3, -2.0) == pytest.approx(36.0)
    assert effort(JointOrder(damping=20.0, effort=-40.0), 0.1, -1.5) == pytest.approx(-10.0)
    assert effort(JointOrder(0.5, 1.0, 10.0, 3.0, 2.0), 0.5, 0.0) == pytest.approx(5.0)
