"""Commands that lead to a pose."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walking_robots.body.regulators import follow_command
from walking_robots.gaits.commands.steering import Mobility, heading_error, limit, steer
from walking_robots.geometry.pose import Pose, Rates, advance
from walking_robots.robots.asv import ASV

MOBILITY = Mobility.of(ASV)
STILL = Pose((0.0, 0.0, 1.6))


def test_limits_hold_both_ways() -> None:
    forward, lateral, turn = ASV.command.forward, ASV.command.lateral, ASV.command.turn
    assert limit((9.0, -9.0, 9.0), ASV.command) == (forward, -lateral, turn)
    assert limit((0.1, 0.05, -0.02), ASV.command) == (0.1, 0.05, -0.02)


def test_a_target_ahead_is_walked_to_at_full_speed() -> None:
    assert steer(STILL, (5.0, 0.0, 0.0), 0.12, 0.05, MOBILITY.lowest) == pytest.approx(
        (0.12, 0, 0)
    )


def test_a_target_behind_and_left_of_a_turned_body() -> None:
    turned = advance(STILL, Rates(wz=math.tan(math.radians(20.0))), 1.0)
    vx, vy, _ = steer(turned, (-3.0, 2.0, 0.0), 0.1, 0.05, MOBILITY.lowest)
    heading = turned.yaw()
    world = (
        math.cos(heading) * vx - math.sin(heading) * vy,
        math.sin(heading) * vx + math.cos(heading) * vy,
    )
    assert math.atan2(world[1], world[0]) == pytest.approx(math.atan2(2.0, -3.0))
    assert math.hypot(vx, vy) == pytest.approx(0.1)


def test_at_the_target_nothing_is_requested() -> None:
    assert steer(STILL, (0.0, 0.0, 0.0), 0.12, 0.05, MOBILITY.lowest) == (0.0, 0.0, 0.0)


@given(st.floats(0.0, 0.6), st.floats(0.01, 0.5))
def test_coasting_is_what_the_filter_leaves(speed: float, step: float) -> None:
    way, rates = 0.0, (speed, 0.0, 0.0)
    for _ in range(200):
        rates = follow_command(rates, (0.0, 0.0, 0.0), 0, ASV.velocity, ASV.timing.dt)
        way += rates[0] * ASV.timing.dt
    # The dead zone swallows the tail, the limit of acceleration lengthens a fast stop.
    assert abs(way - MOBILITY.coasting(speed)) < 0.15 * speed + 0.01


def test_a_body_that_decelerates_evenly_coasts_by_the_square_of_its_speed() -> None:
    even = Mobility(ASV.command, 0.02, deceleration=0.05)
    assert even.coasting(0.1) == even.coasting(-0.1) == pytest.approx(0.1)
    assert even.coasting(0.05) == pytest.approx(0.025)


@given(st.floats(-10.0, 10.0))
def test_a_heading_error_is_the_shorter_turn(heading: float) -> None:
    error = heading_error(STILL, heading)
    assert abs(error) <= math.pi
    assert math.cos(error) == pytest.approx(math.cos(heading), abs=1e-9)
