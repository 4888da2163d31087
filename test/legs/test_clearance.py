"""Feet in the air keep clear of the ground on their way."""

import math

import numpy as np
import pytest

from walking_robots.geometry.pose import Pose, Rates
from walking_robots.legs.clearance import CLEARANCE, HIGHEST, clear_heights
from walking_robots.legs.servo import LegServo, initial_state
from walking_robots.legs.states import Decision, DecisionKind
from walking_robots.robots.asv import ASV, ft
from walking_robots.terrain.generator import build
from walking_robots.terrain.relief import Slope, Stairs

POSE = Pose(ASV.start_position)
ROOM = CLEARANCE * ASV.timing.lift_height
OPEN = (False,) * 6
BEARS = [leg.starts_supporting for leg in ASV.legs]


def reports():
    return initial_state(ASV, POSE, BEARS).reports(BEARS)


def wall_before_a_foothold(near):
    x, y, _ = POSE.apply(ASV.legs[1].ready_foot)
    wall = [Stairs(x + near, ft(0.9), ft(1.0), 1), Stairs(x + ft(4.5), -ft(0.9), ft(1.0), 1)]
    terrain = build(relief=wall)
    place = Decision(DecisionKind.PLACE, 2, 0, (x + ft(6.0), y, 0.0))
    return clear_heights(ASV, reports(), POSE, Rates(), [place], terrain)[1]


def test_a_wall_that_a_foot_reaches_in_its_next_step_counts():
    assert wall_before_a_foothold(ft(0.1)) == pytest.approx(ft(0.9) + ROOM)


def test_a_wall_that_it_reaches_later_counts_less_by_what_it_rises():
    rise = ASV.timing.lift_height / ASV.timing.lift
    found = ft(0.9) + ROOM - wall_before_a_foothold(ft(1.5))
    # One foot a step; the wall is as steep as a cell is wide.
    assert 0.5 * rise < found < 1.5 * rise


def test_a_wall_beyond_where_a_foot_waits_does_not_count():
    x, _, _ = POSE.apply(ASV.legs[1].ready_foot)
    terrain = build(relief=[Stairs(x + ft(1.5), ft(0.9), ft(1.0), 1)])
    assert clear_heights(ASV, reports(), POSE, Rates(), [], terrain)[1] == pytest.approx(ROOM)


def test_a_foot_that_waits_rises_before_the_body_carries_it_over_higher_ground():
    x, _, _ = POSE.apply(ASV.legs[1].ready_foot)
    terrain = build(relief=[Stairs(x + ft(0.7), ft(20.0), ft(1.0), 1)])
    assert clear_heights(ASV, reports(), POSE, Rates(), [], terrain)[1] == pytest.approx(ROOM)
    found = clear_heights(ASV, reports(), POSE, Rates(vx=ft(1.0)), [], terrain)
    assert found[1] > 2.0 * ROOM


def test_higher_ground_where_a_leg_waits_counts():
    terrain = build(relief=[Slope(math.radians(20.0))])
    found = clear_heights(ASV, reports(), POSE, Rates(), [], terrain)
    for leg, height in zip(ASV.legs, found, strict=True):
        foot = leg.start_foot if leg.starts_supporting else leg.ready_foot
        ways = [POSE.apply(foot)[:2], POSE.apply(leg.ready_foot)[:2]]
        highest = max(terrain.height(*end) for end in ways) + ROOM
        assert height == pytest.approx(min(highest, HIGHEST * ASV.timing.lift_height))


def test_a_waiting_foot_is_raised_as_fast_as_it_is_lifted():
    servo = LegServo(ASV, initial_state(ASV, POSE, BEARS))
    start = POSE.apply(servo.state.feet()[1])[2]
    high = start + ft(1.0)
    heights = []
    for _ in range(5):
        state = servo.step([], POSE, Rates(), OPEN, (high,) * 6)
        heights.append(POSE.apply(state.feet()[1])[2])
    steps = np.diff([start, *heights])
    assert steps.max() <= ASV.timing.lift_height / ASV.timing.lift + 1e-12
    assert heights[-1] == pytest.approx(high)
