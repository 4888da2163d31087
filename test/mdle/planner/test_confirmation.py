"""Which walls are beyond doubt: those that stay while the robot drives along them."""

import numpy as np

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.planner.confirmation import MOVED, ROUNDS, Confirmation
from walking_robots.mdle.planner.ground import FREE, OCCUPIED, KnownGround

WALL = (20, slice(10, 30))
"""Row and columns of a wall along x at y = 1 m, in cells of 0.05 m."""


def seen(kind: int = OCCUPIED) -> KnownGround:
    classes = np.zeros((40, 40), np.int8)
    classes[WALL] = kind
    return KnownGround(classes, 0.05)


def drive(found: Confirmation, rounds: int, way: float) -> np.ndarray:
    """Return what is confirmed of the wall after rounds with a way, m, between them."""
    for number in range(rounds):
        ground = found.confirmed(seen(), Pose2(0.5 + way * number, 0.5))
    assert ground.confirmed is not None
    return ground.confirmed[WALL]


def test_a_wall_is_confirmed_on_the_way_along_it() -> None:
    assert not drive(Confirmation(), ROUNDS - 1, MOVED).any()
    assert drive(Confirmation(), ROUNDS, MOVED).all()


def test_echoes_that_come_again_and_again_from_one_place_confirm_nothing() -> None:
    assert not drive(Confirmation(), 100, 0.0).any()
    assert not drive(Confirmation(), ROUNDS, 0.5 * MOVED).any()


def test_a_wall_is_confirmed_no_more_where_it_is_seen_to_be_free() -> None:
    found = Confirmation()
    drive(found, ROUNDS, MOVED)
    ground = found.confirmed(seen(FREE), Pose2(0.5, 0.5))
    assert ground.confirmed is not None and not ground.confirmed[WALL].any()


def test_walls_that_the_map_does_not_show_any_more_are_doubtful() -> None:
    found = Confirmation()
    drive(found, ROUNDS, MOVED)
    moved = seen(FREE)
    moved.classes[20, 10:20] = OCCUPIED
    assert found.forget_doubtful(moved) and not found.forget_doubtful(moved)
    far_away = found.confirmed(moved, Pose2(1.0, 9.0))
    assert far_away.confirmed is not None
    assert far_away.confirmed[20, 10:20].all() and not far_away.confirmed[20, 20:].any()


def test_walls_that_were_not_seen_from_nearby_are_doubtful() -> None:
    """From 1.5 m a cone is wider than a door of 0.55 m."""
    found = Confirmation()
    for number in range(3 * ROUNDS):
        ground = found.confirmed(seen(), Pose2(0.5 + MOVED * number % 1.0, -0.5))
    assert ground.confirmed is not None and ground.confirmed[WALL].all()
    assert found.forget_far() and not found.forget_far()
    drive(found, ROUNDS, MOVED)
    assert not found.forget_far()
