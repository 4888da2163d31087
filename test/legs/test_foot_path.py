"""Test feet that slip, and feet that find no ground where it should be."""

import math

import pytest

from walking_robots.geometry.pose import Pose, Rates, Vector
from walking_robots.legs.foot_path import (
    ASIDE,
    DEEPEST,
    FOLLOWING,
    GIVE,
    LEARNING,
    PRESS,
    RIM,
    SAME,
    SLIPPED,
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


def test_a_foot_that_slips_or_sinks_is_followed_little_by_little() -> None:
    slip = 1.1 * GIVE * LIFT
    slipped = (STANCE[0] + slip, STANCE[1], STANCE[2] - 0.04)
    assert carried(Touch(contact=True, place=slipped)) == pytest.approx(
        (STANCE[0] + slip / FOLLOWING, STANCE[1], -0.04 / FOLLOWING)
    )


@pytest.mark.parametrize('stance', [STANCE, None])
def test_a_foot_that_has_slipped_far_stands_where_it_is(stance: Vector | None) -> None:
    """Its leg did not reach the place where it stood before, which ended walks among holes."""
    far = (STANCE[0] + 1.1 * SLIPPED * LIFT, STANCE[1], STANCE[2])
    state = STANDING._replace(stance=stance)
    touch = Touch(contact=True, place=far)
    found = move(state, ControlState.SUPPORT, 3, POSE, Rates(), TIMING, pinned=True, touch=touch)
    assert found.stance == far and found.foot == POSE.to_body(far)


def test_a_leg_that_gives_way_is_not_led_after_its_foot() -> None:
    """Its foot would creep: rectangular stood in a hole after three seconds on three legs."""
    astray = (STANCE[0] + 0.9 * GIVE * LIFT, STANCE[1], STANCE[2])
    assert carried(Touch(contact=True, place=astray)) == STANCE


def test_a_standing_foot_that_has_lost_the_ground_is_lowered_slowly() -> None:
    """Walks waited for such a foot for ever, on level ground and over a hole."""
    lost = Touch(contact=False, place=STANCE)
    assert carried(lost) == (*STANCE[:2], -PRESS * LIFT)
    low = STANDING._replace(stance=(*STANCE[:2], -DEEPEST * LIFT))
    for state in (low, low._replace(stance=(*STANCE[:2], -1.5 * DEEPEST * LIFT))):
        found = move(
            state, ControlState.SUPPORT, 3, POSE, Rates(), TIMING, pinned=True, touch=lost
        )
        assert found.stance == state.stance
    assert carried(Touch(contact=False, place=None)) == STANCE


def test_rounding_moves_nothing() -> None:
    near = (STANCE[0], STANCE[1], 0.9 * SAME * LIFT)
    assert carried(Touch(contact=True, place=near)) == STANCE
    assert carried(Touch(contact=True, place=None)) == STANCE


@pytest.mark.parametrize(('found', 'stands'), [(0.05, 0.05), (-0.05, -0.02), (None, -0.02)])
def test_a_foot_that_was_sent_below_the_ground_does_not_press_on(
    found: float | None, stands: float
) -> None:
    """Once the ASV tilted itself by a foot that pressed on after it had come down."""
    x, y, z = STANCE
    sent = POSE.to_body((x, y, z - 0.02 * LIFT))
    state = STANDING._replace(foot=sent, stance=None)
    place = None if found is None else (x, y, z + found * LIFT)
    touch = Touch(contact=True, place=place)
    landed = move(state, ControlState.CONTACT, 2, POSE, Rates(), TIMING, pinned=True, touch=touch)
    assert POSE.apply(landed.foot)[2] == pytest.approx(stands * LIFT)


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


def test_a_foot_is_lifted_where_it_is() -> None:
    """In a hole, insect18 pulled its body down by a foot that its leg pressed against the wall."""
    x, y, z = STANCE
    for beside, moved in ((0.9 * ASIDE, 0.0), (0.2, 0.2)):
        touch = Touch(contact=True, place=(x, y + beside * LIFT, z))
        lifted = move(
            STANDING, ControlState.LIFT, 0, POSE, Rates(), TIMING, pinned=True, touch=touch
        )
        assert POSE.apply(lifted.foot)[1] == pytest.approx(y + moved * LIFT)


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


def came_down(beside: Vector) -> FootState:
    """Return a foot of which it was measured that it has come down beside its foothold."""
    place = (STANCE[0] + beside[0], STANCE[1] + beside[1], STANCE[2] + beside[2])
    touch = Touch(contact=True, place=place)
    return move(STANDING, ControlState.CONTACT, 1, POSE, Rates(), TIMING, pinned=True, touch=touch)


def test_a_leg_aims_as_far_beside_the_next_foothold_as_it_came_down_beside_the_last() -> None:
    state = came_down((0.1 * LIFT, -0.2 * LIFT, 0.0))
    assert state.miss == pytest.approx((0.1 * LEARNING * LIFT, -0.2 * LEARNING * LIFT))
    last = TIMING.descent - 1
    aimed = move(state, ControlState.DESCENT, last, POSE, Rates(), TIMING, pinned=True)
    x, y, _ = POSE.apply(aimed.foot)
    assert (x - STANCE[0], y - STANCE[1]) == pytest.approx((-state.miss[0], -state.miss[1]))
    for beside in (0.9 * ASIDE * LIFT, 1.1 * SLIPPED * LIFT):
        assert came_down((beside, 0.0, 0.0)).miss == (0.0, 0.0)


@pytest.mark.parametrize(('beside', 'led_back'), [(0.1, 0.1), (1.1 * SLIPPED, 0.0)])
def test_a_foot_that_is_measured_beside_its_way_down_is_led_back(
    beside: float, led_back: float
) -> None:
    """One that is held by something is not sent farther and farther to the other side."""
    x, y, z = STANCE
    touch = Touch(contact=False, place=(x + beside * LIFT, y, z))
    last = TIMING.descent - 1
    led = move(
        STANDING, ControlState.DESCENT, last, POSE, Rates(), TIMING, pinned=True, touch=touch
    )
    assert POSE.apply(led.foot)[:2] == pytest.approx((x - led_back * LIFT, y))
