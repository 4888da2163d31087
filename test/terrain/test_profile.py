"""Heights along x: the ground of the thesis, and what can be put in its place."""

from math import atan, radians

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from walking_robots.terrain.profile import (
    LEVEL,
    ROUGH_UNITS,
    HeightProfile,
    bump,
    mound,
    random_rough,
    rough,
    slope,
    step,
)


@pytest.mark.parametrize('unit', [0.01, 0.02])
def test_check_7_the_rough_ground_of_the_thesis(unit):
    ground = rough(unit)
    assert ground.height(1.4) == pytest.approx(4.0 * unit)
    assert ground.height(0.25) == pytest.approx(1.5 * unit)
    assert [ground.height(x) for x in (-0.3, 5.2, -5.0, 5.25, 80.0)] == [0.0] * 5


def test_the_table_of_heights_has_its_counts():
    assert [ROUGH_UNITS.count(units) for units in range(5)] == [15, 10, 10, 17, 4]
    assert np.mean(ROUGH_UNITS) == pytest.approx(1.732, abs=1e-3)
    for unit, steepest in ((0.01, 21.8), (0.02, 38.7)):
        rises = np.diff(rough(unit).z) / np.diff(rough(unit).x)
        assert np.degrees(np.arctan(rises)).max() == pytest.approx(steepest, abs=0.05)


@given(st.floats(-1.0, 7.0))
def test_between_its_points_ground_is_straight(x):
    ground = rough(0.02)
    assert ground.height(x) == pytest.approx(np.interp(x, ground.x, ground.z, 0.0, 0.0), abs=1e-12)


def test_random_ground_comes_from_its_generator_and_begins_level():
    first, again, other = (random_rough(np.random.default_rng(seed)) for seed in (3, 3, 4))
    assert first == again != other
    assert first.z[:6] == (0.0,) * 6
    assert set(first.z) == {0.0, 0.01, 0.02, 0.03, 0.04}


def test_slopes_bumps_and_steps():
    assert slope(radians(-35.0)).height(1.8) == pytest.approx(-0.7002, abs=1e-4)
    assert bump(0.08, apex=1.0).height(0.95) == pytest.approx(0.04)
    assert bump(0.08).height(3.0) == 0.0
    assert (step(0.03).height(0.9), step(0.03).height(9.0)) == (0.0, 0.03)
    hill = mound(atan(0.2), atan(0.5))
    assert hill.height(2.0) == pytest.approx(0.2)
    assert hill.height(3.8) == pytest.approx(-0.3)


def test_ground_that_repeats_goes_on_for_ever():
    ground = HeightProfile((0.0, 1.0, 2.0), (0.0, 0.2, 0.0), 'wrap')
    assert [ground.height(x) for x in (-1.5, 0.5, 8.5)] == pytest.approx([0.1] * 3)
    assert [x for x, _ in ground.between(-1.5, 3.2)] == [-1.5, -1.0, 0.0, 1.0, 2.0, 3.0, 3.2]


@given(st.sampled_from([rough(), slope(0.3), mound(0.3, 0.4), LEVEL]), st.floats(-2.0, 8.0))
def test_the_points_between_two_ends_are_the_ground(ground, x):
    across, up = zip(*ground.between(-3.0, 9.0), strict=True)
    assert np.interp(x, across, up) == pytest.approx(ground.height(x), abs=1e-9)


@pytest.mark.parametrize(
    ('x', 'z', 'outside', 'reason'),
    [
        ((0.0,), (0.0,), 'level', 'at least two points'),
        ((0.0, 0.0), (0.0, 1.0), 'level', 'must grow'),
        ((0.0, 1e-8), (0.0, 1.0), 'level', 'must grow by 0.1 mm'),
        ((0.0, 1.0), (0.0, float('nan')), 'level', 'finite'),
        ((0.0, 1.0), (0.0, 1.0), 'wrap', 'end at the height'),
        ((0.0, 0.005), (0.0, 0.0), 'wrap', 'at least 0.1 m long'),
        (tuple(n * 0.009 for n in range(51)), (0.0,) * 51, 'wrap', 'at most 100 points a metre'),
    ],
)
def test_what_is_no_ground_is_refused(x, z, outside, reason):
    with pytest.raises(ValueError, match=reason):
        HeightProfile(x, z, outside)
