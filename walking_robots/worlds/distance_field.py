"""Distances to filled cells, ways between cells and what can be reached, over whole grids."""

import math
from heapq import heappop, heappush

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.compiled import compiled


GRID = 'Array(boolean, 2, "C", readonly=True)'
"""Booleans that need not be writable, for ``compiled``."""


def distance_field(
    filled: NDArray[np.bool_], resolution: float = 1.0, most: float = math.inf
) -> NDArray[np.float32]:
    """Return the distance from each cell's centre to that of the nearest filled one, (rows, cols).

    In the unit of ``resolution``, the side of a cell; 0 in filled cells, ``most`` where none is
    nearer. Exact: the lower envelope of parabolas along columns, then along rows (P. Felzenszwalb,
    D. Huttenlocher, "Distance transforms of sampled functions", Theory of Computing 8, 2012).
    """
    limit = min(most / resolution, 1e6)
    squares = _squares(np.ascontiguousarray(filled, dtype=np.bool_), limit * limit)
    return np.sqrt(squares) * np.float32(resolution)


def flood(
    passable: NDArray[np.bool_], start: tuple[int, int], corners: bool = False
) -> NDArray[np.bool_]:
    """Return the passable cells that can be reached from ``start``, (row, column).

    A step leads to a neighbour with a common side, with ``corners`` also through a corner if both
    cells beside it are passable. Nothing is reached from a cell that is not passable.
    """
    return _flood(np.ascontiguousarray(passable, dtype=np.bool_), start[0], start[1], corners)


def shortest_ways(
    cost: NDArray[np.float32], start: tuple[int, int], corners: bool = True
) -> NDArray[np.float32]:
    """Return the cost of the cheapest way from ``start``, (row, column), to each cell.

    cost: of one step for each cell, (rows, columns), 0 or less where nothing passes; a step costs
    the mean of both cells, through a corner sqrt(2) times that (Dijkstra). A way is therefore at
    most 8 % longer than a straight line. Infinite where no way leads.
    """
    return _ways(np.ascontiguousarray(cost, dtype=np.float32), start[0], start[1], corners)


@compiled(GRID, 'float64')
def _squares(filled: NDArray[np.bool_], limit: float) -> NDArray[np.float32]:
    """Return squared distances in cells, at most ``limit``."""
    rows, columns = filled.shape
    squares = np.empty((rows, columns), dtype=np.float32)
    # Along columns: whole numbers of cells up and down.
    for column in range(columns):
        way = limit
        last = -1
        for row in range(rows):
            if filled[row, column]:
                last = row
            if last >= 0:
                way = min(float((row - last) * (row - last)), limit)
            squares[row, column] = way
        last = -1
        for row in range(rows - 1, -1, -1):
            if filled[row, column]:
                last = row
            if last >= 0:
                way = float((last - row) * (last - row))
                if way < squares[row, column]:
                    squares[row, column] = way
    vertex = np.empty(columns, dtype=np.int64)
    border = np.empty(columns + 1)
    height = np.empty(columns)
    for row in range(rows):
        count = -1
        for column in range(columns):
            height[column] = squares[row, column]
            if height[column] >= limit:
                continue
            cross = -1e30
            while count >= 0:
                other = vertex[count]
                cross = (
                    height[column] + column * column - height[other] - other * other
                ) / (2.0 * (column - other))
                if cross > border[count]:
                    break
                count -= 1
            if count < 0:
                cross = -1e30
            count += 1
            vertex[count] = column
            border[count] = cross
        if count < 0:
            continue
        border[count + 1] = 1e30
        k = 0
        for column in range(columns):
            while border[k + 1] < column:
                k += 1
            away = column - vertex[k]
            squares[row, column] = min(away * away + height[vertex[k]], limit)
    return squares


@compiled(GRID, 'int64', 'int64', 'boolean')
def _flood(
    passable: NDArray[np.bool_], row: int, column: int, corners: bool
) -> NDArray[np.bool_]:
    """Return what can be reached from a cell."""
    rows, columns = passable.shape
    reached = np.zeros((rows, columns), dtype=np.bool_)
    if not (0 <= row < rows and 0 <= column < columns) or not passable[row, column]:
        return reached
    queue = np.empty(rows * columns, dtype=np.int64)
    reached[row, column] = True
    queue[0] = row * columns + column
    begin, end = 0, 1
    while begin < end:
        row, column = queue[begin] // columns, queue[begin] % columns
        begin += 1
        for down in range(-1, 2):
            for right in range(-1, 2):
                r, c = row + down, column + right
                if r < 0 or c < 0 or r >= rows or c >= columns:
                    continue
                if reached[r, c] or not passable[r, c]:
                    continue
                if down != 0 and right != 0:
                    if not corners or not passable[r, column] or not passable[row, c]:
                        continue
                reached[r, c] = True
                queue[end] = r * columns + c
                end += 1
    return reached


@compiled('Array(float32, 2, "C", readonly=True)', 'int64', 'int64', 'boolean')
def _ways(
    cost: NDArray[np.float32], row: int, column: int, corners: bool
) -> NDArray[np.float32]:
    """Return the cheapest ways from a cell."""
    rows, columns = cost.shape
    ways = np.full((rows, columns), np.inf, dtype=np.float32)
    if not (0 <= row < rows and 0 <= column < columns) or cost[row, column] <= 0.0:
        return ways
    ways[row, column] = 0.0
    queue = [(np.float32(0.0), row * columns + column)]
    while len(queue) > 0:
        way, cell = heappop(queue)
        row, column = cell // columns, cell % columns
        if way > ways[row, column]:
            continue
        for down in range(-1, 2):
            for right in range(-1, 2):
                r, c = row + down, column + right
                if (down == 0 and right == 0) or r < 0 or c < 0 or r >= rows or c >= columns:
                    continue
                step = 0.5 * (cost[row, column] + cost[r, c])
                if cost[r, c] <= 0.0:
                    continue
                if down != 0 and right != 0:
                    if not corners or cost[r, column] <= 0.0 or cost[row, c] <= 0.0:
                        continue
                    step *= 1.4142135623730951
                found = np.float32(way + step)
                if found < ways[r, c]:
                    ways[r, c] = found
                    heappush(queue, (found, r * columns + c))
    return ways
