"""Hold a ternary terrain: permitted, forbidden and unseen cells with heights."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

PERMITTED = 0
FORBIDDEN = 1
UNSEEN = -1

KINDS = ('hole', 'soft', 'slippery', 'sharp')
"""What forbidden ground may be."""

HOLE, SOFT, SLIPPERY, SHARP = range(len(KINDS))

OUTSIDE_HEIGHT = -304.8
"""Height (m) reported where there is no terrain: 1000 feet down (asv.md §4.2)."""


@dataclass(frozen=True, eq=False)
class TernaryTerrain:
    """A grid of square cells in the odom frame, with heights at their corners.

    Cell (i, j) covers [i, i+1) x [j, j+1) cell lengths; indices are absolute, so that a patch of a
    larger terrain keeps its place. Heights are bilinear between the corners of a cell, and go on
    to the sides as they are at the edge. Raises ValueError when shapes do not agree (asv.md §4.1).

    cells: (rows, columns) int8, PERMITTED, FORBIDDEN or UNSEEN; heights: (rows+1, columns+1) m,
    or (rows+1,) where they vary along x only; cell: side of a cell, m; first_row, first_column:
    absolute index of cells[0, 0]; revision: changes whenever the terrain does; kinds: (rows,
    columns) int8, of which kind forbidden cells are for simulations with forces and sensors, none
    where all are holes.
    """

    cells: NDArray[np.int8]
    heights: NDArray[np.float64]
    cell: float
    first_row: int = 0
    first_column: int = 0
    revision: int = 0
    kinds: NDArray[np.int8] | None = None

    _ringed: NDArray[np.bool_] = field(init=False, repr=False)
    _centre_heights: NDArray[np.float64] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Freeze the arrays and prepare the tables that make the queries fast."""
        cells = np.array(self.cells, dtype=np.int8)
        heights = np.array(self.heights, dtype=np.float64)
        if cells.ndim != 2:
            raise ValueError(f'cells must have two dimensions, found {cells.ndim}')
        rows, columns = cells.shape
        if heights.shape == (rows + 1,):
            heights = np.broadcast_to(heights[:, None], (rows + 1, columns + 1))
        if heights.shape != (rows + 1, columns + 1):
            raise ValueError(
                f'{rows} x {columns} cells need {rows + 1} x {columns + 1} heights, or '
                f'{rows + 1}, found shape {heights.shape}'
            )
        kinds = self.kinds
        if kinds is not None:
            if kinds.shape != cells.shape:
                raise ValueError(f'kinds must have the shape {cells.shape}, found {kinds.shape}')
            kinds = np.where(cells == FORBIDDEN, kinds, HOLE).astype(np.int8)
            if not kinds.any():
                kinds = None
        if not (math.isfinite(self.cell) and self.cell > 0.0):
            raise ValueError(f'the cell length must be positive, found {self.cell}')
        # A ring of forbidden cells answers for everything outside, so a query needs no branches.
        ringed = np.zeros((rows + 2, columns + 2), dtype=np.bool_)
        ringed[1:-1, 1:-1] = cells == PERMITTED
        centre_heights = np.full((rows + 2, columns + 2), OUTSIDE_HEIGHT)
        if cells.size:
            centres = _halfway(_halfway(heights).T).T
            centre_heights[1:-1] = np.pad(centres, ((0, 0), (1, 1)), 'edge')
        for name, array in (
            ('cells', cells),
            ('heights', heights),
            ('kinds', kinds),
            ('_ringed', ringed),
            ('_centre_heights', centre_heights),
        ):
            if array is not None:
                array.setflags(write=False)
            object.__setattr__(self, name, array)

    def __eq__(self, other: object) -> bool:
        """Return whether two terrains agree in every cell, height and index."""
        if not isinstance(other, TernaryTerrain):
            return NotImplemented
        return (
            (self.cell, self.first_row, self.first_column, self.revision)
            == (other.cell, other.first_row, other.first_column, other.revision)
            and np.array_equal(self.cells, other.cells)
            and np.array_equal(self.heights, other.heights)
            and np.array_equal(self.forbidden_kinds, other.forbidden_kinds)
        )

    __hash__ = None  # type: ignore[assignment]

    @property
    def rows(self) -> int:
        """Return the number of cells along x."""
        return int(self.cells.shape[0])

    @property
    def columns(self) -> int:
        """Return the number of cells along y."""
        return int(self.cells.shape[1])

    @property
    def forbidden_kinds(self) -> NDArray[np.int8]:
        """Return of which kind (rows, columns) each cell is if it is forbidden."""
        return np.full_like(self.cells, HOLE) if self.kinds is None else self.kinds

    @cached_property
    def is_level(self) -> bool:
        """Return whether all heights are equal."""
        return bool(np.ptp(self.heights) < 1e-9)

    @cached_property
    def all_seen(self) -> bool:
        """Return whether no cell is UNSEEN."""
        return not (self.cells == UNSEEN).any()

    def cell_of(self, x: float, y: float) -> tuple[int, int]:
        """Return the absolute index (row, column) of the cell around a point (m, odom)."""
        return math.floor(x / self.cell), math.floor(y / self.cell)

    def contains(self, x: float, y: float) -> bool:
        """Return whether a point (m, odom) lies inside the terrain (asv.md §4.2)."""
        i, j = self.cell_of(x, y)
        return 0 <= i - self.first_row < self.rows and 0 <= j - self.first_column < self.columns

    def permitted(self, x: float, y: float) -> bool:
        """Return whether a foot may stand at a point (m, odom) (asv.md §4.2)."""
        return self.contains(x, y) and self._value(*self.cell_of(x, y)) == PERMITTED

    def _value(self, i: int, j: int) -> int:
        """Return the value of the cell with absolute index (i, j), which is inside."""
        return int(self.cells[i - self.first_row, j - self.first_column])

    @property
    def centre_heights(self) -> NDArray[np.float64]:
        """Return the heights (rows, columns) m at the centres of the cells."""
        return self._centre_heights[1:-1, 1:-1]

    @property
    def profile(self) -> NDArray[np.float64] | None:
        """Return the heights (rows+1,) m at the row borders where they vary along x only."""
        along: NDArray[np.float64] = self.heights[:, 0]
        return along if bool((self.heights == along[:, None]).all()) else None

    def height(self, x: float, y: float) -> float:
        """Return the terrain height (m) at a point (m, odom), bilinear between cell corners.

        Returns OUTSIDE_HEIGHT before the first and beyond the last row. This is the repaired
        form of DEF-9 (asv.md §4.2, §17).
        """
        u = x / self.cell - self.first_row
        last = self.rows
        if not 0.0 <= u <= last or not self.cells.size:
            return OUTSIDE_HEIGHT
        i = min(int(u), last - 1)
        return self._between(i, i + 1, u - i, y)

    def height_original(self, x: float, y: float) -> float:
        """Return the terrain height (m) at a point (m, odom) as the source computes it (DEF-9).

        In the first half of a cell it extrapolates the segment before it; beyond the last border
        one more cell counts as terrain. At cell centres it equals `height` (asv.md §4.2, §17).
        """
        u = x / self.cell - self.first_row
        entries = self.rows + 1
        if not 0.0 <= u <= entries or not self.cells.size:
            return OUTSIDE_HEIGHT
        i = int(u)
        # In metres a cell centre may miss one half by a rounding error; in feet it never did.
        low, high = (i - 1, i) if u - i < 0.5 - 1e-9 else (i, i + 1)
        low, high = min(max(low, 0), entries - 1), min(max(high, 0), entries - 1)
        return self._between(low, high, u - low, y)

    def _between(self, low: int, high: int, share: float, y: float) -> float:
        """Return the height at y (m, odom) a share of the way from one row border to another."""
        nodes: Callable[[int, int], float] = self.heights.item
        last = self.columns
        v = min(max(y / self.cell - self.first_column, 0.0), float(last))
        j = min(int(v), last - 1)
        right: float = nodes(low, j)
        left: float = nodes(low, j + 1)
        right += (nodes(high, j) - right) * share
        left += (nodes(high, j + 1) - left) * share
        return right + (left - right) * (v - j)

    def heights_at(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the terrain heights (n,) m at points (n, 2) m, odom, as `height` does."""
        rows, columns = self.cells.shape
        place = points / self.cell - (self.first_row, self.first_column)
        u = np.clip(place, 0.0, (rows, columns))
        cell = np.minimum(u.astype(np.intp), (rows - 1, columns - 1))
        (i, j), (a, b) = cell.T, (u - cell).T
        nodes = self.heights
        right = nodes[i, j] + (nodes[i + 1, j] - nodes[i, j]) * a
        left = nodes[i, j + 1] + (nodes[i + 1, j + 1] - nodes[i, j + 1]) * a
        inside = (place[:, 0] >= 0.0) & (place[:, 0] <= rows)
        return np.where(inside, right + (left - right) * b, OUTSIDE_HEIGHT)

    def permitted_centres(
        self, points_xy: NDArray[np.float64]
    ) -> tuple[NDArray[np.bool_], NDArray[np.float64], NDArray[np.float64]]:
        """Snap points to the centres of their cells and return which of them are permitted.

        points_xy: (n, 2) m, odom. Returns (mask (n,), centres (n, 2) m, heights (n,) m); the
        height is that of the centre, OUTSIDE_HEIGHT outside in x (asv.md §9 step 4).
        """
        index = np.floor(points_xy / self.cell)
        centres = (index + 0.5) * self.cell
        rows, columns = self._ringed.shape
        i = np.minimum(np.maximum(index[:, 0] - (self.first_row - 1), 0.0), rows - 1.0)
        j = np.minimum(np.maximum(index[:, 1] - (self.first_column - 1), 0.0), columns - 1.0)
        place = i.astype(np.intp), j.astype(np.intp)
        return self._ringed[place], centres, self._centre_heights[place]


def _halfway(heights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the heights half-way between neighbouring rows."""
    return heights[:-1] + np.diff(heights, axis=0) * 0.5
