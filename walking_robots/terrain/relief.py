"""Heights in both directions: slopes, stairs, rubble and blocks, which add up.

Each gives the heights (n, m) m at points of which x (n, 1) and y (1, m) are in m in the odometry
frame; y counts from the middle of the terrain.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

STEEPEST = math.radians(40.0)
"""Slope beyond which no foot may stand on a cell with relief."""


class Relief(Protocol):
    """Something that raises the ground."""

    def heights(self, x: Array, y: Array, /) -> Array:
        """Return the heights, m, of points."""


@dataclass(frozen=True)
class Slope:
    """Ground that rises by ``angle`` towards ``direction`` (rad, from x to the left).

    It begins ``start`` m along the direction, and rises for ``length`` m.
    """

    angle: float
    direction: float = 0.0
    start: float = -math.inf
    length: float = math.inf

    def heights(self, x: Array, y: Array) -> Array:
        """Return the heights of points."""
        along = x * math.cos(self.direction) + y * math.sin(self.direction)
        if math.isfinite(self.start):
            along = np.clip(along - self.start, 0.0, self.length)
        found: Array = math.tan(self.angle) * along
        return found


@dataclass(frozen=True)
class Stairs:
    """``steps`` steps across the way, ``rise`` m high each, down if negative, ``tread`` m long."""

    start: float
    rise: float
    tread: float
    steps: int

    def heights(self, x: Array, y: Array) -> Array:
        """Return the heights of points; a riser is as steep as the cells allow."""
        done = np.clip(np.floor((x - self.start) / self.tread + 1e-9) + 1.0, 0.0, self.steps)
        return np.broadcast_to(self.rise * done, (x.shape[0], y.shape[1]))


@dataclass(frozen=True)
class Rubble:
    """Corners of cells at random heights up to ``height`` m, from ``start`` on."""

    height: float
    seed: int = 123
    start: float = 0.0

    def heights(self, x: Array, y: Array) -> Array:
        """Return the heights of points."""
        drawn = np.random.default_rng(self.seed).uniform(size=(x.shape[0], y.shape[1]))
        return np.where(x >= self.start, self.height * drawn, 0.0)


@dataclass(frozen=True)
class Blocks:
    """Rows of square blocks, ``height`` m high and ``side`` m wide, ``gap`` m apart.

    Each row is shifted at random to the side; the first one is at ``start``.
    """

    height: float
    side: float
    gap: float
    seed: int = 123
    start: float = 0.0

    def heights(self, x: Array, y: Array) -> Array:
        """Return the heights of points."""
        pitch = self.side + self.gap
        row = np.floor((x - self.start) / pitch + 1e-9)
        count = max(int(row.max()) + 1, 1)
        shift = np.random.default_rng(self.seed).uniform(0.0, pitch, size=count)
        across = y + shift[np.maximum(row, 0.0).astype(np.intp)]
        inside = ((x - self.start) % pitch <= self.side) & (across % pitch <= self.side)
        return np.where(inside & (row >= 0.0), self.height, 0.0)


def relief_heights(relief: Sequence[Relief], rows: int, columns: int, cell: float) -> Array:
    """Return the heights (rows+1, columns+1) m at the corners of cells."""
    x = np.arange(rows + 1, dtype=np.float64)[:, None] * cell
    y = (np.arange(columns + 1, dtype=np.float64)[None, :] - 0.5 * columns) * cell
    found: Array = np.zeros((rows + 1, columns + 1))
    for part in relief:
        found += part.heights(x, y)
    return found


def too_steep(heights: Array, cell: float) -> NDArray[np.bool_]:
    """Return the mask (rows, columns) of cells steeper than `STEEPEST` between two corners."""
    along = np.abs(np.diff(heights, axis=0))
    across = np.abs(np.diff(heights, axis=1))
    rise = np.maximum(np.maximum(along[:, :-1], along[:, 1:]), np.maximum(across[:-1], across[1:]))
    return np.asarray(rise > cell * math.tan(STEEPEST))
