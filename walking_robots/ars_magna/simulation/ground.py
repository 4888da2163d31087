"""The map below robots and things: walls and places, rows from the top (ars_magna.md §1.9)."""

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.ars_magna.design.place_types import PlaceType, classify
from walking_robots.worlds.rays import RayCaster
from walking_robots.worlds.world import World

Floats = NDArray[np.float64]

_HAIR = 1e-9
"""Cells; far less than anything that matters."""


class PlaceCell(NamedTuple):
    """The type of a place, and its canonical directions, rad, clockwise from x."""

    type: PlaceType
    directions: tuple[float, ...]

    def nearest(self, heading: float) -> float:
        """Return the canonical direction nearest to a heading, rad."""
        return min(
            self.directions, key=lambda angle: abs(math.remainder(angle - heading, math.tau))
        )


class Sightline(NamedTuple):
    """Where rays end at walls: way, cells, and parameter of the wall, each (n,)."""

    distance: Floats
    parameter: Floats


class GroundMap:
    """A map that does not change, and the places in it."""

    def __init__(self, world: World, types: Mapping[str, PlaceType]) -> None:
        """Turn a world upside down, and find the places in it."""
        self.world = world
        self.rows, self.columns = world.rows, world.columns
        filled = np.ascontiguousarray(world.filled[::-1])
        self.types = tuple(types.values())
        self.places = classify(filled, self.types)
        self._filled = [bytes(row) for row in filled]
        self._caster = RayCaster(world)
        self._counts = _counts(filled)
        self._parameter = np.pad(world.parameter, 1)
        self._cells = {
            place.name: np.argwhere(self.places.kind == index)[:, ::-1].astype(np.float64)
            for index, place in enumerate(self.types)
        }

    def is_filled(self, column: int, row: int) -> bool:
        """Return whether a cell is a wall; outside the map all are (ars_magna.md §4.1)."""
        if 0 <= row < self.rows and 0 <= column < self.columns:
            return self._filled[row][column] != 0
        return True

    def walls_within(self, left: int, top: int, right: int, bottom: int) -> int:
        """Return how many cells of a rectangle in the map are walls, its borders included."""
        counts = self._counts
        above, below = counts[top], counts[bottom + 1]
        return below[right + 1] - below[left] - above[right + 1] + above[left]

    def contains(self, column: int, row: int) -> bool:
        """Return whether a cell lies in the map."""
        return 0 <= row < self.rows and 0 <= column < self.columns

    def place(self, column: int, row: int) -> PlaceCell | None:
        """Return the place that a cell is, None for none."""
        if not self.contains(column, row):
            return None
        index = int(self.places.kind[row, column])
        if index < 0:
            return None
        found = self.types[index]
        basic = float(self.places.direction[row, column])
        return PlaceCell(found, tuple(basic + offset for offset in found.directions))

    def places_of(self, name: str) -> Floats:
        """Return column and row of each place of a type, (n, 2)."""
        return self._cells[name]

    def look(self, x: float, y: float, angles: Floats, reach: float = math.inf) -> Sightline:
        """Follow rays from a point at angles, rad, clockwise from x, to the first wall.

        A wall farther than ``reach``, in cells, is not looked for: its distance is inf.
        """
        # A point on a border belongs to the cell below it on the map, also upside down.
        hits = self._caster.cast(x, self.rows - 1 - y - _HAIR, -angles, reach)
        return Sightline(hits.distance, self._parameter[hits.row + 1, hits.column + 1])


def _counts(filled: NDArray[np.bool_]) -> list[list[int]]:
    """Return how many filled cells are above and to the left of each corner of a map."""
    counts: list[list[int]] = np.pad(filled.cumsum(0).cumsum(1), ((1, 0), (1, 0))).tolist()
    return counts


def cell_of(x: float, y: float) -> tuple[int, int]:
    """Return column and row of the cell around a point; its centre is a whole number (§1.9)."""
    return math.floor(x + 0.5), math.floor(y + 0.5)


def spread(direction: float, fov: float, count: int) -> Floats:
    """Return evenly spaced angles over a field of view, rad (ars_magna.md §7.4): (count,)."""
    return direction - fov / 2 + fov * (np.arange(count) + 0.5) / count


def passages(x: float, y: float, angles: Floats, cells: Floats) -> tuple[Floats, Floats]:
    """Return where rays from a point enter and leave cells, in cells of way: each (cells, rays).

    angles: (rays,), rad, clockwise from x; cells: columns and rows, (cells, 2). Where a ray passes
    a cell by, it leaves no later than it enters.
    """
    along = _slab(cells[:, 0] - x, np.cos(angles))
    across = _slab(cells[:, 1] - y, np.sin(angles))
    enter = np.maximum(np.maximum(along[0], across[0]), 0.0)
    return enter, np.minimum(along[1], across[1])


def _slab(way: Floats, speed: Floats) -> tuple[Floats, Floats]:
    """Return when rays enter and leave strips half a cell to either side of ``way``."""
    speed = np.where(np.abs(speed) < 1e-12, 1e-12, speed)
    near = (way[:, None] - 0.5) / speed
    far = (way[:, None] + 0.5) / speed
    return np.minimum(near, far), np.maximum(near, far)


def cells_between(
    x: float, y: float, to_x: float, to_y: float
) -> Iterator[tuple[int, int, float]]:
    """Yield column, row and share of the way at entry of the cells that a segment crosses.

    The cell of the start comes first, at 0; through a corner the way leads along x first
    (ars_magna.md §13.5).
    """
    column, row = cell_of(x, y)
    last_column, last_row = cell_of(to_x, to_y)
    yield column, row, 0.0
    dx, dy = to_x - x, to_y - y
    step_x, step_y = (1 if dx > 0 else -1), (1 if dy > 0 else -1)
    every_x = abs(1.0 / dx) if dx else math.inf
    every_y = abs(1.0 / dy) if dy else math.inf
    next_x = abs((column + 0.5 * step_x - x) * every_x) if dx else math.inf
    next_y = abs((row + 0.5 * step_y - y) * every_y) if dy else math.inf
    for _ in range(abs(last_column - column) + abs(last_row - row)):
        # At the end rounding must not lead past it.
        if (next_x <= next_y and column != last_column) or row == last_row:
            column += step_x
            yield column, row, min(next_x, 1.0)
            next_x += every_x
        else:
            row += step_y
            yield column, row, min(next_y, 1.0)
            next_y += every_y
