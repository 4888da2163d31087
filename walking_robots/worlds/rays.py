"""Cast many rays at once: how far to the first filled cell, which one, and through which face."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from walking_robots.worlds.world import World

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

AXIS = 1e-12
"""Sine of the angle to an axis below which a ray runs along it."""
TIE = 1e-9
"""Part of a cell by which a ray may miss a corner in y and still goes through it."""

_ZERO, _STEEPEST = 1e-300, 1e12
_BLOCK = 48
"""Crossings looked at in one go; few rays of a room need more."""


class Hits(NamedTuple):
    """Where rays end, in the shape to which starts and angles broadcast.

    distance: m, inf where nothing is within reach; row, column: of the filled cell, one beside the
    map where the ray leaves it; face: 0 where the normal of the face lies along x, 1 along y, -1
    for a start in a filled cell. Without a hit row, column and face are -1.
    """

    distance: Floats
    row: Indices
    column: Indices
    face: Indices


class _Axis(NamedTuple):
    """What rays do along one axis, in cells, each (n,).

    cell: index of the first cell; sign: the way the index goes, 1 or -1; speed: of the direction,
    positive; inside: way from the border behind to the start, 0 ... 1.
    """

    cell: Indices
    sign: Indices
    speed: Floats
    inside: Floats


class RayCaster:
    """Casts rays in one world, which it prepares once.

    A ray visits the cells that it crosses in the order in which it enters them, beginning with
    the one that holds its start; through a corner it goes along x first. It ends in the first
    filled cell, and outside the map all are (ars_magna.md §4.1 and §13.5).
    """

    def __init__(self, world: World) -> None:
        """Ring the map with filled cells, and lay it out row by row and column by column."""
        self.world = world
        ringed = np.pad(world.filled, 1, constant_values=True)
        self._by_row = ringed.ravel()
        self._by_column = ringed.T.ravel()

    def cast(self, x: ArrayLike, y: ArrayLike, angles: ArrayLike, reach: float = math.inf) -> Hits:
        """Follow rays from (x, y), m, at angles, rad, counter-clockwise from x.

        The three broadcast; what is farther than ``reach``, m, is not seen.
        """
        world, side = self.world, self.world.cell
        starts = (
            (np.asarray(x, dtype=np.float64) - world.origin[0]) / side,
            (np.asarray(y, dtype=np.float64) - world.origin[1]) / side,
            np.asarray(angles, dtype=np.float64),
        )
        shape = np.broadcast(*starts).shape
        u, v, turn = (_spread(start, shape) for start in starts)
        x_axis = _axis(u, np.cos(turn), world.columns)
        y_axis = _axis(v, np.sin(turn), world.rows)
        # Each ray begins a hair behind in y: then it goes round corners along x first, and both
        # walks, which see the same ray, agree on its cells.
        late = y_axis._replace(inside=y_axis.inside - TIE)
        x_steps, y_aside = _walk(self._by_row, world.columns, x_axis, late, reach / side)
        y_steps, x_aside = _walk(self._by_column, world.rows, late, x_axis, reach / side)

        x_way = _way(x_steps, x_axis)
        x_wins = x_way <= _way(y_steps, late)
        distance = np.where(x_wins, x_way, _way(y_steps, y_axis)) * side
        row = y_axis.cell + y_axis.sign * np.where(x_wins, y_aside, y_steps)
        column = x_axis.cell + x_axis.sign * np.where(x_wins, x_steps, x_aside)
        face = np.where(x_wins, 0, 1)

        missed = ~(distance <= reach)
        distance[missed] = math.inf
        row[missed] = column[missed] = face[missed] = -1
        inside = self._by_row[(y_axis.cell + 1) * (world.columns + 2) + x_axis.cell + 1]
        distance[inside] = 0.0
        row[inside], column[inside], face[inside] = y_axis.cell[inside], x_axis.cell[inside], -1
        return Hits(
            distance.reshape(shape), row.reshape(shape), column.reshape(shape), face.reshape(shape)
        )


def _spread(start: Floats, shape: tuple[int, ...]) -> Floats:
    """Broadcast to a shape and lay out flat; ``numpy.broadcast_to`` takes far longer."""
    spread = np.empty(shape)
    spread[...] = start
    return spread.ravel()


def _axis(start: Floats, direction: Floats, size: int) -> _Axis:
    """Return what rays do along an axis with ``size`` cells; direction: cosine to it."""
    start = np.minimum(np.maximum(start, -1.0), size)
    cell = np.floor(start)
    inside = start - cell
    back = direction <= -AXIS
    speed = np.abs(direction)
    return _Axis(
        cell.astype(np.intp),
        np.where(back, -1, 1),
        np.where(speed < AXIS, _ZERO, speed),
        np.where(back, 1.0 - inside, inside),
    )


def _way(steps: Indices, axis: _Axis) -> Floats:
    """Return the way, in cells, to the border crossed by the last step; inf without a step."""
    return np.where(steps > 0, (steps - axis.inside) / axis.speed, math.inf)


def _walk(
    flat: NDArray[np.bool_], size: int, main: _Axis, other: _Axis, reach: float
) -> tuple[Indices, Indices]:
    """Return the steps along ``main`` up to the first filled cell, and those aside till then.

    Each (n,), 0 where there is none. flat: the ringed map, line by line, in which ``main`` runs
    along lines of ``size`` cells; reach: in cells. A ray that has left the map sideways finds a
    filled cell at either end of the list; lengthwise it meets the ring first.
    """
    count = main.cell.size
    steps, aside = np.zeros((2, count), dtype=np.intp)
    across = other.sign * (size + 2)
    begin = (other.cell + 1) * (size + 2) + main.cell + 1
    slope = np.minimum(other.speed / main.speed, _STEEPEST)
    rays: slice | Indices = slice(None)
    low, block, most = 1, _BLOCK, int(min(size, reach + 1))
    while count and low <= most:
        k = np.arange(low, min(low + block, most + 1))
        ways = k[:, None] - main.inside[rays]
        ways *= slope[rays]
        ways += other.inside[rays]
        # Rounds towards 0, where a start on a border belongs that began behind it.
        lateral = ways.astype(np.intp)
        place = k[:, None] * main.sign[rays]
        place += begin[rays]
        place += lateral * across[rays]
        filled = flat.take(place, mode='clip')
        first, each = filled.argmax(axis=0), np.arange(count)
        found = filled[first, each]
        steps[rays] = k[first] * found
        aside[rays] = lateral[first, each]
        rays = np.nonzero(steps == 0)[0]
        count = rays.size
        low, block = low + block, 2 * block
    return steps, aside
