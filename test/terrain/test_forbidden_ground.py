"""Test the shapes of forbidden cells."""

import numpy as np
import pytest

from walking_robots.terrain import TernaryTerrain
from walking_robots.terrain.cells import KINDS, SHARP, SLIPPERY, SOFT
from walking_robots.terrain.forbidden_ground import EDGE, SINKAGE, sunk_ground, visible_ground


def one_cell(kind: int) -> TernaryTerrain:
    """Return level ground with one forbidden cell, its middle at (1.0, 1.4) m."""
    cells = np.zeros((5, 6))
    cells[2, 3] = 1
    return TernaryTerrain(cells, np.zeros(6), 0.4, kinds=np.full((5, 6), kind))


def test_a_sharp_cell_has_an_edge_across_the_way() -> None:
    terrain = visible_ground(one_cell(SHARP), 0.3)
    for y in (1.3, 1.4, 1.5):
        assert terrain.height(1.0, y) == pytest.approx(EDGE * 0.3)
        assert terrain.height(0.9, y) == terrain.height(1.1, y) == 0.0
    assert np.ptp(terrain.heights[:, :13]) == 0.0


@pytest.mark.parametrize('kind', [SOFT, SLIPPERY], ids=lambda kind: KINDS[kind])
def test_soft_and_slippery_ground_looks_like_any(kind: int) -> None:
    terrain = one_cell(kind)
    assert visible_ground(terrain, 0.3) is terrain


def test_soft_ground_sinks_inside_of_its_cell() -> None:
    assert sunk_ground(one_cell(SLIPPERY), 0.3).is_level
    terrain = sunk_ground(one_cell(SOFT), 0.3)
    assert terrain.height(1.0, 1.4) == pytest.approx(-SINKAGE * 0.3)
    assert terrain.height(0.8, 1.4) == terrain.height(1.0, 1.6) == 0.0


def test_forbidden_cells_are_holes_with_walls_inside_of_them() -> None:
    cells = np.zeros((5, 6))
    cells[2, 3] = cells[2, 4] = 1
    terrain = visible_ground(TernaryTerrain(cells, np.linspace(0.0, 0.5, 6), 0.4), 0.3)
    assert terrain.cell == pytest.approx(0.1) and terrain.cells.shape == (20, 24)
    slope = 0.1 / 0.4
    for x, y, depth in ((0.6, 1.4, 0.0), (1.0, 1.4, 0.3), (1.0, 1.6, 0.3), (0.85, 1.4, 0.15)):
        assert terrain.height(x, y) == pytest.approx(slope * x - depth)
    assert not terrain.permitted(0.81, 1.4) and terrain.permitted(0.79, 1.4)


def test_a_ditch_goes_on_to_the_sides() -> None:
    cells = np.zeros((6, 4))
    cells[2:4] = 1
    terrain = visible_ground(TernaryTerrain(cells, np.zeros(7), 0.4), 0.3)
    assert terrain.height(1.2, 0.0) == terrain.height(1.2, 1.6) == pytest.approx(-0.3)


def test_steep_cells_are_no_holes() -> None:
    heights = np.zeros((4, 4))
    heights[2:] = 5.0
    cells = np.zeros((3, 3))
    cells[1] = 1
    terrain = TernaryTerrain(cells, heights, 1.0)
    assert visible_ground(terrain, 0.3) is terrain
