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

    clearance: m from each cell's middle to what blocks it; least: that a cell needs, m;
    seconds: for a cell at full speed; from_row, from_column: a cell beyond which only a little
    more is looked at, -1 for all.

    The threshold algorithm (F. Glover, D. Klingman, N. Phillips, "A new polynomially bounded
    shortest path algorithm", Operations Research 33, 1985): a queue in which cells wait until
    the threshold reaches their time. A cell may come again, so the result is exact, and none has
    to be sorted: a third of the time of Dijkstra's algorithm with a heap in random worlds.
    """
    rows, columns = clearance.shape
    wide = columns + 2
    slow = np.full((rows + 2, wide), np.inf)
    slow[1:-1, 1:-1] = np.where(clearance >= least, slowness, np.inf)
    slow[row + 1, column + 1] = slowness[row, column]
    slow = slow.ravel()
    time = np.full(slow.size, np.inf)
    # Round the map lie cells that nothing reaches; without a start one of them stands for it.
    goal, start = (row + 1) * wide + column + 1, 0
    if 0 <= from_row < rows and 0 <= from_column < columns:
        start = (from_row + 1) * wide + from_column + 1
    beside = np.array([-wide - 1, -wide + 1, wide - 1, wide + 1, -wide, -1, 1, wide])
    straight, diagonal = 0.5 * seconds, 0.5 * 1.4142135623730951 * seconds
    queue, waits = np.empty(slow.size, np.int64), np.zeros(slow.size, np.bool_)
    time[goal], queue[0], first, count, soonest = 0.0, goal, 0, 1, 0.0
    while count and soonest <= 1.3 * time[start] + 3.0:
        threshold, soonest = soonest + seconds, np.inf
        for _ in range(count):
            place, first, count = queue[first], (first + 1) % queue.size, count - 1
            now = time[place]
            if now > threshold:
                queue[(first + count) % queue.size], count = place, count + 1
                soonest = min(soonest, now)
                continue
            waits[place] = False
            for k in range(beside.size):
                other = place + beside[k]
                then = now + (diagonal if k < 4 else straight) * (slow[place] + slow[other])
                if then < time[other]:
                    time[other], soonest = then, min(soonest, then)
                    if not waits[other]:
                        queue[(first + count) % queue.size], count = other, count + 1
                        waits[other] = True
    time[time > 1.3 * time[start] + 3.0] = np.inf
    return time.reshape((rows + 2, wide))[1:-1, 1:-1].copy()


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
