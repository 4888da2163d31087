"""Test from where a gait moves its body on."""

import math

import pytest

from walking_robots.body.reference import FAR, FAR_TURN, SAME, BodyReference
from walking_robots.geometry.pose import Pose, from_quaternion

LIFT = 0.02
SENT = Pose((1.0, 2.0, 0.1))
NONE = (0.0, 0.0, 0.0)


@pytest.fixture
def reference() -> BodyReference:
    """Return that of a body that was sent to `SENT`."""
    found = BodyReference(LIFT)
    found.send(SENT)
    return found


def away(way: float, turn: float = 0.0) -> Pose:
    """Return a pose below `SENT`, m, and turned, rad."""
    half = 0.5 * turn
    return from_quaternion((1.0, 2.0, 0.1 - way), (math.cos(half), 0.0, 0.0, math.sin(half)))


def test_a_gait_begins_where_the_body_is_measured() -> None:
    assert BodyReference(LIFT).pose(SENT, (0.3, 0.0, 0.0)) is SENT


def test_a_body_that_is_where_it_was_sent_is_where_it_is_measured(
    reference: BodyReference,
) -> None:
    measured = away(0.9 * SAME * LIFT)
    assert reference.pose(measured, NONE) is measured


def test_a_sag_is_not_commanded_anew(reference: BodyReference) -> None:
    assert reference.pose(away(0.2 * LIFT), NONE) is SENT
    assert reference.pose(away(0.0, 0.5 * FAR_TURN), NONE) is SENT


def test_a_body_that_is_somewhere_else_is_there(reference: BodyReference) -> None:
    for measured in (away(1.1 * FAR * LIFT), away(0.0, 1.1 * FAR_TURN)):
        assert reference.pose(measured, NONE) is measured


def test_a_body_goes_with_what_odometry_drifts(reference: BodyReference) -> None:
    x, y, _ = SENT.position
    sagged = away(0.2 * LIFT)
    assert reference.pose(sagged, (0.002, -0.001, 0.0)).position[:2] == (x + 0.002, y - 0.001)
    # The same drift is counted once.
    assert reference.pose(sagged, (0.002, -0.001, 0.0)).position[:2] == (x + 0.002, y - 0.001)
    reference.send(SENT)
    assert reference.pose(sagged, (0.002, -0.001, 0.0)) is SENT
