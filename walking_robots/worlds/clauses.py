"""Draw walls, rectangles and circles into cells (ars_magna.md §4.1).

Points are (x, y) in whole cells, as a file counts them: whether y grows up or down is no matter.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Point = tuple[int, int]


class Cells(NamedTuple):
    """Columns, rows and parameters of cells, each (n,); of a cell named twice the last counts."""

    x: NDArray[np.intp]
    y: NDArray[np.intp]
    parameter: NDArray[np.float64]


class Drawing(NamedTuple):
    """What clauses make of a map: three arrays (rows, columns) as in World, names and warnings."""

    filled: NDArray[np.bool_]
    substance: NDArray[np.int16]
    parameter: NDArray[np.float64]
    substances: tuple[str, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class Wall:
    """A line of cells; ``parameters``: one, or one at each end."""

    start: Point
    end: Point
    substance: str
    parameters: tuple[float, ...]

    def cells(self, size: Point) -> Cells:
        """Return the cells in a map of ``size`` (columns, rows), and those outside it."""
        start, end = _clipped(self.start, size), _clipped(self.end, size)
        return _line(start, end, self.parameters[0], self.parameters[-1])


@dataclass(frozen=True)
class Rect:
    """The outline between two corners; ``parameters``: one, or one a corner.

    The corners are (x0, y0), (x1, y0), (x1, y1), (x0, y1), where 0 is ``start`` and 1 is ``end``.
    """

    start: Point
    end: Point
    substance: str
    parameters: tuple[float, ...]

    def cells(self, size: Point) -> Cells:
        """Return the cells in a map of ``size`` (columns, rows), and those outside it."""
        (x0, y0), (x1, y1) = _clipped(self.start, size), _clipped(self.end, size)
        corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
        values = self.parameters if len(self.parameters) == 4 else self.parameters * 4
        sides = [
            _line(corners[i], corners[(i + 1) % 4], values[i], values[(i + 1) % 4])
            for i in range(4)
        ]
        return Cells(*map(np.concatenate, zip(*sides, strict=True)))


@dataclass(frozen=True)
class Circle:
    """The outline about a centre by the midpoint rule, or with ``fill`` all cells within it."""

    centre: Point
    radius: int
    substance: str
    parameters: tuple[float, ...]
    fill: bool = False

    def cells(self, size: Point) -> Cells:
        """Return the cells in a map of ``size`` (columns, rows), and those of the outline beyond.

        The midpoint rule takes the cell whose centre is nearest to the circle; no two are equally
        near, since the square of a half is never whole.
        """
        x, y = _clipped(self.centre, size)
        along = np.arange(self.radius + 1)
        across = np.rint(np.sqrt(self.radius**2 - along**2)).astype(np.intp)
        octant = along <= across
        a, b = along[octant], across[octant]
        columns = x + np.concatenate((a, b, -a, -b, a, b, -a, -b))
        rows = y + np.concatenate((b, a, b, a, -b, -a, -b, -a))
        if self.fill:
            inside = self._inside(x, y, size, a, b)
            columns = np.concatenate((columns, inside[0]))
            rows = np.concatenate((rows, inside[1]))
        return Cells(columns, rows, np.full(columns.size, self.parameters[0]))

    def _inside(
        self, x: int, y: int, size: Point, a: NDArray[np.intp], b: NDArray[np.intp]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return columns and rows of the cells in the map between the outline's left and right."""
        half = np.zeros(self.radius + 1, dtype=np.intp)
        np.maximum.at(half, np.concatenate((a, b)), np.concatenate((b, a)))
        columns = np.arange(max(x - self.radius, 0), min(x + self.radius + 1, size[0]))
        rows = np.arange(max(y - self.radius, 0), min(y + self.radius + 1, size[1]))
        row, column = np.nonzero(np.abs(columns - x) <= half[np.abs(rows - y)][:, None])
        return columns[column], rows[row]


Clause = Wall | Rect | Circle


def draw(clauses: Sequence[Clause], columns: int, rows: int) -> Drawing:
    """Draw clauses into a map, later ones over earlier ones; what lies outside is left out."""
    filled = np.zeros((rows, columns), dtype=np.bool_)
    substance = np.full((rows, columns), -1, dtype=np.int16)
    parameter = np.zeros((rows, columns))
    names = list(dict.fromkeys(clause.substance for clause in clauses))
    outside = []
    for number, clause in enumerate(clauses):
        x, y, value = clause.cells((columns, rows))
        inside = (x >= 0) & (x < columns) & (y >= 0) & (y < rows)
        if not inside.all():
            outside.append(number)
        place = y[inside], x[inside]
        filled[place] = True
        substance[place] = names.index(clause.substance)
        parameter[place] = value[inside]
    warnings = tuple(_warnings(outside, columns, rows))
    return Drawing(filled, substance, parameter, tuple(names), warnings)


def _warnings(outside: Sequence[int], columns: int, rows: int) -> Iterator[str]:
    """Yield a sentence for each clause that does not fit in the map."""
    for number in outside:
        yield (
            f'walls[{number}] reaches outside the map of {columns} x {rows} cells; '
            f'what lies outside is left out.'
        )


def _clipped(point: Point, size: Point) -> Point:
    """Return a point with coordinates equal to the map's size moved to its last cell."""
    x, y = (c - 1 if c == limit else c for c, limit in zip(point, size, strict=True))
    return x, y


def _line(start: Point, end: Point, first: float, last: float) -> Cells:
    """Return Bresenham's line with both ends; half a cell of deviation is not yet a step aside."""
    deltas = end[0] - start[0], end[1] - start[1]
    steps = max(map(abs, deltas))
    i = np.arange(steps + 1)
    x, y = (
        begin + np.sign(delta) * ((2 * i * abs(delta) + steps - 1) // max(2 * steps, 1))
        for begin, delta in zip(start, deltas, strict=True)
    )
    return Cells(x, y, np.linspace(first, last, steps + 1))
