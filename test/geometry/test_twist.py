"""The velocity between two poses."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walking_robots.geometry.pose import Pose, Rates, advance
from walking_robots.geometry.twist import finite_difference

speeds = st.floats(-0.5, 0.5)


def test_rest_is_no_velocity() -> None:
    pose = Pose((1.0, 2.0, 3.0))
    assert finite_difference(pose, pose, 0.1) == Rates()


@given(speeds, speeds, speeds, speeds, speeds, speeds)
def test_a_step_of_the_body_gives_back_its_rates(
    vx: float, vy: float, vz: float, wx: float, wy: float, wz: float
) -> None:
    rates = Rates(vx, vy, vz, wx, wy, wz)
    start = advance(Pose((0.3, -0.2, 1.6)), Rates(0.0, 0.0, 0.0, 0.4, -0.3, 2.0), 0.1)
    found = finite_difference(start, advance(start, rates, 0.01), 0.01)
    # A step is of first order in the angle.
    assert found == pytest.approx(rates, abs=2e-2)


def test_a_quarter_turn() -> None:
    quarter = Pose((0.0, 0.0, 0.0), (0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0))
    found = finite_difference(Pose((0.0, 0.0, 0.0)), quarter, 1.0)
    assert found.wz == pytest.approx(math.pi / 2.0)
