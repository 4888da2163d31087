"""Types of places, which the walls around an empty cell make (ars_magna.md §4.2).

Rows of a form run from small y to large y, columns from small x to large x, with y downwards; a
sign of it is ``.`` for an empty cell, ``#`` for a wall, ``?`` for either. Angles: rad, clockwise.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Checker: TypeAlias = Callable[[NDArray[np.bool_]], Iterable[tuple[int, int, float]]]
"""Takes filled cells (rows, columns), y downwards; gives row, column and basic direction."""

_TURN = math.pi / 2


class PlacePattern(NamedTuple):
    """A form around a cell, the basic direction, and the offset of the cell that it classifies."""

    form: tuple[str, ...]
    direction: float
    dx: int = 0
    dy: int = 0


class Marker(NamedTuple):
    """How a place of a type is drawn."""

    shape: str
    color: str


@dataclass(frozen=True)
class PlaceType:
    """A type of places: which cells have it, and how it is found.

    confusion: probability of a false designator of this type in a search; directions: offsets of
    the canonical directions from the basic direction; invisible: cannot be found from afar;
    checker: a function instead of patterns.
    """

    name: str
    confusion: float = 0.0
    patterns: tuple[PlacePattern, ...] = ()
    directions: tuple[float, ...] = (0.0, math.pi)
    invisible: bool = False
    marker: Marker | None = None
    checker: Checker | None = None


class PlaceMap(NamedTuple):
    """Types of all cells: kind (rows, columns), index into the types or -1; basic direction.

    Both run with y downwards; direction: rad, clockwise, 0 where there is no type.
    """

    kind: NDArray[np.int16]
    direction: NDArray[np.float64]
    warnings: tuple[str, ...]


def standard_place_types(*, literal_doorway_diagonals: bool = False) -> tuple[PlaceType, ...]:
    """Return doorway, convex, concave and beak (ars_magna.md §4.2).

    The manual prints the directions of diagonal doorways so that they point into walls; with
    ``literal_doorway_diagonals`` that is kept.
    """
    rising, falling = math.pi / 4, 3 * math.pi / 4
    if literal_doorway_diagonals:
        rising, falling = falling, rising
    doorway = (
        PlacePattern(('...', '#.#', '...'), math.pi / 2),
        PlacePattern(('.#.', '...', '.#.'), 0.0),
        PlacePattern(('#..', '...', '..#'), falling),
        PlacePattern(('..#', '...', '#..'), rising),
    )
    convex = _rotations(PlacePattern(('...', '##.', '?#.'), 0.0, 1, -1))
    concave = _rotations(PlacePattern(('?#?', '#..', '?..'), 0.0))
    beak = _rotations(PlacePattern(('?..', '##.', '?..'), 0.0, 1, 0))
    return (
        PlaceType('doorway', 0.05, doorway, marker=Marker('square', 'lightblue')),
        PlaceType('convex', 0.03, convex, (0.0, -_TURN), marker=Marker('circle', 'pink')),
        PlaceType('concave', 0.03, concave, (0.0, _TURN), marker=Marker('dot', 'pink')),
        PlaceType('beak', 0.03, beak, (-_TURN, _TURN), marker=Marker('dot', 'pink')),
    )


def _rotations(pattern: PlacePattern) -> tuple[PlacePattern, ...]:
    """Return a pattern and its three quarter turns, clockwise on the screen."""
    turned = [pattern]
    for _ in range(3):
        form, direction, dx, dy = turned[-1]
        rows = tuple(''.join(column) for column in zip(*form[::-1], strict=True))
        turned.append(PlacePattern(rows, direction + _TURN, -dy, dx))
    return tuple(turned)


def occupancy_window(
    filled: NDArray[np.bool_], row: int, column: int, width: int, height: int
) -> NDArray[np.bool_]:
    """Return the filled cells (height, width) centred on a cell; outside the map all are.

    Source: ars_magna.md §2.11, W08. Raises ValueError for a window without a middle.
    """
    if not (width % 2 and height % 2 and width > 0 and height > 0):
        raise ValueError(f'a window needs odd width and height, found {width} x {height}')
    window = np.ones((height, width), dtype=np.bool_)
    top, left = row - height // 2, column - width // 2
    inner = filled[max(top, 0) : max(top + height, 0), max(left, 0) : max(left + width, 0)]
    window[max(-top, 0) :, max(-left, 0) :][: inner.shape[0], : inner.shape[1]] = inner
    return window


def classify(filled: NDArray[np.bool_], types: Sequence[PlaceType]) -> PlaceMap:
    """Find the type of each empty cell of a map (rows, columns) with y downwards.

    Where several fit, the first type counts, and in it the first pattern; outside the map all
    cells are filled. Raises ValueError where a checker gives what is no cell.
    """
    kind = np.full(filled.shape, -1, dtype=np.int16)
    direction = np.zeros(filled.shape)
    warnings = []
    for number, place_type in enumerate(types):
        inside_walls = 0
        for rows, columns, angles, points in _found(filled, place_type):
            walls = filled[rows, columns]
            inside_walls += int(walls.sum()) if points else 0
            free = ~walls & (kind[rows, columns] < 0)
            kind[rows[free], columns[free]] = number
            direction[rows[free], columns[free]] = angles[free]
        if inside_walls:
            warnings.append(
                f"place type '{place_type.name}' would classify {inside_walls} filled cells; "
                'only empty cells are classified.'
            )
    return PlaceMap(kind, direction, tuple(warnings))


_Found: TypeAlias = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64], bool]


def _found(filled: NDArray[np.bool_], place_type: PlaceType) -> Iterable[_Found]:
    """Yield rows, columns and basic directions, and whether just these cells were pointed at.

    A form with a wall in its middle points at walls, unless it classifies another cell.
    """
    height, width = filled.shape
    if place_type.checker is not None:
        yield _checked(filled, place_type.name, place_type.checker)
    for pattern in place_type.patterns:
        row, column = np.nonzero(_fits(filled, pattern.form))
        row, column = row + pattern.dy, column + pattern.dx
        inside = (row >= 0) & (row < height) & (column >= 0) & (column < width)
        angles = np.full(int(inside.sum()), pattern.direction)
        on_wall = pattern.form[len(pattern.form) // 2][len(pattern.form[0]) // 2] == '#'
        points = on_wall or (pattern.dx, pattern.dy) != (0, 0)
        yield row[inside], column[inside], angles, points


def _fits(filled: NDArray[np.bool_], form: Sequence[str]) -> NDArray[np.bool_]:
    """Return the cells (rows, columns) around which a form fits."""
    height, width = filled.shape
    above, left = len(form) // 2, len(form[0]) // 2
    ringed = np.pad(filled, ((above, above), (left, left)), constant_values=True)
    fits = np.ones(filled.shape, dtype=np.bool_)
    for i, line in enumerate(form):
        for j, sign in enumerate(line):
            if sign != '?':
                around = ringed[i : i + height, j : j + width]
                fits &= around if sign == '#' else ~around
    return fits


def _checked(filled: NDArray[np.bool_], name: str, checker: Checker) -> _Found:
    """Return what a checker finds; of a cell named twice the first direction counts."""
    found: dict[tuple[int, int], float] = {}
    try:
        for row, column, angle in checker(filled):
            found.setdefault((int(row), int(column)), float(angle))
    except Exception as error:
        raise ValueError(
            f"the checker of place type '{name}' fails ({type(error).__name__}: {error}); "
            'it must give rows, columns and directions.'
        ) from None
    height, width = filled.shape
    cells = {
        (row, column): angle
        for (row, column), angle in found.items()
        if 0 <= row < height and 0 <= column < width and math.isfinite(angle)
    }
    rows = np.array([row for row, _ in cells], dtype=np.intp)
    columns = np.array([column for _, column in cells], dtype=np.intp)
    return rows, columns, np.array(list(cells.values())), True
