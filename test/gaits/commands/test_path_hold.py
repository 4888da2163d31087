"""Test that commands lead along their way where feet slip."""

import math

import pytest

from walking_robots.gaits.commands.path_hold import GAIN, MOST_TURN, PathHold
from walking_robots.geometry.pose import Pose, from_quaternion
from walking_robots.geometry.se2 import Screw2

AHEAD = Screw2(0.1, 0.0, 0.0)
REST = Screw2(0.0, 0.0, 0.0)


def at(x: float, y: float, yaw: float) -> Pose:
    """Return a level pose."""
    return from_quaternion((x, y, 0.1), (math.cos(0.5 * yaw), 0.0, 0.0, math.sin(0.5 * yaw)))


def test_a_body_on_its_way_gets_its_command() -> None:
    hold = PathHold(0.1, 0.05)
    assert hold.correct(AHEAD, at(1.0, 2.0, 0.0)) == AHEAD
    assert hold.correct(AHEAD, at(1.01, 2.0, 0.0)) == pytest.approx(AHEAD)


def test_what_was_lost_is_made_up_for() -> None:
    hold = PathHold(0.1, 0.05)
    hold.correct(AHEAD, at(0.0, 0.0, 0.0))
    found = hold.correct(AHEAD, at(0.0, 0.004, 0.05))
    assert found.v > AHEAD.v and found.aside < 0.0
    assert found.w == pytest.approx(-GAIN * 0.05)


def test_no_more_is_made_up_for_than_the_leash() -> None:
    hold = PathHold(0.1, 0.05)
    hold.correct(AHEAD, at(0.0, 0.0, 0.0))
    found = hold.correct(AHEAD, at(-3.0, 0.0, 1.0))
    assert math.hypot(found.v - AHEAD.v, found.aside) == pytest.approx(GAIN * 0.05)
    assert found.w == pytest.approx(-GAIN * MOST_TURN)


def test_a_body_at_rest_may_be_moved() -> None:
    hold = PathHold(0.1, 0.05)
    hold.correct(AHEAD, at(0.0, 0.0, 0.0))
    assert hold.correct(REST, at(0.0, 0.0, 0.0)) == REST
    assert hold.correct(AHEAD, at(5.0, 5.0, 1.0)) == pytest.approx(AHEAD)


def test_a_body_that_slips_walks_straight_on() -> None:
    hold, x, y, yaw = PathHold(0.1, 0.05), 0.0, 0.0, 0.0
    for _ in range(400):
        v, aside, w = hold.correct(AHEAD, at(x, y, yaw))
        yaw += 0.1 * (w + 0.01)
        x += 0.1 * (0.9 * v * math.cos(yaw) - aside * math.sin(yaw))
        y += 0.1 * (0.9 * v * math.sin(yaw) + aside * math.cos(yaw))
    assert x == pytest.approx(4.0, abs=0.06) and abs(y) < 0.02 and abs(yaw) < 0.03
