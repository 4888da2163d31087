"""Which walls are beyond doubt: those that stay certain while the robot drives."""

from dataclasses import replace

import numpy as np
import pytest

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.planner.confirmation import WAY, Confirmation
from walking_robots.mdle.planner.ground import FREE, OCCUPIED, UNKNOWN, KnownGround

WALL = (20, slice(10, 30))
"""Row and columns of a wall along x at y = 1 m, in cells of 0.05 m."""
ELSEWHERE = Pose2(99.0, 99.0), 0.2
"""A goal that has nothing to do with what is there, and the radius of the body."""


def seen(kind: int = OCCUPIED, *, certain: bool = True) -> KnownGround:
    classes = np.zeros((40, 40), np.int8)
    classes[WALL] = kind
    return KnownGround(
        classes, 0.05, certain=classes if certain else np.full_like(classes, UNKNOWN)
    )


def drive(found: Confirmation, ground: KnownGround, way: float) -> np.ndarray:
    """Return what is confirmed of the wall after a way along it, m."""
    found.confirmed(ground, Pose2(0.4, 0.5), *ELSEWHERE)
    ground = found.confirmed(ground, Pose2(0.4 + way, 0.5), *ELSEWHERE)
    assert ground.confirmed is not None
    return ground.confirmed[WALL]


def test_a_wall_is_confirmed_on_the_way() -> None:
    assert not drive(Confirmation(), seen(), 0.9 * WAY).any()
    assert drive(Confirmation(), seen(), 1.1 * WAY).all()


def test_cells_that_are_not_certain_are_not_confirmed() -> None:
    assert not drive(Confirmation(), seen(certain=False), 2.0).any()


def test_where_the_map_does_not_say_what_is_certain_all_occupied_cells_are() -> None:
    ground = seen()
    assert drive(Confirmation(), KnownGround(ground.classes, 0.05), 1.1 * WAY).all()


def test_echoes_that_come_again_and_again_from_one_place_confirm_nothing() -> None:
    found = Confirmation()
    for _ in range(100):
        ground = found.confirmed(seen(), Pose2(0.4, 0.5), *ELSEWHERE)
    assert ground.confirmed is not None and not ground.confirmed.any()


@pytest.mark.parametrize(
    ('columns', 'away', 'confirmed'), [(6, 0.5, True), (8, 0.5, False), (6, 0.9, False)]
)
def test_what_stays_unknown_in_a_narrow_gap_nearby_is_a_wall(
    columns: int, away: float, confirmed: bool
) -> None:
    classes = np.full((40, 60), UNKNOWN, np.int8)
    classes[:20], gap = FREE, (20, slice(30, 30 + columns))
    classes[20] = OCCUPIED
    classes[gap] = UNKNOWN
    ground = KnownGround(classes, 0.05, certain=np.full_like(classes, UNKNOWN))
    found = Confirmation()
    for x in (1.5, 1.5 + 1.1 * WAY):
        seen = found.confirmed(ground, Pose2(x, 1.0 - away), *ELSEWHERE)
    assert seen.confirmed is not None
    assert seen.confirmed[gap].all() == seen.confirmed.any() == confirmed


def test_a_narrow_gap_at_the_goal_is_no_wall() -> None:
    classes = np.full((40, 60), UNKNOWN, np.int8)
    classes[:20], gap = FREE, (20, slice(30, 36))
    classes[20] = OCCUPIED
    classes[gap] = UNKNOWN
    found, ground = Confirmation(), KnownGround(classes, 0.05, certain=classes * 0 + UNKNOWN)
    for x in (1.5, 1.5 + 1.1 * WAY):
        seen = found.confirmed(ground, Pose2(x, 0.5), Pose2(1.5, 0.9), 0.2)
    assert seen.confirmed is not None
    assert seen.confirmed[gap].tolist() == [False] * 3 + [True] * 3


def test_unknown_cells_amid_free_ones_are_no_wall() -> None:
    classes = np.zeros((40, 60), np.int8)
    classes[20, 30:33] = UNKNOWN
    found, ground = Confirmation(), KnownGround(classes, 0.05)
    for x in (1.5, 1.5 + 1.1 * WAY):
        seen = found.confirmed(ground, Pose2(x, 0.5), *ELSEWHERE)
    assert seen.confirmed is not None and not seen.confirmed.any()


def test_a_wall_is_confirmed_no_more_where_it_is_seen_to_be_free_from_nearby() -> None:
    found = Confirmation()
    drive(found, seen(), 1.1 * WAY)
    ground = found.confirmed(seen(FREE), Pose2(1.0, -0.5), *ELSEWHERE)
    assert ground.confirmed is not None and ground.confirmed[WALL].all()
    assert (ground.classes[WALL] == OCCUPIED).all()
    ground = found.confirmed(seen(FREE), Pose2(1.0, 0.5), *ELSEWHERE)
    assert ground.confirmed is not None and not ground.confirmed[WALL].any()


def test_walls_that_a_map_that_was_drawn_anew_does_not_show_are_doubtful() -> None:
    found = Confirmation()
    drive(found, seen(), 1.1 * WAY)
    moved = seen(FREE)
    moved.classes[20, 10:20] = OCCUPIED
    found.forget_doubtful(moved)
    far_away = found.confirmed(moved, Pose2(1.0, 9.0), *ELSEWHERE)
    assert far_away.confirmed is not None
    assert far_away.confirmed[20, 10:20].all() and not far_away.confirmed[20, 20:].any()


def test_a_cell_alone_is_no_wall_unless_it_stopped_the_robot() -> None:
    found, ground = Confirmation(), seen()
    certain = np.zeros_like(ground.classes)
    certain[20, [10, 14, 20, 23]] = OCCUPIED
    ground = replace(ground, certain=certain)
    assert np.flatnonzero(drive(found, ground, 1.1 * WAY)).tolist() == [10, 13]
    found.close(ground, 0.725, 1.025, 0.02)
    assert np.flatnonzero(drive(found, ground, 0.0)).tolist() == [4, 10, 13]
