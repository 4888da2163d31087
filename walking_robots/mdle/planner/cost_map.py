"""What it costs a body to be somewhere, and how long the way to a goal is (mdle.md §5.1)."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.compiled import compiled
from walking_robots.mdle.planner.motion_model import MotionModel

Floats = NDArray[np.float64]
CAREFUL = 0.06
"""Room round the body, m, within which it creeps."""
CREEP = 0.045
"""Speed, m/s, at which a touch does no harm; below the 0.05 m/s of AC-46."""
COMFORT = 0.2
"""Room round the body, m, from which more is not better."""
OCTILE = 1.0 / math.cos(math.pi / 8.0)
"""By how much a way in eight directions is longer than a straight one at most."""


@dataclass(frozen=True, eq=False)
class CostMap:
    """A map for a body with a margin.

    clearance: (rows, columns), m from the middle of a cell to the nearest blocked one; slowness:
    time through a cell, as a multiple of that at full speed; resolution: side of a cell, m;
    origin: lower left corner, m; margin: m round the body that stays free.
    """

    clearance: Floats
    slowness: Floats
    resolution: float
    origin: tuple[float, float]
    margin: float

    def cell_of(self, x: float, y: float) -> tuple[int, int]:
        """Return row and column of a place, m; either may lie beside the map."""
        return (
            math.floor((y - self.origin[1]) / self.resolution),
            math.floor((x - self.origin[0]) / self.resolution),
        )

    def clearance_at(self, x: Floats, y: Floats) -> Floats:
        """Return the clearance at places, m; 0 beside the map."""
        return self._at(self.clearance, x, y, 0.0)

    def slowness_at(self, x: Floats, y: Floats) -> Floats:
        """Return the slowness at places; inf beside the map."""
        return self._at(self.slowness, x, y, math.inf)

    def _at(self, values: Floats, x: Floats, y: Floats, beside: float) -> Floats:
        rows, columns = values.shape
        row = np.floor((y - self.origin[1]) / self.resolution).astype(np.intp)
        column = np.floor((x - self.origin[0]) / self.resolution).astype(np.intp)
        inside = (row >= 0) & (row < rows) & (column >= 0) & (column < columns)
        found = values[np.clip(row, 0, rows - 1), np.clip(column, 0, columns - 1)]
        return np.where(inside, found, beside)


def cost_map(
    clearance: Floats,
    room: Floats,
    resolution: float,
    origin: tuple[float, float],
    model: MotionModel,
    margin: float,
) -> CostMap:
    """Return the map for a body.

    clearance: m to the nearest blocked cell; room: m round the body, by which it is slowed down.
    """
    slowness = 1.0 + np.clip((COMFORT - room) / (COMFORT - CAREFUL), 0.0, 1.0)
    slowness[room < CAREFUL] = max(model.speed / CREEP, 1.0)
    return CostMap(clearance, slowness, resolution, origin, margin)


@compiled(
    'float64[:, :]', 'float64[:, :]', 'float64', 'float64', 'int64', 'int64', 'int64', 'int64'
)
def _spread(  # type: ignore[no-untyped-def]
    clearance, slowness, least, seconds, row, column, from_row, from_column
):
    """Return the time, s, from each cell to one, in eight directions; inf where none leads.

    least: clearance that a cell needs, m; seconds: for a cell at full speed; from_row,
    from_column: a cell beyond which only a little more is looked at, -1 for all.

    Dijkstra's algorithm. The heap holds each cell once, and moves it up when its time falls;
    `heapq`, in which a cell lies once for each of its times, takes a third longer.
    """
    rows, columns = clearance.shape
    time = np.full(rows * columns, np.inf)
    slow = np.where(clearance >= least, slowness, np.inf).ravel()
    heap, keys, at = np.empty(time.size, np.int64), time.copy(), np.full(time.size, -1, np.int64)
    goal = row * columns + column
    time[goal], slow[goal] = 0.0, slowness[row, column]
    heap[0], keys[0], count, latest = goal, 0.0, 1, np.inf
    straight, diagonal = 0.5 * seconds, 0.5 * 1.4142135623730951 * seconds
    while count:
        place, now, count, k = heap[0], keys[0], count - 1, 0
        last, key = heap[count], keys[count]
        while True:
            below = 2 * k + 1
            if below + 1 < count and keys[below + 1] < keys[below]:
                below += 1
            if below >= count or keys[below] >= key:
                break
            heap[k], keys[k], at[heap[below]], k = heap[below], keys[below], k, below
        heap[k], keys[k], at[last] = last, key, k
        r, c = place // columns, place % columns
        if now > latest:
            time[place], slow[place] = np.inf, np.inf
            continue
        if r == from_row and c == from_column:
            latest = 1.3 * now + 3.0
        for i in range(max(r - 1, 0), min(r + 2, rows)):
            for j in range(max(c - 1, 0), min(c + 2, columns)):
                other = i * columns + j
                way = diagonal if i != r and j != c else straight
                then = now + way * (slow[place] + slow[other])
                if then < time[other]:
                    time[other], k = then, at[other]
                    if k < 0:
                        k, count = count, count + 1
                    while k > 0 and keys[(k - 1) // 2] > then:
                        up = (k - 1) // 2
                        heap[k], keys[k], at[heap[up]], k = heap[up], keys[up], k, up
                    heap[k], keys[k], at[other] = other, then, k
    return time.reshape((rows, columns))


def times_to(
    costs: CostMap,
    model: MotionModel,
    x: float,
    y: float,
    start: tuple[float, float] | None = None,
) -> Floats:
    """Return how long, s, the body's middle needs at least from each cell to a place, m.

    start: a place, m; what is much farther away than it is left out, as inf. inf also where no
    way leads there, and everywhere for a place beside the map. Headings and
    footprints that are not round are not looked at.
    """
    row, column = costs.cell_of(x, y)
    rows, columns = costs.clearance.shape
    if not (0 <= row < rows and 0 <= column < columns):
        return np.full((rows, columns), np.inf)
    least = model.inner_radius + costs.margin
    beginning = (-1, -1) if start is None else costs.cell_of(*start)
    found: Floats = _spread(
        costs.clearance,
        costs.slowness,
        least,
        costs.resolution / model.speed,
        row,
        column,
        *beginning,
    )
    return found


def down_from(times: Floats, row: int, column: int) -> Iterator[tuple[int, int]]:
    """Yield the cells, row and column, of the quickest way from one, by `times_to`."""
    while math.isfinite(times[row, column]):
        yield row, column
        if times[row, column] == 0.0:
            return
        low, left = max(row - 1, 0), max(column - 1, 0)
        near = times[low : row + 2, left : column + 2]
        down, right = np.unravel_index(int(near.argmin()), near.shape)
        row, column = low + int(down), left + int(right)
