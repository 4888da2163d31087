"""Where unknown ground begins that a robot can get to, and where to look at it from.

Frontiers are free cells beside unknown ones (Yamauchi, A frontier-based approach for autonomous
exploration, 1997), in clusters; a cluster narrower than WIDTH is noise of the map, and one larger
than LARGEST is cut, since nobody sees all of it from one place.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.mdle.planner.ground import FREE, UNKNOWN, KnownGround, Mask

WIDTH = 0.4
"""Width of a cluster, m, from which it counts."""
LARGEST = 2.0
"""Greatest extent of a frontier, m; a choice."""
METRE_VALUE = 10.0
"""What a metre of frontier is worth, s of driving."""
HYSTERESIS = 5.0
"""By how much another frontier must be better before the robot turns to it, s."""


class Frontier(NamedTuple):
    """A cluster of frontier cells.

    x, y: where to look at it from, m: the cell within view of its middle that the robot reaches
    soonest; middle: of the cluster, m; width: m; seconds: to get there.
    """

    x: float
    y: float
    middle: tuple[float, float]
    width: float
    seconds: float

    @property
    def utility(self) -> float:
        """Return what it is worth to go there, s."""
        return METRE_VALUE * self.width - self.seconds


def find_frontiers(
    ground: KnownGround, seconds: NDArray[np.float64], view: float
) -> list[Frontier]:
    """Return the frontiers that a body can look at, the most useful one first.

    seconds: time from the body to each cell, inf where it cannot go; view: m, from which a
    frontier is looked at.
    """
    edge = (ground.classes == FREE) & _beside(ground.classes == UNKNOWN)
    found = []
    largest = LARGEST / ground.resolution
    for cells in (part for cluster in _clusters(edge) for part in _cut(cluster, largest)):
        width = min(_extent(cells), len(cells)) * ground.resolution
        if width < WIDTH:
            continue
        middle = cells[np.argmin(((cells - cells.mean(axis=0)) ** 2).sum(axis=1))]
        spot = soonest_within(middle, seconds, view / ground.resolution)
        if spot is None:
            continue
        row, column = spot
        found.append(
            Frontier(
                *ground.centre_of(row, column),
                ground.centre_of(int(middle[0]), int(middle[1])),
                width,
                float(seconds[row, column]),
            )
        )
    return sorted(found, key=lambda frontier: -frontier.utility)


def narrow_gaps(ground: KnownGround, x: float, y: float, reach: float) -> Mask:
    """Return the unknown cells beside free ones within ``reach``, m, in clusters below WIDTH.

    x, y: of the place from which they are that near, m. Beyond them must lie more that is not
    known: a few cells amid free ones are noise of the map.
    """
    cell = ground.resolution
    row, column = (y - ground.origin[1]) / cell, (x - ground.origin[0]) / cell
    around = (reach + WIDTH) / cell
    part = tuple(
        slice(max(math.floor(middle - around), 0), max(math.ceil(middle + around), 0))
        for middle in (row, column)
    )
    classes = ground.classes[part]
    here = np.array((row - part[0].start, column - part[1].start)) - 0.5
    found = np.zeros(ground.classes.shape, np.bool_)
    beyond = np.zeros(classes.shape, np.bool_)
    for cells in _clusters(classes == UNKNOWN):
        if _extent(cells) * cell >= WIDTH:
            beyond[tuple(cells.T)] = True
    for cells in _clusters(beyond & _beside(classes == FREE)):
        near = np.hypot(*(cells - here).T) * cell <= reach
        if near.all() and _extent(cells) * cell < WIDTH:
            found[part][tuple(cells.T)] = True
    return found


def _beside(mask: Mask) -> Mask:
    """Return which cells have one of a mask above, below, or to a side."""
    mask = np.pad(mask, 1)
    return mask[:-2, 1:-1] | mask[2:, 1:-1] | mask[1:-1, :-2] | mask[1:-1, 2:]


def _extent(cells: NDArray[np.intp]) -> float:
    """Return the diagonal of the box round cells, in cells."""
    return float(np.hypot(*(cells.max(axis=0) - cells.min(axis=0) + 1)))


def _cut(cells: NDArray[np.intp], largest: float) -> list[NDArray[np.intp]]:
    """Return cells, (n, 2), in parts of at most some extent, in cells, by halving."""
    if _extent(cells) <= largest:
        return [cells]
    low, high = cells.min(axis=0), cells.max(axis=0)
    axis = int(np.argmax(high - low))
    upper = cells[:, axis] > (low[axis] + high[axis]) // 2
    return [*_cut(cells[~upper], largest), *_cut(cells[upper], largest)]


def _clusters(edge: Mask) -> list[NDArray[np.intp]]:
    """Return the cells, (n, 2), of each group of cells that touch, corners too."""
    left = {(int(row), int(column)) for row, column in np.argwhere(edge)}
    found = []
    while left:
        group = [left.pop()]
        for row, column in group:
            for there in ((row + dr, column + dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1)):
                if there in left:
                    left.remove(there)
                    group.append(there)
        found.append(np.array(sorted(group)))
    return found


def soonest_within(
    middle: NDArray[np.intp], seconds: NDArray[np.float64], view: float
) -> tuple[int, int] | None:
    """Return the cell within ``view`` cells of a place that is reached soonest, None for none.

    middle: row and column; seconds: to reach each cell, inf where the body cannot go.
    """
    reach = int(view)
    low = np.maximum(middle - reach, 0)
    part = seconds[low[0] : middle[0] + reach + 1, low[1] : middle[1] + reach + 1]
    rows, columns = np.indices(part.shape)
    near = (rows + low[0] - middle[0]) ** 2 + (columns + low[1] - middle[1]) ** 2 <= view * view
    times = np.where(near, part, np.inf)
    best = int(np.argmin(times))
    if not np.isfinite(times.flat[best]):
        return None
    return int(best // part.shape[1] + low[0]), int(best % part.shape[1] + low[1])
