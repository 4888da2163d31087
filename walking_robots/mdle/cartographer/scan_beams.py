"""What beams of a laser say of the cells along them: free up to their end, occupied there."""

import math

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.compiled import compiled
from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.cartographer.occupancy_grid import (
    FREE_BELOW,
    LEAST,
    MOST,
    OCCUPIED_FROM,
    OccupancyGrid,
)

HIT, FREE = 0.9, 0.4
"""Log-odds of the end of a beam and of the cells before it; a choice."""


def see(
    grid: OccupancyGrid,
    sensor: Pose2,
    angles: NDArray[np.float64],
    ranges: NDArray[np.float64],
    farthest: float,
) -> None:
    """Take in the beams of a scan.

    sensor: in the grid's frame; angles: (n,) from its heading, rad; ranges: (n,), m, infinite
    where nothing is up to ``farthest``; NaN is left out.
    """
    used = ~np.isnan(ranges) & (ranges > 0.0)
    ends = np.minimum(ranges[used], farthest)
    if not ends.size:
        return
    grid.cover(sensor.x, sensor.y, float(ends.max()) + grid.resolution)
    grid.version += 1
    _see(
        grid.log_odds,
        grid.class_of,
        grid.changed_in,
        grid.version,
        (sensor.x - grid.origin[0]) / grid.resolution,
        (sensor.y - grid.origin[1]) / grid.resolution,
        np.ascontiguousarray(angles[used] + sensor.heading),
        ends / grid.resolution,
        np.ascontiguousarray(ranges[used] <= farthest),
    )


@compiled(
    'float32[:, ::1]', 'int8[:, ::1]', 'int32[:, ::1]', 'int64', 'float64', 'float64',
    'float64[::1]', 'float64[::1]', 'boolean[::1]',
)  # fmt: skip
def _see(
    log_odds: NDArray[np.float32],
    class_of: NDArray[np.int8],
    changed_in: NDArray[np.int32],
    version: int,
    x: float,
    y: float,
    angles: NDArray[np.float64],
    ends: NDArray[np.float64],
    hits: NDArray[np.bool_],
) -> None:
    """Change the cells along beams; lengths in cells."""
    rows, columns = log_odds.shape
    # 2 where a beam ends, 1 where some pass: a cell changes once a scan, whatever their number.
    marks = np.zeros((rows, columns), dtype=np.int8)
    low, high, left, right = rows, -1, columns, -1
    for i in range(angles.shape[0]):
        if hits[i]:
            # The end lies on the face of a cell: look a little into it.
            column = math.floor(x + (ends[i] + 0.2) * math.cos(angles[i]))
            row = math.floor(y + (ends[i] + 0.2) * math.sin(angles[i]))
            if 0 <= row < rows and 0 <= column < columns:
                marks[row, column] = 2
                low, high = min(low, row), max(high, row)
                left, right = min(left, column), max(right, column)
    for i in range(angles.shape[0]):
        dx, dy = math.cos(angles[i]), math.sin(angles[i])
        column, row = math.floor(x), math.floor(y)
        step_x, step_y = (1 if dx > 0 else -1), (1 if dy > 0 else -1)
        wide, tall = (abs(1.0 / dx) if dx != 0.0 else 1e30), (abs(1.0 / dy) if dy != 0.0 else 1e30)
        next_x = (column + 1 - x if dx > 0 else x - column) * wide
        next_y = (row + 1 - y if dy > 0 else y - row) * tall
        way = 0.0
        while way < ends[i] - 0.3 and 0 <= row < rows and 0 <= column < columns:
            if marks[row, column] == 0:
                marks[row, column] = 1
                low, high = min(low, row), max(high, row)
                left, right = min(left, column), max(right, column)
            if next_x < next_y:
                way, next_x, column = next_x, next_x + wide, column + step_x
            else:
                way, next_y, row = next_y, next_y + tall, row + step_y
    for row in range(low, high + 1):
        for column in range(left, right + 1):
            if marks[row, column] == 0:
                continue
            odds = log_odds[row, column] + (HIT if marks[row, column] == 2 else -FREE)
            odds = min(max(odds, LEAST), MOST)
            log_odds[row, column] = odds
            odds = log_odds[row, column]
            found = 1 if odds > OCCUPIED_FROM else (0 if odds < FREE_BELOW else -1)
            if found != class_of[row, column]:
                class_of[row, column] = found
                changed_in[row, column] = version
