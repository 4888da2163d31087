"""Worlds of 10 x 8 m drawn from seeds, with a start, a goal and whether a way leads there (AC-46).

A third each are rooms with doors, boxes and discs in one hall, and a corridor with six rooms.
"""

import math
from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.se2 import Pose2
from walking_robots.worlds.distance_field import distance_field, flood, shortest_ways
from walking_robots.worlds.world import World

CELL = 0.05
COLUMNS, ROWS = 200, 160
DOOR = (11, 20)
"""Widths of doors, cells: 0.55 to 1.0 m."""
WALL = 2
"""Thickness of walls between rooms, cells."""
UNREACHABLE = 1.0 / 7.0
"""Share of worlds whose goal cannot be reached."""
FARTHEST_GOAL = 4.0
"""Least distance from start to goal, m."""
ROOM_ABOUT_START = 0.12
"""Gap, m, that the start leaves round the robot."""
PASSES, HELD = 0.05, 0.04
"""A goal counts as reachable for a disc larger than the robot by this, m, and as unreachable if
none passes that is smaller by this: what lies between is a toss of a coin (issue, AC-46)."""

Filled = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class RandomWorld:
    """A world with a task.

    goal: (x, y), m; reachable: by truth; narrowest_m: width of the narrowest place on the widest
    way to the goal, 0 for none; best_path_m: length of the shortest way of the robot's disc along
    eight directions, infinite for none.
    """

    world: World
    start: Pose2
    goal: tuple[float, float]
    reachable: bool
    narrowest_m: float
    best_path_m: float


def random_world(seed: int, radius: float) -> RandomWorld:
    """Return the world of a seed for a robot of ``radius``, m; what is in between is drawn anew.

    Raises ValueError for a robot that no door lets through.
    """
    if not 0.05 <= radius <= 0.5 * DOOR[1] * CELL - PASSES:
        raise ValueError(f'random worlds have doors of 0.55 to 1 m; radius {radius:g} m is not for them')
    rng = Random(seed)
    shut_in = rng.random() < UNREACHABLE
    draw = (_rooms, _boxes, _corridor)[rng.randrange(3)]
    while True:
        filled = np.zeros((ROWS, COLUMNS), dtype=np.bool_)
        filled[[0, -1]] = filled[:, [0, -1]] = True
        draw(filled, rng)
        found = _task(filled, radius, shut_in, rng, f'random {seed}')
        if found is not None and found.reachable != shut_in:
            return found


def _task(
    filled: Filled, radius: float, shut_in: bool, rng: Random, name: str
) -> RandomWorld | None:
    """Return the world with a start and a goal, None if the goal is neither in reach nor not."""
    start = _place(filled, radius + ROOM_ABOUT_START, rng)
    goal = _place(filled, radius + PASSES + CELL, rng)
    if start is None or goal is None or math.dist(start, goal) < FARTHEST_GOAL:
        return None
    if shut_in:
        _shut_in(filled, goal, radius, rng)
    gaps = clearances(filled, CELL)
    begin, end = _lattice_point(start), _lattice_point(goal)
    if gaps[begin] < radius + 0.5 * ROOM_ABOUT_START or gaps[end] < radius + PASSES:
        return None
    narrowest = 2.0 * _widest(gaps, begin, end)
    reachable = narrowest >= 2.0 * (radius + PASSES)
    if not reachable and narrowest >= 2.0 * (radius - HELD):
        return None
    best = math.inf
    if reachable:
        passable = (gaps >= radius).astype(np.float32)
        best = float(shortest_ways(passable, begin)[end]) * 0.5 * CELL
    heading = rng.uniform(-math.pi, math.pi)
    substance = np.where(filled, 0, -1).astype(np.int16)
    pose = Pose2(*start, heading)
    world = World(
        name, CELL, filled, substance, np.zeros(filled.shape), ('wall',), start=pose
    )
    return RandomWorld(world, pose, goal, reachable, narrowest, best)


def clearances(filled: Filled, cell: float) -> NDArray[np.float32]:
    """Return the gap, m, to the nearest filled cell at all corners, edges and centres of cells.

    The points are half a cell apart, (2 rows + 1, 2 columns + 1); outside all is filled. The point
    of a cell that is nearest to one of them is one of them, too, so that this is exact.
    """
    rows, columns = filled.shape
    walls = np.zeros((2 * rows + 1, 2 * columns + 1), dtype=np.bool_)
    for down in range(3):
        for right in range(3):
            walls[down : down + 2 * rows : 2, right : right + 2 * columns : 2] |= filled
    walls[[0, -1]] = walls[:, [0, -1]] = True
    return distance_field(walls, 0.5 * cell)


def _lattice_point(place: tuple[float, float]) -> tuple[int, int]:
    return round(place[1] / (0.5 * CELL)), round(place[0] / (0.5 * CELL))


def _widest(gaps: NDArray[np.float32], begin: tuple[int, int], end: tuple[int, int]) -> float:
    """Return the largest gap that a way from point to point keeps, m; 0 for none."""
    low, high = 0.0, float(min(gaps[begin], gaps[end]))
    if not flood(gaps > 0.0, begin)[end]:
        return 0.0
    while high - low > 0.002:
        middle = 0.5 * (low + high)
        if flood(gaps >= middle, begin)[end]:
            low = middle
        else:
            high = middle
    return low


def _place(filled: Filled, gap: float, rng: Random) -> tuple[float, float] | None:
    """Return the centre of a cell with a gap round it, m."""
    rows, columns = np.nonzero(distance_field(filled, CELL) >= gap + 0.5 * CELL)
    if not rows.size:
        return None
    k = rng.randrange(rows.size)
    return (float(columns[k]) + 0.5) * CELL, (float(rows[k]) + 0.5) * CELL


def _shut_in(filled: Filled, goal: tuple[float, float], radius: float, rng: Random) -> None:
    """Build walls round the goal, near enough to leave the start outside."""
    half = math.ceil((radius + PASSES) / CELL) + rng.randint(3, 14)
    column, row = int(goal[0] / CELL), int(goal[1] / CELL)
    left, right = max(column - half, 0), min(column + half, COLUMNS - 1)
    low, high = max(row - half, 0), min(row + half, ROWS - 1)
    inside = filled[low : high + 1, left : right + 1].copy()
    filled[low : high + 1, left : right + 1] = True
    filled[low + WALL : high + 1 - WALL, left + WALL : right + 1 - WALL] = inside[
        WALL:-WALL, WALL:-WALL
    ]


def _door(rng: Random, length: int) -> slice:
    """Return the cells of a door in a wall of so many cells, all of it if it is too short."""
    width = min(rng.randint(*DOOR), length)
    begin = rng.randint(0, length - width)
    return slice(begin, begin + width)


def _rooms(filled: Filled, rng: Random) -> None:
    """Split the hall into rooms, each wall with a door."""
    _split(filled[1:-1, 1:-1], rng, 3)
    _furnish(filled, rng, rng.randint(0, 4))


def _split(room: Filled, rng: Random, depth: int) -> None:
    """Split a room across its longer side, then both halves."""
    rows, columns = room.shape
    if depth == 0 or max(rows, columns) < 70 or (depth == 1 and rng.random() < 0.5):
        return
    along = room if columns >= rows else room.T
    size, length = max(rows, columns), min(rows, columns)
    place = rng.randint(32, size - 32 - WALL)
    wall = along[:, place : place + WALL]
    wall[:] = True
    door = _door(rng, length)
    wall[door] = False
    # Walls that meet this one must not end in its door.
    _split(along[:, :place], rng, depth - 1)
    _split(along[:, place + WALL :], rng, depth - 1)


def _boxes(filled: Filled, rng: Random) -> None:
    """Put boxes and discs into the hall."""
    _furnish(filled, rng, rng.randint(12, 22), 22)


def _furnish(filled: Filled, rng: Random, count: int, largest: int = 12) -> None:
    """Put so many boxes and discs of up to ``largest`` cells anywhere."""
    y, x = np.ogrid[:ROWS, :COLUMNS]
    for _ in range(count):
        column, row = rng.randrange(COLUMNS), rng.randrange(ROWS)
        if rng.random() < 0.5:
            width, height = rng.randint(4, largest), rng.randint(4, largest)
            filled[row : row + height, column : column + width] = True
        else:
            radius = rng.uniform(2.0, 0.5 * largest)
            filled |= (x - column) ** 2 + (y - row) ** 2 <= radius * radius


def _corridor(filled: Filled, rng: Random) -> None:
    """Lay a corridor along the hall, with three rooms on either side."""
    width = rng.randint(20, 32)
    low = rng.randint(56, ROWS - 56 - width)
    high = low + width
    for side, begin, end in ((low - WALL, 1, low - WALL), (high, high + WALL, ROWS - 1)):
        filled[side : side + WALL, 1:-1] = True
        first = rng.randint(50, 70)
        walls = (1, first, rng.randint(first + 50, COLUMNS - 50), COLUMNS - 1)
        for left, right in zip(walls[:-1], walls[1:], strict=True):
            filled[begin:end, right : right + WALL] = True
            door = _door(rng, right - left - WALL)
            filled[side : side + WALL, left + WALL :][:, door] = False
    _furnish(filled, rng, rng.randint(0, 6))
