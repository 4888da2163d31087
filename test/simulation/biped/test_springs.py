"""The springs of the thesis under a foot, and the friction that a foot needs."""

from math import atan, radians, tan

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walking_robots.simulation.biped.friction import needed_friction
from walking_robots.simulation.biped.springs import SpringGround
from walking_robots.simulation.biped.state import BipedFootState

GROUND = SpringGround(lambda x: 0.0, 0.008)
RATES = st.floats(-5.0, 5.0)


def test_check_8_penetration_under_the_weight():
    foot = GROUND.touch(BipedFootState(), 0.0, -0.000694, 0.0, 0.0)
    assert foot.force_z == pytest.approx(95.0, rel=0.001)


@given(st.floats(-0.02, 0.02), RATES, RATES)
def test_check_8_the_ground_never_pulls(z, x_rate, z_rate):
    foot = GROUND.touch(BipedFootState(), 0.0, z, x_rate, z_rate)
    assert foot.force_z >= 0.0
    assert foot.contact == (z < 0.0)


def test_check_8_the_touchdown_point_is_stored_once_a_contact():
    foot, anchors = BipedFootState(), []
    for x, z in ((0.1, 0.01), (0.2, -0.001), (0.3, -0.001), (0.4, 0.0), (0.5, -0.001)):
        foot = GROUND.touch(foot, x, z, 0.0, 0.0)
        anchors.append(foot.anchor)
    assert anchors == [None, 0.2, 0.2, None, 0.5]


def test_the_spring_hardens_and_holds_the_foot_back():
    foot = GROUND.touch(BipedFootState(anchor=0.0), 0.01, -0.007, 0.1, 0.0)
    assert foot.force_z == pytest.approx(1000.0 * 0.007 / 0.002)
    assert foot.force_x == pytest.approx(-10.0 - 50.0)


def test_the_horizontal_force_stays_where_the_vertical_one_is_cut():
    foot = GROUND.touch(BipedFootState(), 0.0, -1e-4, 0.2, 1.0)
    assert (foot.force_x, foot.force_z) == (-100.0, 0.0)


def test_a_weight_on_a_slope_needs_its_tangent():
    standing = BipedFootState(True, 0.0, 90.0)
    assert needed_friction(standing, radians(35.0)) == pytest.approx(tan(radians(35.0)))
    assert needed_friction(BipedFootState(True, 30.0, 90.0), 0.0) == pytest.approx(1.0 / 3.0)
    pushed = BipedFootState(True, 30.0, 90.0)
    assert needed_friction(pushed, 0.4) == pytest.approx(tan(0.4 + atan(1.0 / 3.0)))
    assert needed_friction(BipedFootState(True, 30.0, 9.0), 0.0) is None
    assert needed_friction(BipedFootState(False, 30.0, 90.0), 0.0) is None
