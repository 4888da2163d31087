"""Hold a planar world: square cells, filled or empty, and what the filled ones are made of."""

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.se2 import ORIGIN, Pose2

VOID = 'void'
"""Substance of everything outside the map (ars_magna.md §4.1)."""

STEP = 'step'
"""Substance of low things; their parameter is the height, m. All others are walls."""


@dataclass(frozen=True, eq=False)
class World:
    """A map of square cells; x to the right, y up, row 0 at the lowest y, as in an OccupancyGrid.

    cell: side of a cell, m; filled: (rows, columns) bool; substance: (rows, columns) int16, index
    into ``substances``, -1 for none; parameter: (rows, columns) of the substances; origin: lower
    left corner of cell (0, 0), m; start: where a robot begins; warnings: one sentence each, of
    whoever made the world. Raises ValueError when shapes do not agree (ars_magna.md §1.2).
    """

    name: str
    cell: float
    filled: NDArray[np.bool_]
    substance: NDArray[np.int16]
    parameter: NDArray[np.float64]
    substances: tuple[str, ...]
    origin: tuple[float, float] = (0.0, 0.0)
    start: Pose2 = ORIGIN
    warnings: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Freeze the arrays."""
        if not (math.isfinite(self.cell) and self.cell > 0.0):
            raise ValueError(f'the cell length must be positive, found {self.cell}')
        if self.filled.ndim != 2 or not self.filled.size:
            raise ValueError(f'a world needs rows and columns, found shape {self.filled.shape}')
        for name, dtype in (
            ('filled', np.bool_),
            ('substance', np.int16),
            ('parameter', np.float64),
        ):
            array = np.array(getattr(self, name), dtype=dtype, order='C')
            if array.shape != self.filled.shape:
                raise ValueError(
                    f'{name} must have shape {self.filled.shape}, found {array.shape}'
                )
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    @property
    def rows(self) -> int:
        """Return the number of cells along y."""
        return int(self.filled.shape[0])

    @property
    def columns(self) -> int:
        """Return the number of cells along x."""
        return int(self.filled.shape[1])

    @property
    def width(self) -> float:
        """Return the extent along x, m."""
        return self.columns * self.cell

    @property
    def height(self) -> float:
        """Return the extent along y, m."""
        return self.rows * self.cell

    def cell_at(self, x: float, y: float) -> tuple[int, int]:
        """Return (row, column) of the cell around a point, m; outside the map too."""
        return (
            math.floor((y - self.origin[1]) / self.cell),
            math.floor((x - self.origin[0]) / self.cell),
        )

    def contains(self, row: int, column: int) -> bool:
        """Return whether a cell lies in the map."""
        return 0 <= row < self.rows and 0 <= column < self.columns

    def is_filled(self, row: int, column: int) -> bool:
        """Return whether a cell is filled; outside the map all are (ars_magna.md §4.1)."""
        return not self.contains(row, column) or bool(self.filled[row, column])

    def heights(self) -> NDArray[np.float64]:
        """Return (rows, columns) how high cells are, m: steps as they are, walls infinitely."""
        found = np.where(self.filled, np.inf, 0.0)
        if STEP in self.substances:
            steps = self.filled & (self.substance == self.substances.index(STEP))
            found[steps] = np.maximum(self.parameter[steps], 0.0)
        return found

    def without_steps(self, highest: float) -> 'World':
        """Return the world for a robot that walks over steps of at most this height, m."""
        over = self.filled & (self.heights() <= highest)
        return replace(self, filled=self.filled & ~over) if over.any() else self

    def substance_at(self, row: int, column: int) -> tuple[str, float] | None:
        """Return type and parameter of a cell's substance; void outside the map, None for none.

        Source: ars_magna.md §1.2 and §4.1.
        """
        if not self.contains(row, column):
            return VOID, 0.0
        index = self.substance[row, column]
        if index < 0:
            return None
        return self.substances[index], float(self.parameter[row, column])
