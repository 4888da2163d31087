"""Find the filled cells around a point, for bodies that touch walls."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.worlds.world import World


class Near(NamedTuple):
    """Way from a point to the nearest point of each filled cell: gap, m, and bearing, rad, (n,).

    The bearing is counter-clockwise from x; within a filled cell gap and bearing are 0.
    """

    gap: NDArray[np.float64]
    bearing: NDArray[np.float64]


def near_cells(world: World, x: float, y: float, reach: float) -> Near:
    """Return the filled cells up to ``reach``, m, from a point, m; outside the map all are."""
    u, v = (x - world.origin[0]) / world.cell, (y - world.origin[1]) / world.cell
    limit = reach / world.cell
    left, low = math.ceil(u - limit) - 1, math.ceil(v - limit) - 1
    right, high = math.floor(u + limit) + 1, math.floor(v + limit) + 1
    filled = np.ones((high - low, right - left), dtype=np.bool_)
    inner = world.filled[max(low, 0) : max(high, 0), max(left, 0) : max(right, 0)]
    filled[max(-low, 0) :, max(-left, 0) :][: inner.shape[0], : inner.shape[1]] = inner
    along, across = _way(np.arange(left, right), u), _way(np.arange(low, high), v)
    row, column = np.nonzero(
        filled & (across[:, None] ** 2 + along[None, :] ** 2 <= limit * limit)
    )
    dx, dy = along[column], across[row]
    return Near(np.hypot(dx, dy) * world.cell, np.arctan2(dy, dx))


def nearest_wall(world: World, x: float, y: float, radius: float) -> tuple[float, float]:
    """Return the gap, m, between a disc and the nearest wall that it reaches, and its bearing.

    The gap is 0 or less where they touch; infinite where no wall is within the disc.
    """
    near = near_cells(world, x, y, radius)
    if not near.gap.size:
        return math.inf, 0.0
    nearest = int(near.gap.argmin())
    return float(near.gap[nearest]) - radius, float(near.bearing[nearest])


def _way(cells: NDArray[np.intp], place: float) -> NDArray[np.float64]:
    """Return the way from a place to the nearest point of each cell [i, i + 1], with its sign."""
    way: NDArray[np.float64] = np.maximum(cells - place, np.minimum(cells + 1 - place, 0.0))
    return way
