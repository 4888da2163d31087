"""The frame of the manual, y downwards, in the scene, y upwards, and how far one sees in it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

REACH = 6.0
"""Cells to which a field of view is drawn; cameras see as far as nothing is in the way."""

_STEPS = np.arange(0.0, REACH, 0.05)


class CoordinateFrame(NamedTuple):
    """The frame of a world with so many rows (ars_magna.md §1.9).

    Both frames have their unit and x in common.
    """

    rows: int

    def point(self, x: float, y: float) -> tuple[float, float]:
        """Turn a point of either frame into the other."""
        return x, self.rows - 1 - y

    @staticmethod
    def yaw(angle: float) -> float:
        """Turn an angle of either frame, rad, into the other."""
        return -angle


class Sight:
    """The walls of a world, as rays meet them (ars_magna.md §2.6)."""

    def __init__(self, filled: NDArray[np.bool_]) -> None:
        """Take walls, (rows, columns) with the row at the top first."""
        # Outside the map all is wall (ars_magna.md §4.1).
        self._filled = np.pad(filled, 1, constant_values=True)

    def reach(self, x: float, y: float, angles: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how far rays go from a point, cells, (n,); angles: rad, clockwise from x."""
        ways = np.concatenate((_STEPS, [REACH]))
        column = np.floor(x + np.outer(np.cos(angles), _STEPS) + 1.5).astype(int)
        row = np.floor(y + np.outer(np.sin(angles), _STEPS) + 1.5).astype(int)
        rows, columns = self._filled.shape
        row, column = row.clip(0, rows - 1), column.clip(0, columns - 1)
        ends = np.pad(self._filled[row, column], ((0, 0), (0, 1)), constant_values=True)
        found: NDArray[np.float64] = ways[ends.argmax(axis=1)]
        return found
