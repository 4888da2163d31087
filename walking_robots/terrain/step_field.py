"""Ground of square cells of different heights with upright edges, for robots in space."""

import math
from dataclasses import dataclass

import numpy as np

CELL = 0.2
"""Side of a cell, m."""
AHEAD, BESIDE = 50, 10
"""Cells ahead of the start and to either side of it."""
BEHIND = 5
"""Cells behind the start."""
LEVEL_CELLS = 2
"""Cells around the start that are level, in each direction."""


@dataclass(frozen=True)
class StepField:
    """Rows of cells along x, in each the heights along y, m; the ground around is at zero.

    corner: x and y of the outer corner of the first cell, m.
    """

    heights: tuple[tuple[float, ...], ...]
    corner: tuple[float, float]
    cell: float = CELL

    def height(self, x: float, y: float) -> float:
        """Return the height, m, at x and y, m."""
        row = math.floor((x - self.corner[0]) / self.cell)
        column = math.floor((y - self.corner[1]) / self.cell)
        if 0 <= row < len(self.heights) and 0 <= column < len(self.heights[row]):
            return self.heights[row][column]
        return 0.0


def random_steps(generator: np.random.Generator, highest: float) -> StepField:
    """Return cells of random heights from zero to ``highest``, m, level where a robot starts."""
    heights = generator.uniform(0.0, highest, size=(BEHIND + AHEAD, 2 * BESIDE))
    heights[
        BEHIND - LEVEL_CELLS : BEHIND + LEVEL_CELLS, BESIDE - LEVEL_CELLS : BESIDE + LEVEL_CELLS
    ] = 0.0
    return StepField(tuple(map(tuple, heights.tolist())), (-BEHIND * CELL, -BESIDE * CELL))
