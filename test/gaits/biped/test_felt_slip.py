"""Slip that a biped feels: the distance between its feet while both stand."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walking_robots.gaits.biped.felt_slip import (
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


def test_slip_is_how_far_the_feet_have_moved_since_both_stood():
    slip = feel_slip(FeltSlip(), FeetApart(0.3, 0.0))
    assert slip == (0.3, 0.0, 0.0)
    slip = feel_slip(slip, FeetApart(0.3 + 0.9 * LEAST_SLIP, 0.4))
    assert slip == (0.3, 0.0, 0.0), 'too little to be felt'
    slip = feel_slip(slip, FeetApart(0.312, 0.5))
    assert slip == pytest.approx((0.3, 0.012, 0.5))
    assert str(slip) == 'feet slipped 12 mm apart'
    assert str(feel_slip(slip, FeetApart(0.29, -0.5))) == 'feet slipped 10 mm together'


def test_with_a_foot_in_the_air_no_slip_is_felt():
    slip = feel_slip(FeltSlip(0.3, 0.012, 0.5), None)
    assert slip.slip == 0.012 and math.isnan(slip.stood) and math.isnan(slip.speed)
    slip = feel_slip(slip, FeetApart(0.4, 0.5))
    assert slip == (0.4, 0.0, 0.0), 'it stands elsewhere now'
    assert str(slip) == 'no slip felt'
