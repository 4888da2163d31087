"""Test forbidden cells as holes."""

import numpy as np
import pytest

from walking_robots.terrain import TernaryTerrain
from walking_robots.terrain.holes import with_holes


def test_forbidden_cells_are_holes_with_walls_inside_of_them() -> None:
    cells = np.zeros((5, 6))
    cells[2, 3] = cells[2, 4] = 1
    terrain = with_holes(TernaryTerrain(cells, np.linspace(0.0, 0.5, 6), 0.4), 0.3)
    assert terrain.cell == pytest.approx(0.1) and terrain.cells.shape == (20, 24)
    slope = 0.1 / 0.4
    for x, y, depth in ((0.6, 1.4, 0.0), (1.0, 1.4, 0.3), (1.0, 1.6, 0.3), (0.85, 1.4, 0.15)):
        assert terrain.height(x, y) == pytest.approx(slope * x - depth)
    assert not terrain.permitted(0.81, 1.4) and terrain.permitted(0.79, 1.4)


def test_a_ditch_goes_on_to_the_sides() -> None:
    cells = np.zeros((6, 4))
    cells[2:4] = 1
    terrain = with_holes(TernaryTerrain(cells, np.zeros(7), 0.4), 0.3)
    assert terrain.height(1.2, 0.0) == terrain.height(1.2, 1.6) == pytest.approx(-0.3)


def test_steep_cells_are_no_holes() -> None:
    heights = np.zeros((4, 4))
    heights[2:] = 5.0
    cells = np.zeros((3, 3))
    cells[1] = 1
    terrain = TernaryTerrain(cells, heights, 1.0)
    assert with_holes(terrain, 0.3) is terrain
