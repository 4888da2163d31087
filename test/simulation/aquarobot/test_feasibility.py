"""What feet may do on the ground, and why the reset pose cannot walk (aquarobot.md §12)."""

import math

import numpy as np
import pytest

from walking_robots.simulation.aquarobot.feasibility import legs_feasible, supports
from walking_robots.simulation.aquarobot.moves import move_of
from walking_robots.simulation.aquarobot.robot import moved, reset_state

A15 = [
    ((0, 0, 0), (3, 4, 0), 1.0, 5.0, True),
    ((0, 0, 0), (3, 4, 0), 1.0, 4.99, False),
    ((0, 0, 2), (0, 0, 2), 1.0, 1e9, False),
    ((0, 0, -9), (0, 0, 2), 1.0, 1e9, False),
    ((0, 0, -1), (50, 0, 0), 1.0, 1.0, True),
    ((0, 0, 0), (50, 0, -0.5), 1.0, 1.0, True),
]


@pytest.mark.parametrize(('previous', 'current', 'sinkage', 'slippage', 'may'), A15)
def test_a15_sinkage_and_slippage(previous, current, sinkage, slippage, may):
    found = legs_feasible(np.array(previous), np.array(current), sinkage, slippage)
    assert bool(found) is may


def test_a15_all_legs_at_once():
    cases = [case for case in A15 if case[2:4] == (1.0, 1.0)] + [((0, 0, 0), (9, 0, 0), 1, 1, 0)]
    previous, current = (np.array([case[n] for case in cases], dtype=float) for n in (0, 1))
    assert legs_feasible(previous, current, 1.0, 1.0).tolist() == [True, True, False]


@pytest.mark.parametrize('height', ['literal', 'printed', 'analytic'])
def test_the_feet_of_the_reset_pose_stand(height):
    feet = reset_state(height).feet
    assert supports(feet).all()
    assert legs_feasible(feet, feet, 0.0, 0.0).all() == (feet[:, 2] <= 0).all()
    assert not supports(feet - [0, 0, 0.001]).any()


def knee_up(feet):
    """Return joints, shape (n, 6, 3), for feet in the body frame of the thesis, cm."""
    phi = np.radians(60.0 * np.arange(6))
    x, y, z = np.moveaxis(feet, -1, 0)
    x, y = np.cos(phi) * x + np.sin(phi) * y - 37.5, np.cos(phi) * y - np.sin(phi) * x
    out, up = np.hypot(x, y) - 20.0, -z
    cosine = (out**2 + up**2 - 50**2 - 100**2) / (2 * 50 * 100)
    knee = -np.arccos(np.where(np.abs(cosine) <= 1, cosine, np.nan))
    lift = np.arctan2(up, out) - np.arctan2(100 * np.sin(knee), 50 + 100 * np.cos(knee))
    return np.stack([np.arctan2(y, x), (lift + math.pi) % math.tau - math.pi, knee], axis=-1)


def test_a18_from_reset_no_step_of_a_millimetre_keeps_all_feet():
    state = reset_state('analytic')
    for angle in np.radians(np.arange(0, 360, 10)):
        step = 0.1 * np.array([math.cos(angle), math.sin(angle), 0.0])
        joints = knee_up(state.feet - state.position - step)
        wanted = move_of((0, 0, 0, *step), joints - state.joints)
        after = moved(state, wanted)
        assert after.limit_flags.any()
        assert not legs_feasible(state.feet, after.feet, 1e-3, 1e-3).all()
        assert moved(state, wanted, limit_mode='reject').position.tolist() == [
            0, 0, state.position[2],
        ]  # fmt: skip


def stroke_is_free(height, radius, stroke):
    """Return whether every leg can move its foot so far, cm, in every direction."""
    phi = np.radians(60.0 * np.arange(6))
    ways = np.radians(np.arange(0, 360, 5))
    along = np.linspace(-0.5 * stroke, 0.5 * stroke, 41)[:, None, None]
    feet = np.empty((41, len(ways), 6, 3))
    feet[..., 0] = radius * np.cos(phi) + along * np.cos(ways)[:, None]
    feet[..., 1] = radius * np.sin(phi) + along * np.sin(ways)[:, None]
    feet[..., 2] = height
    joints = np.degrees(knee_up(feet))
    within = (joints >= (-60, -106.6, -156.4)) & (joints <= (60, 73.4, 23.6))
    return bool(within.all())


def test_a18_at_height_70_and_radius_120_feet_have_a_stroke_of_60_and_up_to_140():
    assert stroke_is_free(70.0, 120.0, 60.0)
    assert stroke_is_free(70.0, 120.0, 140.2) and not stroke_is_free(70.0, 120.0, 140.5)
    assert not stroke_is_free(54.181866, 77.517452, 0.2)
