"""Test feet that slip, and feet that find no ground where it should be."""

import math

import pytest

from walking_robots.geometry.pose import Pose, Rates, Vector
from walking_robots.legs.foot_path import (
    DEEPEST,
    FOLLOWING,
    RIM,
    SAME,
    SLOW,
    FootState,
    Touch,
    move,
)
from walking_robots.legs.states import ControlState
from walking_robots.robots.asv import ASV

TIMING = ASV.timing
LIFT = TIMING.lift_height
POSE = Pose((10.0, 5.0, 1.6))
STANCE: Vector = (11.0, 6.0, 0.0)
STANDING = FootState(POSE.to_body(STANCE), POSE.to_body(STANCE), STANCE, STANCE)


def carried(touch: Touch) -> Vector:
    """Return where a foot stands, m, odometry frame, after a step on the ground."""
    found = move(
        STANDING, ControlState.SUPPORT, 3, POSE, Rates(), TIMING, pinned=True, touch=touch
    )
    assert found.stance is not None and found.foot == POSE.to_body(found.stance)
    return found.stance


def test_a_foot_that_slips_is_followed_little_by_little() -> None:
    slipped = (STANCE[0] + 0.08, STANCE[1], STANCE[2] - 0.04)
    assert carried(Touch(contact=True, place=slipped)) == pytest.approx(
        (STANCE[0] + 0.08 / FOLLOWING, STANCE[1], -0.04 / FOLLOWING)
    )


def test_rounding_moves_nothing() -> None:
    near = (STANCE[0], STANCE[1], 0.9 * SAME * LIFT)
    assert carried(Touch(contact=True, place=near)) == STANCE
    assert carried(Touch(contact=True, place=None)) == STANCE


@pytest.mark.parametrize('depth', [0.0, 0.4, 1.0, 1.5])
def test_a_foot_is_lifted_out_of_a_hole(depth: float) -> None:
    x, y, z = STANCE
    deep = (x, y, z - depth * LIFT)
    state = STANDING._replace(foot=POSE.to_body(deep), stance=deep)
    for steps in range(TIMING.lift):
        state = move(state, ControlState.LIFT, steps, POSE, Rates(), TIMING, pinned=True)
    height = POSE.apply(state.foot)[2]
    assert height == pytest.approx(max(1.0 - depth, RIM) * LIFT)
    assert POSE.apply(state.ready)[2] == pytest.approx(height)


def test_a_late_foot_looks_for_ground_below_its_foothold() -> None:
    state = STANDING._replace(stance=None)
    heights = []
    for steps in range(TIMING.descent + 40):
        state = move(state, ControlState.DESCENT, steps, POSE, Rates(), TIMING, pinned=True)
        heights.append(POSE.apply(state.foot)[2])
    assert heights[TIMING.descent - 1] == pytest.approx(0.0)
    assert heights[TIMING.descent] == pytest.approx(-SLOW * LIFT)
    assert min(heights) == heights[-1] == pytest.approx(-DEEPEST * LIFT)
    assert math.dist(POSE.apply(state.foot)[:2], STANCE[:2]) < 1e-9
