"""Working volumes and kinematic margins: A1, A2, A3 of asv.md §19.1."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from walking_robots.geometry.pose import Rates
from walking_robots.legs.working_volume import WorkingVolume, kinematic_margins
from walking_robots.robots.asv import ASV, ft

VOLUMES = {leg.number: WorkingVolume(leg) for leg in ASV.legs}
LIMITS = ASV.kinematic_margin


def point(x: float, y: float, z: float) -> tuple[float, float, float]:
    return (ft(x), ft(y), ft(z))


@pytest.mark.parametrize(
    ('leg', 'foot', 'inside'),
    [
        (1, (5, 3, -5.4), True),
        (2, (5, -3, -5.4), True),
        (1, (9.5, 3, -5.4), False),
        (1, (3.0, 3, -5), True),
        (3, (3.0, 3, -5), True),
        (1, (5, -3, -5.4), False),
        (1, (5, 3, -3.316), False),
        (1, (5, 3, -5.7313), False),
    ],
)
def test_a1_membership(leg, foot, inside):
    assert VOLUMES[leg].contains(point(*foot)) is inside


def test_a1_right_volumes_mirror_left_ones():
    rng = np.random.default_rng(1)
    points = rng.uniform((-10, -6, -6.5), (10, 6, -3), (10_000, 3))
    for left, right in ((1, 2), (3, 4), (5, 6)):
        for x, y, z in points.tolist():
            assert VOLUMES[left].contains(point(x, y, z)) == VOLUMES[right].contains(
                point(x, -y, z)
            )


@pytest.mark.parametrize(
    ('z', 'inner', 'outer'),
    [
        (-3.316, 1.5270, 3.9407),
        (-4.4, 1.1325, 4.3352),
        (-5.0, 0.9141, 4.5536),
        (-5.4, 0.7685, 4.6992),
        (-5.7313, 0.6480, 4.8197),
    ],
)
def test_a2_lateral_range(z, inner, outer):
    inside = [
        y for y in np.arange(0.5, 5.0, 2e-4) if VOLUMES[3].contains(point(0, y, z * 0.99999))
    ]
    if z in (-3.316, -5.7313):
        # The row lies on the border; measure just inside the volume.
        level = z - 1e-4 if z > -4 else z + 1e-4
        inside = [y for y in np.arange(0.5, 5.0, 2e-4) if VOLUMES[3].contains(point(0, y, level))]
    assert inside[0] == pytest.approx(inner, abs=1e-3)
    assert inside[-1] == pytest.approx(outer, abs=1e-3)


@pytest.mark.parametrize(
    ('leg', 'foot', 'velocity', 'seconds'),
    [
        (1, (5, 3, -5.4), (1, 0), 2.5),
        (1, (5, 3, -5.4), (2, 0), 1.25),
        (3, (0, 3, -5.4), (0, 1), 2.2315),
        (1, (5, 3, -5.4), (0, 0), 1000.0),
        (1, (9.6, 3, -5.4), (1, 0), None),
    ],
)
def test_a3_kinematic_margin(leg, foot, velocity, seconds):
    rates = Rates(ft(velocity[0]), ft(velocity[1]))
    margin = VOLUMES[leg].kinematic_margin(point(*foot), rates, LIMITS)
    assert margin == (None if seconds is None else pytest.approx(seconds, abs=1e-3))


def test_a_foothold_carried_out_by_a_turn_has_the_margin_of_its_tangent():
    # At (5, 3) a turn of 0.1 rad/s carries the foothold along (0.3, -0.5) ft/s.
    margin = VOLUMES[1].kinematic_margin(point(5, 3, -5.4), Rates(wz=0.1), LIMITS)
    to_inner_border = 3 - 0.7685
    assert margin == pytest.approx(to_inner_border / 0.5, abs=1e-3)


rate = st.floats(-0.6, 0.6)


@given(
    st.lists(
        st.tuples(st.floats(-3.2, 3.2), st.floats(-1.6, 1.6), st.floats(-1.9, -0.9)),
        min_size=1,
        max_size=12,
    ),
    st.tuples(rate, rate, rate, rate, rate, rate),
)
def test_many_margins_at_once_equal_one_by_one(points, rates):
    motion = Rates(*rates)
    volumes = [VOLUMES[index % 6 + 1] for index in range(len(points))]
    found = kinematic_margins(
        np.array([volume.normals for volume in volumes]).transpose(2, 1, 0),
        np.array([volume.offsets for volume in volumes]).T,
        np.array(points).T,
        motion,
        LIMITS,
    )
    for volume, foot, margin in zip(volumes, points, found, strict=True):
        expected = volume.kinematic_margin(foot, motion, LIMITS)
        if expected is None:
            assert math.isnan(margin)
        else:
            assert margin == pytest.approx(expected, rel=1e-9)
