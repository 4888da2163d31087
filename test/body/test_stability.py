"""Stability margin and recovery push: A4, A5 of asv.md §19.1."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from walking_robots.body.stability import (
    GRAVITY,
    StabilityMargin,
    energy_margin,
    recovery_push,
    stability_margin,
)
from walking_robots.robots.asv import ASV, ft
from walking_robots.trials.hexapod.invariants import brute_margin

LIMITS = ASV.stability
START = {leg.number: leg.start_foot for leg in ASV.legs}


def test_a4_margin_of_the_starting_posture():
    feet = [START[leg] for leg in (1, 4, 5)]
    margin = stability_margin(feet, (0.0, 0.0), LIMITS)
    assert margin.value / ft(1) == pytest.approx(15 / math.sqrt(61), abs=1e-9)
    assert margin.value / ft(1) == pytest.approx(1.9206, abs=1e-4)
    assert math.hypot(*margin.away) == pytest.approx(margin.value)


def test_a4_undefined_margins():
    feet = [START[leg] for leg in (1, 4, 5)]
    assert stability_margin(feet[:2], (0.0, 0.0), LIMITS).value == ft(-100)
    assert stability_margin(feet, (ft(20), 0.0), LIMITS).value == ft(-10)
    line = [(0.0, 0.0, 0.0), (1.0, 1.0, 0.0), (2.0, 2.0, 0.0)]
    assert stability_margin(line, (1.0, 1.0), LIMITS).value == ft(-10)
    on_the_edge = [(0.0, -1.0), (0.0, 1.0), (2.0, 0.0)]
    assert stability_margin(on_the_edge, (0.0, 0.0), LIMITS).value == ft(-10)


@pytest.mark.parametrize(
    ('margin', 'push'), [(0.05, 1.0), (0.1, 1.0), (0.2, 0.5), (0.3, 1 / 3), (0.39, 0.2564)]
)
def test_a5_push_speed_and_direction(margin, push):
    square = [(ft(x), ft(y)) for x, y in ((margin, 5), (margin, -5), (-9, -5), (-9, 5))]
    found = recovery_push(stability_margin(square, (0.0, 0.0), LIMITS), LIMITS)
    assert found is not None
    assert math.hypot(*found) / ft(1) == pytest.approx(push, abs=1e-4)
    assert found[0] < 0 and abs(found[1]) < 1e-12, 'away from the near edge at +x'


def test_a5_no_push_for_an_unstable_body():
    assert recovery_push(StabilityMargin(ft(-10)), LIMITS) is None


coordinate = st.floats(-3, 3).map(lambda value: round(value, 3))


@given(st.lists(st.tuples(coordinate, coordinate), min_size=3, max_size=6, unique=True))
def test_margin_equals_a_search_over_all_lines(feet):
    expected = brute_margin(feet, (0.1234, -0.0567))
    assume(abs(expected) > 1e-6)
    found = stability_margin(feet, (0.1234, -0.0567), LIMITS).value
    assert found == pytest.approx(expected) if expected > 0 else found < 0


def test_energy_to_tip_a_robot_over_its_nearest_edge():
    square = [(x, y, 0.0) for x in (-0.3, 0.3) for y in (-0.4, 0.4)]
    assert energy_margin(square, (0.0, 0.0, 0.4), 2.0) == pytest.approx(2 * GRAVITY * 0.1)
    # On a slope of 3 in 4 the plane in which the centre turns over a side leans by the slope.
    sloped = [(x, y, 0.75 * y) for x, y, _ in square]
    gain = 0.8 * (math.hypot(0.3, 0.32) - 0.32)
    assert energy_margin(sloped, (0.0, 0.0, 0.4), 1.0) == pytest.approx(GRAVITY * gain)
    assert energy_margin(square, (0.31, 0.0, 0.4), 2.0) == 0.0
    assert energy_margin(square[:2], (0.0, 0.0, 0.4), 2.0) == 0.0
