"""The ground of a planar world, for robots that walk in it."""

import math

import numpy as np

from walking_robots.terrain.cells import FORBIDDEN, PERMITTED, TernaryTerrain
from walking_robots.terrain.relief import too_steep
from walking_robots.worlds.world import World


def ground_of(world: World, cell: float) -> TernaryTerrain:
    """Return the ground of a world in cells of a side, m.

    It is level but for steps. Walls and the edges of steps are forbidden.
    """
    x, y = world.origin
    first_row, first_column = math.floor(x / cell), math.floor(y / cell)
    rows = math.ceil((x + world.width) / cell) - first_row
    columns = math.ceil((y + world.height) / cell) - first_column
    high = world.heights()

    def at(row: np.ndarray, column: np.ndarray) -> np.ndarray:
        """Return how high the world is at places counted in cells of the ground."""
        along = ((row + first_row) * cell - x) / world.cell
        aside = ((column + first_column) * cell - y) / world.cell
        i = np.clip(np.floor(aside + 1e-9).astype(int), 0, world.rows - 1)
        j = np.clip(np.floor(along + 1e-9).astype(int), 0, world.columns - 1)
        found: np.ndarray = high[i[None, :], j[:, None]]
        return found

    corners = at(np.arange(rows + 1), np.arange(columns + 1))
    middles = at(np.arange(rows) + 0.5, np.arange(columns) + 0.5)
    heights = np.where(np.isinf(corners), 0.0, corners)
    forbidden = np.isinf(middles) | too_steep(heights, cell)
    return TernaryTerrain(
        np.where(forbidden, FORBIDDEN, PERMITTED).astype(np.int8),
        heights,
        cell,
        first_row,
        first_column,
    )
