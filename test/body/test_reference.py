"""Test from where a gait moves its body on."""

import math

from walking_robots.body.reference import FAR, FAR_TURN, SAME, reference_pose
from walking_robots.geometry.pose import Pose, from_quaternion

LIFT = 0.02
SENT = Pose((1.0, 2.0, 0.1))


def away(way: float, turn: float = 0.0) -> Pose:
    """Return a pose below `SENT`, m, and turned, rad."""
    half = 0.5 * turn
    return from_quaternion((1.0, 2.0, 0.1 - way), (math.cos(half), 0.0, 0.0, math.sin(half)))


def test_a_gait_begins_where_the_body_is_measured() -> None:
    assert reference_pose(None, SENT, LIFT) is SENT


def test_a_body_that_is_where_it_was_sent_is_where_it_is_measured() -> None:
    measured = away(0.9 * SAME * LIFT)
    assert reference_pose(SENT, measured, LIFT) is measured


def test_a_sag_is_not_commanded_anew() -> None:
    assert reference_pose(SENT, away(0.2 * LIFT), LIFT) is SENT
    assert reference_pose(SENT, away(0.0, 0.5 * FAR_TURN), LIFT) is SENT


def test_a_body_that_is_somewhere_else_is_there() -> None:
    for measured in (away(1.1 * FAR * LIFT), away(0.0, 1.1 * FAR_TURN)):
        assert reference_pose(SENT, measured, LIFT) is measured
