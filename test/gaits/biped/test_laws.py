"""The control laws against the numbers of the specification."""

from math import cos, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walking_robots.gaits.biped.laws import (
    distribute,
    enough_energy,
    single_support,
    vertical_force,
)

LEAST = 0.2
AHEAD, BEHIND = st.floats(-0.5, 0.2), st.floats(0.01, 0.6)


@given(st.floats(-150.0, 150.0), st.floats(30.0, 200.0), AHEAD, BEHIND, st.booleans())
def test_check_4_two_legs_make_the_force_or_guard_against_pulling(
    forward, upward, ahead, behind, left_ahead
):
    pair = (ahead, ahead + behind)
    right, left = pair[::-1] if left_ahead else pair
    forces = distribute(forward, upward, right, left, LEAST)
    assert forces[0] * cos(right) + forces[1] * cos(left) == pytest.approx(upward)
    assert min(forces) >= LEAST
    if min(forces) > LEAST:
        made = forces[0] * sin(right) + forces[1] * sin(left)
        assert made == pytest.approx(forward, abs=1e-8)


def test_parallel_legs_share_without_dividing_by_zero():
    assert min(distribute(20.0, 90.0, 0.1, 0.1, LEAST)) >= LEAST


def test_check_5_the_boundary_of_the_energy_test():
    assert enough_energy(0.4, 0.55, -0.113, 0.3)
    assert not enough_energy(0.4, 0.55, -0.1145, 0.3)
    assert enough_energy(0.463, 0.55, -0.15, 0.3)
    assert not enough_energy(0.461, 0.55, -0.15, 0.3)


def test_a_leg_past_the_vertical_is_left_at_once():
    assert enough_energy(-0.5, 0.55, 0.01, 0.3)


def test_a_single_leg_carries_the_weight_and_never_pulls():
    assert single_support(90.0, 0.3, LEAST) == pytest.approx(90.0 / cos(0.3))
    assert single_support(-40.0, 0.3, LEAST) == LEAST


def test_the_body_hangs_on_a_soft_spring():
    assert vertical_force(8.0, 600.0, 120.0, 0.01, -0.1) == pytest.approx(78.48 + 6.0 + 12.0)
