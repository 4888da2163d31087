"""The graph of all statically stable walks over level ground, on three feet at a time.

A node is a stance: a posture, and three legs with the cells on whose centres they stand. From
the places of the body where it is stable, a fourth foot is put down, and one of the other three
is lifted where the body is stable without it. All these places are convex and overlap while four
feet are down, so the body gets from each to the next. Every walk of a stable body is a path in
this graph: its body is always in a triangle of three of its feet, and triangles that contain one
point are joined by exchanges of single feet. With a margin this holds for most walks, not for all.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.gaits.planned.sections import FAR, Sections
from walking_robots.geometry.compiled import compiled
from walking_robots.geometry.polygons import (
    Array,
    Index,
    Points,
    dot,
    inset,
    intersect,
)
from walking_robots.terrain.cells import PERMITTED, TernaryTerrain

IN_THE_AIR = -1
STANDING = 3

Feet = NDArray[np.int32]
"""The cell of each leg's foot, (n, legs), or `IN_THE_AIR`."""


class Stances(NamedTuple):
    """Some nodes: posture (n,), feet (n, legs)."""

    posture: Index
    feet: Feet

    def rows(self, rows: Index) -> 'Stances':
        """Return some of the stances."""
        return Stances(self.posture[rows], self.feet[rows])


class Ground(NamedTuple):
    """Cells by number: which are permitted, and their centres, m.

    Start feet, which need not stand on centres of cells, follow the cells: ``centres`` has their
    places, and ``occupied`` the cells in which they are. A leg in the air occupies none.
    """

    permitted: NDArray[np.bool_]
    centres: Points
    occupied: Index
    rows: int
    columns: int
    cell: float
    origin: complex


def ground_of(terrain: TernaryTerrain, start: Sequence[complex]) -> Ground:
    """Return the cells of a terrain by number, and the feet of a start after them."""
    cell, rows, columns = terrain.cell, terrain.rows, terrain.columns
    x = (np.arange(rows) + terrain.first_row + 0.5) * cell
    y = (np.arange(columns) + terrain.first_column + 0.5) * cell
    centres = (x[:, None] + 1j * y).ravel()
    inside = [terrain.cell_of(foot.real, foot.imag) for foot in start]
    numbers = [(i - terrain.first_row) * columns + j - terrain.first_column for i, j in inside]
    return Ground(
        (terrain.cells == PERMITTED).ravel(),
        np.concatenate((centres, start, [0.0])),
        np.concatenate((np.arange(rows * columns), numbers, [IN_THE_AIR])).astype(np.intp),
        rows,
        columns,
        cell,
        (terrain.first_row + 1j * terrain.first_column) * cell,
    )


ENOUGH = 5.0
"""Cells in the reach of a leg among which a search chooses."""

EVEN = 10.0
"""The same where no cell is forbidden: with fewer, the sample is all that makes steps uneven."""


def thinned(ground: Ground, span: float, seed: int) -> Ground:
    """Return ground with a random sample of its permitted cells where there are many.

    Many cells are as good as others there, and a search would try them all. Where few are
    permitted within a ``span``, m, and beside rows or columns without any, all are kept.
    """
    enough = EVEN if ground.permitted.all() else ENOUGH
    permitted = ground.permitted.reshape(ground.rows, ground.columns)
    half = max(round(0.5 * span / ground.cell), 1)
    window = (2 * half + 1, 2 * half + 1)
    around = np.lib.stride_tricks.sliding_window_view(np.pad(permitted, half), window)
    density = enough * (ground.cell / span) ** 2
    share = density / np.maximum(around.mean(axis=(2, 3)), density)
    kept = np.random.default_rng(seed).random(permitted.shape) < share
    for axis in (0, 1):
        empty = np.pad(~permitted.any(axis=1 - axis), 1, constant_values=False)
        edge = empty[:-2] | empty[2:]
        kept |= edge[:, None] if axis == 0 else edge
    return ground._replace(permitted=(permitted & kept).ravel())


class Exchanges(NamedTuple):
    """Exchanges of feet: row of the stance, leg and cell put down, leg then lifted; (n,) each."""

    row: Index
    leg: Index
    cell: Index
    lifted: Index

    def rows(self, rows: Index) -> 'Exchanges':
        """Return some of the exchanges."""
        return Exchanges(*(part[rows] for part in self))


class PossibleSwings(NamedTuple):
    """Possible exchanges, by ``kept`` rows of those asked for.

    ``down`` and ``up``, (n, k), are the places of the body where a foot is put down and where the
    other is lifted.
    """

    kept: Index
    exchanges: Exchanges
    down: Points
    up: Points


class Turns(NamedTuple):
    """Changes of posture: row of the stance, posture, places of the body, (n, k), for both."""

    row: Index
    posture: Index
    places: Points


class StanceGraph:
    """Stances of a robot on ground, its swings, and the places of its body."""

    def __init__(
        self,
        sections: Sections,
        ground: Ground,
        margin: float,
        lane: Sequence[tuple[complex, float]] = (),
    ) -> None:
        """Look at stances with a stability margin, m, the body in the half-planes of a lane."""
        self.sections, self.ground, self.margin = sections, ground, margin
        self._lane = lane
        corners = sections.corners
        # The box round each section; a leg that does not reach the ground has one without cells.
        self._low = np.nan_to_num(
            corners.real.min(axis=2) + 1j * corners.imag.min(axis=2), nan=FAR
        )
        self._high = np.nan_to_num(
            corners.real.max(axis=2) + 1j * corners.imag.max(axis=2), nan=-FAR
        )

    def reach(self, stances: Stances) -> tuple[Index, Points]:
        """Return the places of the body from which all feet are in reach, (n, k)."""
        posture, feet = stances
        legs = standing_legs(feet)
        first = self._place(feet, legs[:, 0])
        corners = first[:, None] - self.sections.corners[posture, legs[:, 0]]
        planes = [self.sections.bodies(posture, leg, self._place(feet, leg)) for leg in legs.T[1:]]
        for normal, limit in self._lane:
            planes.append((np.full((len(feet), 1), normal), np.full((len(feet), 1), limit)))
        return intersect(corners, *map(np.hstack, zip(*planes, strict=True)))

    def stable(self, stances: Stances, reach: Points) -> tuple[Index, Points]:
        """Return the part of places where the body is stable on the three feet, (n, k)."""
        legs = standing_legs(stances.feet)
        triangle = self.ground.centres[np.take_along_axis(stances.feet, legs, axis=1)]
        return intersect(reach, *inset(triangle, self.margin))

    def exchanges(self, stances: Stances, stable: Points) -> Exchanges:
        """Return the exchanges that may be possible from stable places of the body, (n, k)."""
        ground = self.ground
        found = _exchanges(
            stances.posture,
            stances.feet,
            stable,
            self._low,
            self._high,
            ground.permitted.reshape(ground.rows, ground.columns),
            ground.occupied,
            ground.centres,
            ground.origin,
            ground.cell,
            self.margin,
        )
        return Exchanges(*found)

    def swings(
        self, stances: Stances, reach: Points, stable: Points, exchanges: Exchanges
    ) -> PossibleSwings:
        """Return the swings of those exchanges that are possible, in their order.

        ``reach`` and ``stable`` are the places of the body in each stance, (n, k).
        """
        key = (exchanges.row * stances.feet.shape[1] + exchanges.leg) * len(self.ground.centres)
        _, first, put = np.unique(key + exchanges.cell, return_index=True, return_inverse=True)
        row, leg, cell, _ = exchanges.rows(first)
        normals, limits = self.sections.bodies(
            stances.posture[row], leg, self.ground.centres[cell]
        )
        down, below = intersect(stable[row], normals, limits)
        kept, four = intersect(reach[row], normals, limits)
        # The places where the foot can be put down are a part of those where it is in reach.
        four = four[np.searchsorted(kept, down)]
        place = np.full(len(row), -1)
        place[down] = np.arange(len(down))
        possible = np.flatnonzero(place[put] >= 0)
        put = place[put[possible]]
        triangles = self._triangles(stances, exchanges.rows(possible))
        kept, up = intersect(four[put], *inset(triangles, self.margin))
        possible = possible[kept]
        return PossibleSwings(possible, exchanges.rows(possible), below[put[kept]], up)

    def turns(self, stances: Stances, stable: Points) -> Turns:
        """Return all changes to a neighbouring posture; stable are the places of the body."""
        row, near = np.nonzero(self.sections.neighbours[stances.posture])
        legs, feet = standing_legs(stances.feet)[row], stances.feet[row]
        planes = [self.sections.bodies(near, leg, self._place(feet, leg)) for leg in legs.T]
        rows, places = intersect(stable[row], *map(np.hstack, zip(*planes, strict=True)))
        return Turns(row[rows], near[rows], places)

    def after(self, stances: Stances, exchanges: Exchanges) -> Stances:
        """Return the stances after exchanges."""
        feet = stances.feet[exchanges.row]
        rows = np.arange(len(feet))
        feet[rows, exchanges.leg] = exchanges.cell
        feet[rows, exchanges.lifted] = IN_THE_AIR
        return Stances(stances.posture[exchanges.row], feet)

    def hope(self, stances: Stances, ahead: Points) -> Array:
        """Return a bound, m, of how far ahead, a unit vector, the body can be in each stance."""
        behind = dot(self.sections.corners, ahead).min(axis=2)
        return _hope(stances.posture, stances.feet, behind, dot(self.ground.centres, ahead))

    def _triangles(self, stances: Stances, exchanges: Exchanges) -> Points:
        """Return the places of the three feet after exchanges, (n, 3)."""
        legs = standing_legs(stances.feet)[exchanges.row]
        cells = np.take_along_axis(stances.feet[exchanges.row], legs, axis=1)
        replaced = legs == exchanges.lifted[:, None]
        return self.ground.centres[np.where(replaced, exchanges.cell[:, None], cells)]

    def _place(self, feet: Feet, leg: Index) -> Points:
        return self.ground.centres[feet[np.arange(len(feet)), leg]]


def standing_legs(feet: Feet) -> Index:
    """Return the three legs that stand in each stance, (n, 3)."""
    return np.nonzero(feet != IN_THE_AIR)[1].reshape(-1, STANDING)


def start_stance(feet: Mapping[int, complex], legs: int, cells: int) -> Feet:
    """Return the stance of a start, whose feet are numbered after the cells, (1, legs)."""
    stance = np.full((1, legs), IN_THE_AIR, np.int32)
    for number, leg in enumerate(feet):
        stance[0, leg] = cells + number
    return stance


def feet_at(graph: StanceGraph, stance: Stances) -> dict[int, complex]:
    """Return the feet of one stance, m, by index of leg."""
    return {
        leg: complex(graph.ground.centres[cell])
        for leg, cell in enumerate(stance.feet[0].tolist())
        if cell != IN_THE_AIR
    }


def distinct(stances: Stances, order: Index, most: int, known: set[bytes] | None = None) -> Index:
    """Return the places in an order of up to so many stances that are neither known nor equal.

    They become known.
    """
    table = np.empty((len(order), stances.feet.shape[1] + 1), np.int32)
    table[:, 0], table[:, 1:] = stances.posture[order], stances.feet[order]
    keys: list[bytes] = table.view(f'V{table.shape[1] * table.itemsize}')[:, 0].tolist()
    known = set() if known is None else known
    found = []
    for place, key in enumerate(keys):
        if key not in known:
            known.add(key)
            found.append(place)
            if len(found) == most:
                break
    return np.array(found, np.intp)


@compiled(
    'intp[:]',
    'int32[:, :]',
    'complex128[:, :]',
    'complex128[:, :]',
    'complex128[:, :]',
    'boolean[:, :]',
    'intp[:]',
    'complex128[:]',
    'complex128',
    'float64',
    'float64',
)
def _exchanges(
    posture: Index,
    feet: Feet,
    stable: Points,
    low: Points,
    high: Points,
    permitted: NDArray[np.bool_],
    occupied: Index,
    centres: Points,
    origin: complex,
    cell: float,
    margin: float,
) -> Index:
    """Return row, leg, cell and lifted leg of exchanges, (4, n), with room for the margin, m.

    The cells are permitted and free and in the boxes, ``low`` to ``high``, (postures, legs), round
    the reach of a leg in the air from the stable places of the body, (n, k).
    """
    count, legs = feet.shape
    rows, columns = permitted.shape
    boxes = np.zeros((count, legs, 4), np.intp)

    def length(side: complex) -> float:
        return math.sqrt(side.real**2 + side.imag**2)

    standing = np.empty((count, 3), np.intp)
    most = 0
    for row in range(count):
        places, number = stable[row], 0
        west, east = places.real.min() - origin.real, places.real.max() - origin.real
        south, north = places.imag.min() - origin.imag, places.imag.max() - origin.imag
        for leg in range(legs):
            if feet[row, leg] >= 0:
                standing[row, number] = leg
                number += 1
                continue
            least, largest = low[posture[row], leg], high[posture[row], leg]
            box = boxes[row, leg]
            box[0] = max(math.ceil((west + least.real) / cell - 0.5), 0)
            box[1] = min(math.floor((east + largest.real) / cell - 0.5), rows - 1) + 1
            box[2] = max(math.ceil((south + least.imag) / cell - 0.5), 0)
            box[3] = min(math.floor((north + largest.imag) / cell - 0.5), columns - 1) + 1
            most += max(box[1] - box[0], 0) * max(box[3] - box[2], 0)
    pairs, found = np.empty((3, most), np.intp), 0
    for row in range(count):
        taken = [occupied[feet[row, leg]] for leg in standing[row]]
        for leg in range(legs):
            west, east, south, north = boxes[row, leg]
            for i in range(west, east):
                for j in range(south, north):
                    number = i * columns + j
                    if permitted[i, j] and number not in taken:
                        pairs[0, found], pairs[1, found], pairs[2, found] = row, leg, number
                        found += 1
    pairs, exchanges, number = pairs[:, :found], np.empty((4, 3 * found), np.intp), 0
    for lifted in range(3):
        for row, leg, put in pairs.T:
            foot = centres[put]
            kept = centres[feet[row, standing[row, lifted - 1]]] - foot
            other = centres[feet[row, standing[row, lifted - 2]]] - foot
            around = length(kept) + length(other) + length(kept - other)
            # The radius of the inscribed circle.
            if abs(kept.real * other.imag - kept.imag * other.real) >= margin * around:
                exchanges[0, number], exchanges[1, number] = row, leg
                exchanges[2, number], exchanges[3, number] = put, standing[row, lifted]
                number += 1
    return exchanges[:, :number]


@compiled('intp[:]', 'int32[:, :]', 'float64[:, :]', 'float64[:]')
def _hope(posture: Index, feet: Feet, behind: Array, along: Array) -> Array:
    """Return how far ahead the body can be on feet, m, by how far each foot and its leg allow.

    behind, (postures, legs): how far the reach of a leg extends back; along, (cells,): how far
    ahead the cells are.
    """
    found = np.empty(len(feet))
    for row in range(len(feet)):
        reach, front = np.inf, -np.inf
        for leg in range(feet.shape[1]):
            if feet[row, leg] >= 0:
                place = along[feet[row, leg]]
                reach, front = min(reach, place - behind[posture[row], leg]), max(front, place)
        found[row] = min(reach, front)
    return found
