"""Make terrain: height profiles, random forbidden cells, ditches, in the order of the source."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.units import FOOT
from walking_robots.terrain.cells import FORBIDDEN, HOLE, TernaryTerrain
from walking_robots.terrain.relief import Relief, relief_heights, too_steep

Profile = Sequence[tuple[float, float]]
"""Break points (x, z) in m, by growing x; (0, 0) is implied (asv.md §4.3)."""

ROWS = COLUMNS = 49
CELL = 1.0 * FOOT
FLAT: Profile = ()
DEFAULT_PROFILE: Profile = ((19 * FOOT, 0.0), (25 * FOOT, 1 * FOOT), (35 * FOOT, 1.5 * FOOT))
LARGEST_SLOPE = math.radians(30.0)

_MULTIPLIER, _INCREMENT, _MODULUS = 43411, 17, 640001


def _draws(seed: int) -> Iterator[int]:
    """Yield the states of the source's random generator for ever (asv.md §4.4)."""
    state = seed
    while True:
        state = (_MULTIPLIER * state + _INCREMENT) % _MODULUS
        yield state


def lcg_states(seed: int, n: int) -> list[int]:
    """Return the first n states of the linear congruential generator (asv.md §4.4)."""
    return list(islice(_draws(seed), n))


def forbidden_cells(rows: int, columns: int, share: float, seed: int) -> NDArray[np.int8]:
    """Return a grid with about `share` (0 ... 1) of its cells forbidden.

    Gives (rows, columns) int8. One draw a cell, x outermost (asv.md §4.4).
    """
    states = np.array(lcg_states(seed, rows * columns), dtype=np.float64)
    return (states / _MODULUS < share).astype(np.int8).reshape(rows, columns)


def slope_profile(angle: float) -> Profile:
    """Return the profile with one slope of `angle` (rad) between 20 and 40 feet.

    Raises ValueError beyond 30 degrees (asv.md §4.3).
    """
    if not abs(angle) <= LARGEST_SLOPE + 1e-12:
        raise ValueError(f'a slope may have at most 30 degrees, found {math.degrees(angle):g}')
    return ((20 * FOOT, 0.0), (40 * FOOT, 20 * FOOT * math.tan(angle)))


def profile_heights(points: Profile, rows: int, cell: float) -> NDArray[np.float64]:
    """Return the heights (rows+1,) m at the row borders, constant after the last break point.

    Raises ValueError unless x grows from point to point (asv.md §4.3).
    """
    start = () if points and points[0][0] == 0.0 else ((0.0, 0.0),)
    x, z = np.array((*start, *points), dtype=np.float64).T
    if np.any(np.diff(x) <= 0.0):
        raise ValueError('the x of a profile must grow from point to point, starting at 0')
    heights: NDArray[np.float64] = np.interp(np.arange(rows + 1) * cell, x, z)
    return heights


@dataclass(frozen=True)
class Ditch:
    """A straight ditch right across the terrain.

    near_edge: x (m, odom) of the edge met first, on the terrain's middle line; width: m, square to
    the ditch; angle: rad, counter-clockwise, 0 = perpendicular to travel along x (asv.md §4.5).
    """

    near_edge: float
    width: float
    angle: float = 0.0

    def cells(self, rows: int, columns: int, cell: float) -> NDArray[np.bool_]:
        """Return the mask (rows, columns) of the cells whose centre lies in the ditch."""
        x = (np.arange(rows) + 0.5)[:, None] * cell - self.near_edge
        y = (np.arange(columns) + 0.5 - 0.5 * columns)[None, :] * cell
        depth = x * math.cos(self.angle) + y * math.sin(self.angle)
        inside: NDArray[np.bool_] = (depth >= 0.0) & (depth < self.width)
        return inside


def build(
    rows: int = ROWS,
    columns: int = COLUMNS,
    cell: float = CELL,
    *,
    profile: Profile = FLAT,
    heights: NDArray[np.float64] | None = None,
    share: float = 0.0,
    seed: int = 123,
    marked: NDArray[np.int8] | None = None,
    kinds: NDArray[np.int8] | int = HOLE,
    ditches: Sequence[Ditch] = (),
    relief: Sequence[Relief] = (),
    revision: int = 0,
) -> TernaryTerrain:
    """Build a terrain in the order elevation, random and marked cells, ditches (asv.md §4.5).

    profile: break points (m), unless heights (rows+1,) or (rows+1, columns+1) m are given; share:
    0 ... 1 of random forbidden cells; marked: (rows, columns) int8, laid over the random cells
    where not permitted; kinds: of which kind random and marked forbidden cells are, (rows,
    columns) or one for all, while ditches are holes; relief: raises the ground, where too steep a
    cell is forbidden.
    """
    nodes = profile_heights(profile, rows, cell) if heights is None else heights
    cells = forbidden_cells(rows, columns, share, seed)
    if marked is not None:
        cells = np.where(marked != 0, marked, cells).astype(np.int8)
    kinds = np.broadcast_to(np.int8(kinds), cells.shape).copy()
    for ditch in ditches:
        inside = ditch.cells(rows, columns, cell)
        cells[inside], kinds[inside] = FORBIDDEN, HOLE
    if relief:
        nodes = (nodes[:, None] if nodes.ndim == 1 else nodes) + relief_heights(
            relief, rows, columns, cell
        )
        steep = too_steep(nodes, cell)
        cells[steep], kinds[steep] = FORBIDDEN, HOLE
    return TernaryTerrain(cells, nodes, cell, revision=revision, kinds=kinds)
