"""Test the grid: its classes, what changed since when, and how it grows."""

import numpy as np
import pytest

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.cartographer.occupancy_grid import (
    FREE,
    LARGEST_SIDE,
    MOST,
    OCCUPIED,
    UNKNOWN,
    OccupancyGrid,
)
from walking_robots.mdle.cartographer.scan_beams import see
from walking_robots.mdle.cartographer.sonar_cone import hear


def test_cells_have_places() -> None:
    grid = OccupancyGrid(0.1, (-1.0, 2.0), rows=10, columns=20)
    assert grid.cell_of(-0.95, 2.25) == (2, 0)
    assert grid.cell_of(*grid.centre_of(7, 13)) == (7, 13)
    assert grid.contains(9, 19) and not grid.contains(10, 0)


def test_changes_are_told_to_everybody_who_asks_since_when() -> None:
    grid = OccupancyGrid()
    first = grid.version
    grid.put(0.0, 0.0, 3.0)
    second = grid.version
    grid.put(0.5, 0.5, -3.0)
    cells = [
        set(zip(*map(np.ndarray.tolist, grid.changed_since(v)), strict=True))
        for v in (first, second)
    ]
    here, there = grid.cell_of(0.0, 0.0), grid.cell_of(0.5, 0.5)
    assert cells == [{here, there}, {there}]
    assert [grid.classes()[cell] for cell in (here, there)] == [OCCUPIED, FREE]
    assert not grid.changed_since(grid.version)[0].size
    grid.put(0.5, 0.5, -2.0)
    assert not grid.changed_since(grid.version - 1)[0].size, 'its class is the same'


def test_a_grid_grows_and_keeps_what_it_knows() -> None:
    grid = OccupancyGrid(origin=(0.0, 0.0), rows=20, columns=20)
    grid.put(0.5, 0.5, 3.0)
    before = grid.version
    grid.cover(-3.0, 4.0, 1.0)
    assert grid.contains(*grid.cell_of(-4.0, 5.0))
    assert grid.classes()[grid.cell_of(0.5, 0.5)] == OCCUPIED
    assert len(grid.changed_since(before)[0]) == grid.log_odds.size
    with pytest.raises(ValueError, match=f'larger than {LARGEST_SIDE} cells'):
        grid.cover(1e4, 0.0, 1.0)


def test_classes_are_those_of_the_log_odds_whatever_changed_them() -> None:
    random = np.random.default_rng(5)
    grid = OccupancyGrid()
    for _ in range(100):
        pose = Pose2(*random.uniform(-1.5, 1.5, 3))
        hear(grid, pose, Pose2(0.2), float(random.uniform(0.2, 3.0)), 0.2)
        see(grid, pose, np.linspace(-2, 2, 20), random.uniform(0.1, 3.0, 20), 2.5)
    kept = grid.classes().copy()
    grid.refresh()
    assert np.array_equal(kept, grid.classes())
    assert {FREE, OCCUPIED, UNKNOWN} == set(kept.ravel().tolist())


def test_an_echo_makes_certain_only_what_its_sound_went_through() -> None:
    """A wall explains the echo in one direction; beside it another may have been silent."""
    grid = OccupancyGrid()
    grid.cover(0.0, 0.0, 4.0)
    towards, beside = Pose2(0.0, 0.0, -0.1), Pose2(0.0, 0.0, 0.1)
    for turn in np.linspace(-0.03, 0.03, 5):
        grid.put(*(towards @ Pose2(0.0, 0.0, turn) @ Pose2(2.4))[:2], MOST)
    for _ in range(3):
        hear(grid, Pose2(), Pose2(), 2.4, 0.2)
    through, other = (grid.cell_of(*(way @ Pose2(1.5))[:2]) for way in (towards, beside))
    assert grid.certain[through] == FREE
    assert grid.classes()[other] == FREE and grid.certain[other] == UNKNOWN


def test_where_nothing_explains_an_echo_cells_are_free_before_they_are_certain() -> None:
    grid = OccupancyGrid()
    grid.cover(0.0, 0.0, 4.0)
    for _ in range(3):
        hear(grid, Pose2(), Pose2(), 3.0, 0.2)
    assert grid.classes()[grid.cell_of(2.5, 0.1)] == FREE
    assert grid.certain[grid.cell_of(2.5, 0.1)] == UNKNOWN
    assert grid.certain[grid.cell_of(0.15, 0.01)] == FREE, 'all of a cone goes through it'


def test_an_echo_through_a_door_counts_and_one_through_a_wall_hardly() -> None:
    for known, counts in ((3, True), (8, False)):
        grid = OccupancyGrid()
        grid.cover(0.0, 0.0, 4.0)
        for k in range(known):
            grid.put(1.2, 0.23 - 0.05 * k, 4.0)
        for _ in range(3):
            hear(grid, Pose2(), Pose2(), 2.4, 0.2)
        assert (grid.classes()[grid.cell_of(1.8, 0.0)] == FREE) == counts


def test_what_is_too_near_to_be_measured_is_a_wall_where_nothing_is_known_to_be_free() -> None:
    grid = OccupancyGrid(origin=(0.0, 0.0))
    grid.cover(0.0, 0.0, 1.0)
    sensor = Pose2(0.1, 0.525)
    for x in (0.125, 0.175):
        grid.put(x, 0.525, -3.0)
    before = grid.log_odds.copy()
    for _ in range(3):
        hear(grid, Pose2(), sensor, 0.15, 0.2, nearest=0.15)
    rows, columns = np.nonzero(grid.log_odds != before)
    away = [np.hypot(*(np.array(grid.centre_of(*cell)) - sensor[:2])) for cell in
            zip(rows, columns, strict=True)]  # fmt: skip
    assert 0.1 < max(away) < 0.2
    classes = [grid.classes()[grid.cell_of(x, 0.525)] for x in (0.125, 0.175, 0.225)]
    assert classes == [FREE, FREE, OCCUPIED]
