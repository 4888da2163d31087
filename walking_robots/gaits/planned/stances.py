"""The graph of all statically stable walks over level ground, on three feet at a time.

A node is a stance: a posture, and three legs with the cells on whose centres they stand. From
the places of the body where it is stable, a fourth foot is put down, and one of the other three
is lifted where the body is stable without it. All these places are convex and overlap while four
feet are down, so the body gets from each to the next. Every walk of a stable body is a path in
this graph: its body is always in a triangle of three of its feet, and triangles that contain one
point are joined by exchanges of single feet. With a margin this holds for most walks, not for all.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.gaits.planned.sections import FAR, Sections
from walking_robots.geometry.polygons import (
    Array,
    Index,
    Points,
    cut,
    dot,
    inset,
    intersect,
    stacked,
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


def thinned(ground: Ground, span: float, seed: int) -> Ground:
    """Return ground with a random sample of its permitted cells where there are many.

    Many cells are as good as others there, and a search would try them all. Where few are
    permitted within a ``span``, m, and beside rows or columns without any, all are kept.
    """
    permitted = ground.permitted.reshape(ground.rows, ground.columns)
    half = max(round(0.5 * span / ground.cell), 1)
    window = (2 * half + 1, 2 * half + 1)
    around = np.lib.stride_tricks.sliding_window_view(np.pad(permitted, half), window)
    density = ENOUGH * (ground.cell / span) ** 2
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
        rows = np.arange(len(feet))
        first = self._place(feet, legs[:, 0])
        corners = first[:, None] - self.sections.corners[posture, legs[:, 0]]
        for leg in legs.T[1:]:
            kept, corners = intersect(
                corners,
                *self.sections.bodies(posture[rows], leg[rows], self._place(feet, leg)[rows]),
            )
            rows = rows[kept]
        for normal, limit in self._lane:
            kept, corners = cut(corners, np.full(len(rows), normal), np.full(len(rows), limit))
            rows = rows[kept]
        return rows, corners

    def stable(self, stances: Stances, reach: Points) -> tuple[Index, Points]:
        """Return the part of places where the body is stable on the three feet, (n, k)."""
        legs = standing_legs(stances.feet)
        triangle = self.ground.centres[np.take_along_axis(stances.feet, legs, axis=1)]
        return intersect(reach, *inset(triangle, self.margin))

    def exchanges(self, stances: Stances, stable: Points) -> Exchanges:
        """Return the exchanges that may be possible from stable places of the body, (n, k)."""
        row, leg, cell = self._cells_near(stances, stable)
        lifted = np.ravel(standing_legs(stances.feet)[row], order='F')
        row, leg, cell = (np.tile(part, STANDING) for part in (row, leg, cell))
        found = Exchanges(row, leg, cell, lifted)
        inradius = _inradius(self._triangles(stances, found))
        return found.rows(np.flatnonzero(inradius >= self.margin))

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
        kept, four = intersect(
            stacked(stable[row], reach[row]), np.tile(normals, (2, 1)), np.tile(limits, (2, 1))
        )
        split = np.searchsorted(kept, len(row))
        # The places where the foot can be put down are a part of those where it is in reach.
        down = kept[:split]
        below, four = four[:split], four[split:][np.searchsorted(kept[split:], down + len(row))]
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
        legs = standing_legs(stances.feet)[row]
        rows, places = np.arange(len(row)), stable[row]
        for leg in legs.T:
            foot = self._place(stances.feet[row[rows]], leg[rows])
            kept, places = intersect(places, *self.sections.bodies(near[rows], leg[rows], foot))
            rows = rows[kept]
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
        standing = stances.feet != IN_THE_AIR
        feet = dot(self.ground.centres[stances.feet], ahead)
        reach = np.where(standing, feet - behind[stances.posture], np.inf).min(axis=1)
        return np.asarray(np.minimum(reach, np.where(standing, feet, -np.inf).max(axis=1)))

    def _triangles(self, stances: Stances, exchanges: Exchanges) -> Points:
        """Return the places of the three feet after exchanges, (n, 3)."""
        legs = standing_legs(stances.feet)[exchanges.row]
        cells = np.take_along_axis(stances.feet[exchanges.row], legs, axis=1)
        replaced = legs == exchanges.lifted[:, None]
        return self.ground.centres[np.where(replaced, exchanges.cell[:, None], cells)]

    def _place(self, feet: Feet, leg: Index) -> Points:
        return self.ground.centres[feet[np.arange(len(feet)), leg]]

    def _cells_near(self, stances: Stances, stable: Points) -> tuple[Index, Index, Index]:
        """Return rows of stances, legs in the air, and permitted free cells about their reach."""
        ground, (posture, feet) = self.ground, stances
        row, leg = np.nonzero(feet == IN_THE_AIR)
        low, high = self._low[posture[row], leg], self._high[posture[row], leg]
        west = _first(stable.real.min(axis=1)[row] + low.real - ground.origin.real, ground.cell)
        east = _last(stable.real.max(axis=1)[row] + high.real - ground.origin.real, ground.cell)
        south = _first(stable.imag.min(axis=1)[row] + low.imag - ground.origin.imag, ground.cell)
        north = _last(stable.imag.max(axis=1)[row] + high.imag - ground.origin.imag, ground.cell)
        west, south = np.maximum(west, 0), np.maximum(south, 0)
        long = np.maximum(np.minimum(east, ground.rows - 1) - west + 1, 0)
        wide = np.maximum(np.minimum(north, ground.columns - 1) - south + 1, 0)
        count = long * wide
        each = np.repeat(np.arange(len(row)), count)
        number = np.arange(len(each)) - np.repeat(np.cumsum(count) - count, count)
        cell = (west[each] + number // wide[each]) * ground.columns
        cell += south[each] + number % wide[each]
        kept = ground.permitted[cell]
        each, cell = each[kept], cell[kept]
        free = (ground.occupied[feet[row[each]]] != cell[:, None]).all(axis=1)
        each, cell = each[free], cell[free]
        return row[each], leg[each], cell


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
    data, width = table.tobytes(), table.shape[1] * table.itemsize
    known = set() if known is None else known
    found = []
    for place in range(len(order)):
        key = data[place * width : (place + 1) * width]
        if key not in known:
            known.add(key)
            found.append(place)
            if len(found) == most:
                break
    return np.array(found, np.intp)


def _first(distance: Array, cell: float) -> Index:
    return np.ceil(distance / cell - 0.5).astype(np.intp)


def _last(distance: Array, cell: float) -> Index:
    return np.floor(distance / cell - 0.5).astype(np.intp)


def _inradius(triangles: Points) -> Array:
    """Return the radii of the inscribed circles of triangles, (n, 3)."""
    a, b, c = triangles.T
    area = np.abs(((b - a).conj() * (c - a)).imag)
    return np.asarray(area / np.maximum(abs(b - a) + abs(c - b) + abs(a - c), 1e-300))
