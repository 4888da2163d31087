"""Which cells looks around have covered, and the way to the nearest frontier of these."""

import math
from collections import deque
from collections.abc import Collection, Iterable

from walking_robots.ars_magna.plans.wall_grid import Cell

REACH = 15.0
"""Cells as far as which a look around is taken to cover what no known wall hides.

So far, words that are read worst of all standard ones are read as well as from near by
(ars_magna.md §7.1).
"""
_RAYS = 100
"""Directions in which a look around is followed."""
_STEP = 0.25
"""Cells from one point of a ray to the next."""
_NEAR = 2.5
"""Cells from a frontier that was not reached within which others are left alone."""


def covered_by(looks: Iterable[Cell], walls: Collection[Cell]) -> set[Cell]:
    """Return the cells that looks around from some cells have covered.

    walls: the cells that are known to be filled. Any other is taken to be free.
    """
    found: set[Cell] = set()
    rays = [_ray(math.tau * (number + 0.5) / _RAYS) for number in range(_RAYS)]
    for column, row in looks:
        for ray in rays:
            for x, y in ray:
                cell = column + x, row + y
                if cell in walls:
                    break
                found.add(cell)
    return found


def _ray(angle: float) -> list[Cell]:
    ways = [_STEP * step for step in range(int(REACH / _STEP) + 1)]
    cells = [(round(way * math.cos(angle)), round(way * math.sin(angle))) for way in ways]
    return list(dict.fromkeys(cells))


def way_to_frontier(
    start: Cell, covered: Collection[Cell], walls: Collection[Cell], unreached: Collection[Cell]
) -> list[Cell] | None:
    """Return the cells of the shortest way through covered ones to the nearest frontier.

    The last cell is not covered, and no wall is known to fill it (Yamauchi, 1997). unreached: ends
    of ways on which something stopped the robot; none near them is taken. None where there is no
    frontier, or no way.
    """
    before: dict[Cell, Cell | None] = {start: None}
    queue = deque([start])
    while queue:
        x, y = cell = queue.popleft()
        for beside in ((x + 1, y), (x, y + 1), (x - 1, y), (x, y - 1)):
            if beside in walls or beside in before:
                continue
            before[beside] = cell
            if beside in covered:
                queue.append(beside)
            elif all(math.dist(beside, one) >= _NEAR for one in unreached):
                way = [beside]
                while (last := before[way[-1]]) is not None:
                    way.append(last)
                return way[::-1]
    return None
