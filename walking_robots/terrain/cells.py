"""Hold a ternary terrain: permitted, forbidden and unseen cells with a height profile."""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

PERMITTED = 0
FORBIDDEN = 1
UNSEEN = -1

OUTSIDE_HEIGHT = -304.8
"""Height (m) reported where there is no terrain: 1000 feet down (asv.md §4.2)."""


@dataclass(frozen=True, eq=False)
class TernaryTerrain:
    """A grid of square cells in the odom frame, whose height varies along x only.

    Cell (i, j) covers [i, i+1) x [j, j+1) cell lengths; indices are absolute, so that a patch of a
    larger terrain keeps its place. Raises ValueError when shapes do not agree (asv.md §4.1).

    cells: (rows, columns) int8, PERMITTED, FORBIDDEN or UNSEEN; heights: (rows+1,) m, at the row
    borders; cell: side of a cell, m; first_row, first_column: absolute index of cells[0, 0];
    revision: changes whenever the terrain does.
    """

    cells: NDArray[np.int8]
    heights: NDArray[np.float64]
    cell: float
    first_row: int = 0
    first_column: int = 0
    revision: int = 0

    _nodes: list[float] = field(init=False, repr=False)
    _ringed: NDArray[np.bool_] = field(init=False, repr=False)
    _centre_heights: NDArray[np.float64] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Freeze the arrays and prepare the tables that make the queries fast."""
        cells = np.array(self.cells, dtype=np.int8)
        heights = np.array(self.heights, dtype=np.float64)
        if cells.ndim != 2:
            raise ValueError(f'cells must have two dimensions, found {cells.ndim}')
        if heights.shape != (cells.shape[0] + 1,):
            raise ValueError(
                f'{cells.shape[0]} rows need {cells.shape[0] + 1} heights, '
                f'found shape {heights.shape}'
            )
        if not (math.isfinite(self.cell) and self.cell > 0.0):
            raise ValueError(f'the cell length must be positive, found {self.cell}')
        # A ring of forbidden cells answers for everything outside, so a query needs no branches.
        ringed = np.zeros((cells.shape[0] + 2, cells.shape[1] + 2), dtype=np.bool_)
        ringed[1:-1, 1:-1] = cells == PERMITTED
        centre_heights = np.full(cells.shape[0] + 2, OUTSIDE_HEIGHT)
        centre_heights[1:-1] = heights[:-1] + np.diff(heights) * 0.5
        for name, array in (
            ('cells', cells),
            ('heights', heights),
            ('_ringed', ringed),
            ('_centre_heights', centre_heights),
        ):
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        object.__setattr__(self, '_nodes', heights.tolist())

    def __eq__(self, other: object) -> bool:
        """Return whether two terrains agree in every cell, height and index."""
        if not isinstance(other, TernaryTerrain):
            return NotImplemented
        return (
            (self.cell, self.first_row, self.first_column, self.revision)
            == (other.cell, other.first_row, other.first_column, other.revision)
            and np.array_equal(self.cells, other.cells)
            and np.array_equal(self.heights, other.heights)
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
    def is_level(self) -> bool:
        """Return whether all heights are equal."""
        return bool(np.ptp(self.heights) < 1e-9)

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

    def height(self, x: float) -> float:
        """Return the terrain height (m) at x (m, odom), linear between row borders.

        Returns OUTSIDE_HEIGHT before the first and beyond the last border. This is the repaired
        form of DEF-9 (asv.md §4.2, §17).
        """
        nodes = self._nodes
        u = x / self.cell - self.first_row
        last = len(nodes) - 1
        if not 0.0 <= u <= last:
            return OUTSIDE_HEIGHT
        i = int(u)
        if i == last:
            return nodes[last]
        low = nodes[i]
        return low + (nodes[i + 1] - low) * (u - i)

    def height_original(self, x: float) -> float:
        """Return the terrain height (m) at x (m, odom) as the source computes it (DEF-9).

        In the first half of a cell it extrapolates the segment before it; beyond the last border
        one more cell counts as terrain. At cell centres it equals `height` (asv.md §4.2, §17).
        """
        nodes = self._nodes
        u = x / self.cell - self.first_row
        entries = len(nodes)
        if not 0.0 <= u <= entries:
            return OUTSIDE_HEIGHT
        i = int(u)
        # In metres a cell centre may miss one half by a rounding error; in feet it never did.
        low, high = (i - 1, i) if u - i < 0.5 - 1e-9 else (i, i + 1)
        low, high = max(low, 0), min(high, entries - 1)
        if low >= entries:
            return nodes[-1]
        return nodes[low] + (nodes[high] - nodes[low]) * (u - low)

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
        row = i.astype(np.intp)
        mask = self._ringed[row, j.astype(np.intp)]
        return mask, centres, self._centre_heights[row]
