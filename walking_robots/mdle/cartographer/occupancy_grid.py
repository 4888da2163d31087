"""An occupancy grid in log-odds with three classes, and which cells changed class since when."""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

FREE: Final = 0
OCCUPIED: Final = 1
UNKNOWN: Final = -1
OCCUPIED_FROM = 0.625
"""Log-odds above which a cell is occupied; a choice that a float32 holds exactly."""
CERTAIN_FROM = 2.0
"""Log-odds above which a cell is certainly occupied: half of the echoes of walls come from such
cells, and one in fifteen of those that close doors by mistake (random worlds 1309 and 1445)."""
CERTAINLY_FREE_BELOW = -1.5
"""Log-odds below which a cell is certainly free: nine in ten free cells near the robot are. Of the
walls there that the map has as free by mistake, a third to nearly all are in five worlds with
echoes up to 25 degrees (1421, 309, 1416, 333 and 410), none to two thirds at 60 degrees."""
FREE_BELOW = -0.625
"""Log-odds below which a cell is free; a choice."""
LEAST, MOST = -4.0, 4.0
"""Bounds of log-odds, so that what has changed is seen after some readings; a choice."""
GROWTH = 40
"""Cells by which the grid grows beyond what is needed."""
LARGEST_SIDE = 4000
"""The most cells along either side."""

Cells = tuple[NDArray[np.intp], NDArray[np.intp]]
"""Rows and columns, each (n,)."""


class OccupancyGrid:
    """Cells of a plane; row 0 at the lowest y, column 0 at the lowest x.

    resolution: side of a cell, m; origin: (x, y) of the lower left corner, m; log_odds: (rows,
    columns) float32, 0 for unknown; version: counts updates. Who writes ``log_odds`` calls
    ``refresh``, or uses the updates of this room, which keep the classes themselves.
    """

    def __init__(
        self,
        resolution: float = 0.05,
        origin: tuple[float, float] = (-2.0, -2.0),
        rows: int = 80,
        columns: int = 80,
    ) -> None:
        """Know nothing. Raises ValueError for a grid that cannot be."""
        if not (math.isfinite(resolution) and resolution > 0.0):
            raise ValueError(
                f'the resolution must be a length greater than 0 m, found {resolution}'
            )
        if not (0 < rows <= LARGEST_SIDE and 0 < columns <= LARGEST_SIDE):
            raise ValueError(
                f'a grid needs 1 to {LARGEST_SIDE} cells along each side, found {rows} x {columns}'
            )
        self.resolution = resolution
        self.origin = origin
        self.log_odds = np.zeros((rows, columns), dtype=np.float32)
        self.version = 0
        self.shaped = 0
        """The version in which the origin or the shape last changed."""
        self.class_of = np.full((rows, columns), UNKNOWN, dtype=np.int8)
        self.changed_in = np.zeros((rows, columns), dtype=np.int32)
        """The version in which each cell last changed its class."""

    @property
    def rows(self) -> int:
        """Return the number of cells along y."""
        return int(self.log_odds.shape[0])

    @property
    def columns(self) -> int:
        """Return the number of cells along x."""
        return int(self.log_odds.shape[1])

    def classes(self) -> NDArray[np.int8]:
        """Return FREE, OCCUPIED or UNKNOWN of each cell, (rows, columns), as a view."""
        view = self.class_of.view()
        view.setflags(write=False)
        return view

    @property
    def certain(self) -> NDArray[np.int8]:
        """Return FREE or OCCUPIED of each cell, (rows, columns), that is so for certain."""
        found = np.full(self.log_odds.shape, UNKNOWN, dtype=np.int8)
        found[self.log_odds > CERTAIN_FROM] = OCCUPIED
        found[self.log_odds < CERTAINLY_FREE_BELOW] = FREE
        return found

    def cell_of(self, x: float, y: float) -> tuple[int, int]:
        """Return (row, column) of the cell that holds a point, m; outside the grid too."""
        return (
            math.floor((y - self.origin[1]) / self.resolution),
            math.floor((x - self.origin[0]) / self.resolution),
        )

    def centre_of(self, row: int, column: int) -> tuple[float, float]:
        """Return the middle of a cell, m."""
        return (
            self.origin[0] + (column + 0.5) * self.resolution,
            self.origin[1] + (row + 0.5) * self.resolution,
        )

    def contains(self, row: int, column: int) -> bool:
        """Return whether a cell lies in the grid."""
        return 0 <= row < self.rows and 0 <= column < self.columns

    def changed_since(self, version: int) -> Cells:
        """Return the cells whose class changed after a version, all if the shape changed."""
        if version < self.shaped:
            rows, columns = np.indices(self.log_odds.shape)
            return rows.ravel(), columns.ravel()
        if version >= self.version:
            nothing = np.empty(0, dtype=np.intp)
            return nothing, nothing
        rows, columns = np.nonzero(self.changed_in > version)
        return rows, columns

    def refresh(self) -> None:
        """Set the classes anew from all log-odds."""
        self.version += 1
        found = np.full(self.log_odds.shape, UNKNOWN, dtype=np.int8)
        found[self.log_odds > OCCUPIED_FROM] = OCCUPIED
        found[self.log_odds < FREE_BELOW] = FREE
        self.changed_in[found != self.class_of] = self.version
        self.class_of[:] = found

    def put(self, x: float, y: float, log_odds: float) -> None:
        """Set the log-odds of the cell at a point, m, that lies in the grid."""
        row, column = self.cell_of(x, y)
        self._set((np.array([row]), np.array([column])), log_odds)

    def clear(self, x: float, y: float, reach: float) -> None:
        """Know nothing any more of all occupied cells within ``reach``, m, of a point."""
        rows, columns = np.nonzero(self.class_of == OCCUPIED)
        px = self.origin[0] + (columns + 0.5) * self.resolution
        py = self.origin[1] + (rows + 0.5) * self.resolution
        near = np.hypot(px - x, py - y) <= reach
        self._set((rows[near], columns[near]), 0.0)

    def replace(self, other: 'OccupancyGrid') -> None:
        """Take the log-odds of another grid over; whoever asks learns which classes changed."""
        if other.log_odds.shape != self.log_odds.shape or other.origin != self.origin:
            self.log_odds, self.origin = other.log_odds, other.origin
            self.class_of, self.changed_in = other.class_of, other.changed_in
            self.version = max(self.version, other.version) + 1
            self.shaped = self.version
        else:
            self.log_odds[:] = other.log_odds
            self.refresh()

    def _set(self, cells: Cells, log_odds: float) -> None:
        self.version += 1
        self.log_odds[cells] = log_odds
        found = (
            OCCUPIED if log_odds > OCCUPIED_FROM else FREE if log_odds < FREE_BELOW else UNKNOWN
        )
        changed = self.class_of[cells] != found
        self.class_of[cells] = found
        self.changed_in[cells[0][changed], cells[1][changed]] = self.version

    def cover(self, x: float, y: float, reach: float) -> None:
        """Grow until all within ``reach``, m, of a point lies in the grid.

        Raises ValueError when it would become larger than LARGEST_SIDE cells.
        """
        low, left = self.cell_of(x - reach, y - reach)
        high, right = self.cell_of(x + reach, y + reach)
        if low >= 0 and left >= 0 and high < self.rows and right < self.columns:
            return
        below, before = (max(-c + GROWTH, 0) if c < 0 else 0 for c in (low, left))
        above = max(high - self.rows + 1 + GROWTH, 0) if high >= self.rows else 0
        after = max(right - self.columns + 1 + GROWTH, 0) if right >= self.columns else 0
        if max(self.rows + below + above, self.columns + before + after) > LARGEST_SIDE:
            raise ValueError(
                f'the map would become larger than {LARGEST_SIDE} cells; begin a new one'
            )
        around = ((below, above), (before, after))
        self.log_odds = np.pad(self.log_odds, around)
        self.class_of = np.pad(self.class_of, around, constant_values=UNKNOWN)
        self.changed_in = np.pad(self.changed_in, around)
        self.origin = (
            self.origin[0] - before * self.resolution,
            self.origin[1] - below * self.resolution,
        )
        self.version += 1
        self.shaped = self.version
