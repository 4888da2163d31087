"""The stop rule and the prefix of a way that may be driven."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from walking_robots.geometry.se2 import ORIGIN, Pose2, Screw2
from walking_robots.mdle.planner.cost_map import CREEP
from walking_robots.mdle.planner.ground import FREE, OCCUPIED, UNKNOWN, KnownGround
from walking_robots.mdle.planner.motion_model import SPEED, ConstantMotion, end_of, motion_model
from walking_robots.mdle.planner.safety import UNCERTAIN, commit
from walking_robots.virtual_robots.scout import scout_spec

SCOUT = motion_model(scout_spec(), 0.205)
STRAIGHT = (ConstantMotion(Screw2(SPEED, 0.0, 0.0), 3.0 / SPEED),)
"""3 m."""


def known(free_to: float, walls_at: float = 2.0) -> KnownGround:
    """Return free ground from x = -1 m to ``free_to`` between walls at +-``walls_at``."""
    classes = np.full((120, 160), UNKNOWN, np.int8)
    x = (np.arange(160) + 0.5) * 0.05 - 1.0
    y = (np.arange(120) + 0.5) * 0.05 - 3.0
    classes[np.ix_(np.abs(y) < walls_at, x < free_to)] = FREE
    classes[np.abs(y) >= walls_at] = OCCUPIED
    return KnownGround(classes, 0.05, (-1.0, -3.0))


def committed(ground: KnownGround, moves: tuple[ConstantMotion, ...] = STRAIGHT, **more: Any):  # type: ignore[no-untyped-def]
    costs = ground.costs(SCOUT, 0.0)
    clearance = ground.distance(ground.classes != FREE)
    return commit(replace(costs, clearance=clearance), SCOUT, ORIGIN, moves, **more)


def test_reference_stop_distance() -> None:
    # mdle.md §5.1: 0.423 m at 0.3 m/s.
    assert SCOUT.stopping_distance(0.3) == pytest.approx(0.423, abs=1e-9)
    assert SCOUT.safe_speed(0.423) == pytest.approx(0.3, abs=1e-9)
    assert SCOUT.safe_speed(0.145) == pytest.approx(0.118, abs=1e-3)


def test_known_ground_is_driven_at_full_speed_to_the_end() -> None:
    found = committed(known(4.0))
    assert found.whole
    assert found.moves == (pytest.approx(STRAIGHT[0]),)
    assert committed(known(4.0), ()).whole


def test_the_robot_never_drives_faster_than_it_can_stop_before_unknown_ground() -> None:
    found = committed(known(2.0))
    assert not found.whole
    front = found.end.x + 0.205
    assert 1.9 < front < 2.03
    pose = ORIGIN
    for move in found.moves:
        left = found.end.x - (pose @ move.end).x
        assert SCOUT.stopping_distance(move.twist.v) <= left + move.length + 0.026 or (
            move.twist.v == pytest.approx(CREEP)
        )
        pose = pose @ move.end
    speeds = [move.twist.v for move in found.moves]
    assert speeds == sorted(speeds, reverse=True)
    assert speeds[-1] == pytest.approx(CREEP)


def test_beside_a_wall_it_creeps() -> None:
    found = committed(known(4.0, walls_at=0.25))
    assert found.whole
    assert {round(move.twist.v, 3) for move in found.moves} == {CREEP}
    assert end_of(found.moves).x == pytest.approx(3.0)


def test_what_is_heard_slows_it_down() -> None:
    near = committed(known(4.0), heard=0.3)
    assert near.moves[0].twist.v < 0.25
    assert near.moves[-1].twist.v == pytest.approx(SPEED)
    beside = committed(known(4.0), echoes=np.array([[1.5, 0.24]]))
    assert min(move.twist.v for move in beside.moves) == pytest.approx(CREEP)
    assert beside.whole


def test_ground_that_is_not_certainly_free_is_driven_more_slowly() -> None:
    ground = known(4.0)
    certain = ground.classes.copy()
    certain[:, 40:] = UNKNOWN
    doubt = replace(ground.costs(SCOUT, 0.0), clearance=ground.distance(certain != FREE))
    first, then = committed(ground, certain=doubt).moves
    # From 1 m on, less the radius of the body.
    assert first.twist.v == SPEED and first.length == pytest.approx(0.795, abs=0.03)
    assert then.twist.v == pytest.approx(UNCERTAIN, abs=0.005)


def test_the_ground_under_the_body_is_certainly_free() -> None:
    ground = known(0.1)
    ground = replace(ground, certain=np.full_like(ground.classes, UNKNOWN))
    under = ground.standing(ORIGIN, 0.3)
    assert (under.classes[58:62, 16:26] == FREE).all() and (under.sure[58:62, 16:26] == FREE).all()
    assert (under.sure == FREE).sum() * 0.05**2 == pytest.approx(math.pi * 0.3**2, rel=0.05)
    ground.classes[60, 20] = OCCUPIED
    still = ground.standing(ORIGIN, 0.3)
    assert still.classes[60, 20] == OCCUPIED and still.sure[60, 20] == UNKNOWN


def test_it_may_leave_a_wall_that_it_touches() -> None:
    ground = known(4.0)
    ground.classes[:, :18] = OCCUPIED
    found = committed(ground)
    assert ground.distance(ground.classes != FREE)[60, 20] < 0.205
    assert found.whole
    back = committed(ground, (ConstantMotion(Screw2(-0.1, 0.0, 0.0), 1.0),))
    assert not back.moves


def test_footprint_of_several_discs_turns_with_the_body() -> None:
    from walking_robots.mdle.planner.motion_model import MotionModel
    from walking_robots.mdle.planner.safety import room_along

    long = MotionModel(((0.3, 0.0, 0.1), (-0.3, 0.0, 0.1)))
    ground = known(4.0, walls_at=0.35)
    costs = ground.costs(long, 0.0)
    along, across = room_along(
        costs, long, np.array([Pose2(1.0, 0.0, 0.0), Pose2(1.0, 0.0, math.pi / 2)])
    )
    assert along > 0.15
    assert across < 0.0
