"""Test simulated vision: what is seen, and which ditches are found in it (asv.md §4.6, DEF-7)."""

import numpy as np
import pytest

from walking_robots.geometry.units import FOOT
from walking_robots.terrain import UNSEEN, TernaryTerrain
from walking_robots.terrain.generator import Ditch, build
from walking_robots.terrain.vision import DitchSighting, ditch_cells, find_ditches, look

SEEDS = [123, *(1000 * i + 17 for i in range(1, 12))]
BAND = (14.5 * FOOT, 24.5 * FOOT)


@pytest.mark.parametrize('seed', SEEDS)
@pytest.mark.parametrize('percent', [60, 70, 80, 85, 90])
def test_random_terrain_holds_no_ditch(seed: int, percent: int) -> None:
    terrain = build(share=percent / 100, seed=seed)
    for low in range(0, 44, 3):
        for width in (3, 6, 10, 12):
            assert find_ditches(terrain, low * FOOT, (low + width) * FOOT) == ()


@pytest.mark.parametrize('seed', SEEDS)
@pytest.mark.parametrize('percent', [0, 10, 20, 30, 40])
@pytest.mark.parametrize('rows', range(3, 10))
def test_ditch_is_measured_exactly(seed: int, percent: int, rows: int) -> None:
    terrain = build(share=percent / 100, seed=seed, ditches=[Ditch(21 * FOOT, rows * FOOT)])
    (found,) = find_ditches(terrain, *BAND)
    assert found.near_edge == pytest.approx(21 * FOOT)
    assert found.width == pytest.approx(rows * FOOT)


def test_narrow_ditch_is_left_to_the_free_gait() -> None:
    assert find_ditches(build(ditches=[Ditch(21 * FOOT, 2 * FOOT)]), *BAND) == ()


def test_several_ditches_come_nearest_first() -> None:
    ditches = [Ditch(32 * FOOT, 4 * FOOT), Ditch(15 * FOOT, 3 * FOOT)]
    found = find_ditches(build(share=0.2, ditches=ditches), *BAND)
    assert [round(ditch.near_edge / FOOT) for ditch in found] == [15, 32]


def test_ditch_may_end_beside_the_band() -> None:
    cells = np.zeros((20, 20))
    cells[8:12, 5:15] = 1
    terrain = TernaryTerrain(cells, np.zeros(21), 1.0)
    assert find_ditches(terrain, 5.0, 15.0) == (DitchSighting(8.0, 4.0),)
    assert find_ditches(terrain, 4.0, 15.0) == ()
    assert find_ditches(terrain, 4.0, 15.0, share=0.9) == (DitchSighting(8.0, 4.0),)


def test_nothing_is_found_beside_the_terrain_or_where_all_is_forbidden() -> None:
    assert find_ditches(build(), -5.0, -1.0) == ()
    assert find_ditches(TernaryTerrain(np.ones((9, 9)), np.zeros(10), 1.0), 2.0, 7.0) == ()


def test_everything_is_seen_by_default() -> None:
    terrain = build(share=0.3)
    assert look(terrain, 2.0, 6.0) is terrain


def test_short_sight_gives_a_patch_in_place() -> None:
    terrain = build(share=0.3, ditches=[Ditch(21 * FOOT, 5 * FOOT)])
    patch = look(terrain, 6.0, 6.0, range=2.5)
    assert patch.rows < terrain.rows
    seen = patch.cells != UNSEEN
    rows, columns = np.nonzero(seen)
    for i, j in zip(rows.tolist(), columns.tolist(), strict=True):
        x, y = ((i + patch.first_row + 0.5) * FOOT, (j + patch.first_column + 0.5) * FOOT)
        assert patch.permitted(x, y) == terrain.permitted(x, y)
        assert np.hypot(x - 6.0, y - 6.0) <= 2.5
    assert patch.height(6.0, 5.5) == terrain.height(6.0, 5.5)
    assert not patch.contains(0.5, 6.0)
    (ditch,) = find_ditches(patch, 5.0, 7.0)
    assert ditch.near_edge == pytest.approx(21 * FOOT)


def test_nothing_is_seen_from_far_away() -> None:
    assert look(build(), 100.0, 100.0, range=5.0).cells.size == 0


@pytest.mark.parametrize('percent', [0, 20, 40, 60])
def test_cells_of_a_straight_ditch(percent: int) -> None:
    for seed in SEEDS:
        assert not ditch_cells(build(share=percent / 100, seed=seed)).any()
        ditch = Ditch(21 * FOOT, 6 * FOOT)
        marked = ditch_cells(build(share=percent / 100, seed=seed, ditches=[ditch]))
        assert np.array_equal(marked, ditch.cells(49, 49, FOOT))


def test_cells_of_an_oblique_ditch() -> None:
    ditch = Ditch(22 * FOOT, 4 * FOOT, angle=0.26)
    marked = ditch_cells(build(share=0.1, ditches=[ditch]))
    assert np.sum(marked ^ ditch.cells(49, 49, FOOT)) <= 4


def test_no_ditch_where_nearly_all_is_forbidden() -> None:
    assert not ditch_cells(build(share=0.9)).any()
    assert not ditch_cells(look(build(), 99.0, 99.0, range=1.0)).any()
