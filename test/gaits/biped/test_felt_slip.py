"""Slip that a biped feels: by the distance of its feet, and by the speed over one foot."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walking_robots.gaits.biped.felt_slip import (
    FASTEST_CHANGE,
    LEAST_SLIP,
    FeetApart,
    FeltSlip,
    feel_slip,
    feet_apart,
)
from walking_robots.gaits.biped.virtual_legs import LegRates

LENGTHS, ANGLES = st.floats(0.35, 0.64), st.floats(-0.6, 0.6)
RATES = st.floats(-2.0, 2.0)
LEGS = st.builds(LegRates, LENGTHS, ANGLES, RATES, RATES)
DT = 0.004


def between(right: LegRates, left: LegRates, later: float = 0.0) -> float:
    """Return the distance of the feet by their places, m, some seconds later."""
    places = []
    for length, angle, length_rate, angle_rate in (right, left):
        length, angle = length + later * length_rate, angle + later * angle_rate
        places.append((-length * math.sin(angle), -length * math.cos(angle)))
    return math.dist(*places)


@given(LEGS, LEGS, st.floats(-0.5, 0.5))
def test_the_distance_is_that_of_the_feet_whatever_the_pitch(right, left, pitch):
    found = feet_apart(right, left)
    assert found.distance == pytest.approx(between(right, left), abs=1e-7)
    turned = (leg._replace(angle=leg.angle + pitch) for leg in (right, left))
    assert feet_apart(*turned).distance == pytest.approx(found.distance, abs=1e-7)
    if found.distance > 0.05:
        growth = (between(right, left, 1e-6) - between(right, left, -1e-6)) / 2e-6
        assert found.rate == pytest.approx(growth, abs=1e-4)


def test_with_both_feet_slip_is_how_far_they_have_moved_since_both_stood():
    slip = feel_slip(FeltSlip(body=0.4), 0.4, FeetApart(0.3, 0.0), DT)
    assert (slip.stood, slip.slip, slip.speed) == (0.3, 0.0, 0.0)
    slip = feel_slip(slip, 0.4, FeetApart(0.3 + 0.9 * LEAST_SLIP, 0.4), DT)
    assert (slip.stood, slip.slip, slip.speed) == (0.3, 0.0, 0.0), 'too little to be felt'
    assert str(slip) == 'no slip felt'
    slip = feel_slip(slip, 0.4, FeetApart(0.312, 0.5), DT)
    assert (slip.slip, slip.speed) == pytest.approx((0.012, 0.5))
    assert str(slip) == 'a foot slipped 12 mm'
    slip = feel_slip(slip, 0.4, FeetApart(0.29, -0.5), DT)
    assert (slip.slip, slip.speed) == pytest.approx((0.01, 0.5)), 'together'


def test_a_foot_that_stands_alone_slides_if_the_speed_changes_faster_than_a_leg_can_push():
    slip = FeltSlip(body=0.4)
    for tick in range(50):
        slip = feel_slip(slip, 0.4 - 0.9 * FASTEST_CHANGE * DT * tick, None, DT)
    assert slip.slip == 0.0, 'the body brakes'
    slip = FeltSlip(body=0.4)
    for _ in range(10):
        slip = feel_slip(slip, 1.4, None, DT)
    followed = sum(FASTEST_CHANGE * DT * tick for tick in range(1, 11))
    assert slip.slip == pytest.approx(DT * (10 * 1.0 - followed))
    assert slip.speed == pytest.approx(1.0 - 10 * FASTEST_CHANGE * DT)


def test_in_the_air_nothing_slides_and_the_next_stand_begins_anew():
    slip = feel_slip(FeltSlip(0.3, 0.4, 0.02, 0.02, 0.5), math.nan, None, DT)
    assert (slip.body, slip.slid, slip.slip, slip.speed) == (0.4, 0.0, 0.02, 0.0)
    slip = feel_slip(slip, 0.4, FeetApart(0.4, 0.5), DT)
    assert (slip.stood, slip.slip) == (0.4, 0.0), 'they stand elsewhere now'
