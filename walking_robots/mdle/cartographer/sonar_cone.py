"""What a sonar's echo says of the cells in its cone (mdle.md §5.1).

An echo comes from somewhere on the arc at its range, and nothing nearer lies on the sound's way.
The cells of the arc compete for it: the more an echo is explained by others, the less it says of
one. With p the probability that any other cell of the arc is occupied, and f the likelihood of an
echo from nothing, Bayes' rule adds -log(p + f (1 - p)) to the log-odds of a cell.
The sound most likely went towards what explains the echo; elsewhere in the cone a smooth wall may
have sent it away. With s the probability that it went through a cell, and q that a wall beside
its way is silent, Bayes' rule adds log(q (1 - s)) to the log-odds of the cell. A wall that is
silent once is so for all echoes along one direction: q counts down to some log-odds only.
An echo that would have come through known walls is a reflection and counts little. Silence says
nothing.
"""

import math
from typing import NamedTuple

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


class ConeModel(NamedTuple):
    """How much echoes count; found on tours of random worlds (issue, study §2).

    hit: log-odds that an echo adds to a cell that alone explains it; prior: of a cell of which
    nothing is known, from where the grid counts; silent: -log q, taken from each cell in the
    cone; silent_to: log-odds to which that alone leads; passed: greatest s; elsewhere: what speaks
    for a direction in which nothing is known to explain the echo, against an occupied cell as 1;
    hits_to: range, m, up to which hits count; free_to: up to which cells are taken for free;
    depth, depth_share: half the depth of the arc, m and as a share of the range; walls: so many
    known cells through which an echo may not come: the posts of a door are fewer; reflected: how
    much it counts if it would.
    """

    hit: float = 4.0
    prior: float = -2.5
    silent: float = 0.8
    silent_to: float = -1.25
    passed: float = 0.95
    elsewhere: float = 0.02
    hits_to: float = 2.5
    free_to: float = 4.0
    depth: float = 0.03
    depth_share: float = 0.02
    walls: int = 4
    reflected: float = 0.05


CONE = ConeModel()
DIRECTIONS = 9
"""Parts of a cone through which the sound of an echo may have gone; a choice."""


def hear(
    grid: OccupancyGrid,
    robot: Pose2,
    sensor: Pose2,
    distance: float,
    half_angle: float,
    model: ConeModel = CONE,
    nearest: float = 0.0,
) -> None:
    """Take in an echo.

    robot: in the grid's frame; sensor: on the robot; distance: of the echo from it, m; half_angle:
    of its cone, rad; nearest: shortest range that the sensor measures, m. An echo that is no
    farther may have come from anywhere up to there.
    """
    x, y, heading = robot @ sensor
    grid.cover(x, y, min(distance, model.free_to) + grid.resolution)
    side = grid.resolution
    depth = model.depth + model.depth_share * distance
    if distance <= nearest:
        distance *= 0.5
        depth += distance
    grid.version += 1
    _hear(
        grid.log_odds,
        grid.class_of,
        grid.changed_in,
        grid.version,
        (x - grid.origin[0]) / side,
        (y - grid.origin[1]) / side,
        heading,
        half_angle,
        distance / side,
        depth / side,
        model.hit if distance <= model.hits_to else 0.0,
        model.prior,
        model.silent,
        model.silent_to,
        model.passed,
        model.elsewhere,
        model.free_to / side,
        model.walls,
        model.reflected,
    )


@compiled(
    'float32[:, ::1]', 'int8[:, ::1]', 'int32[:, ::1]', 'int64', 'float64', 'float64', 'float64',
    'float64', 'float64', 'float64', 'float64', 'float64', 'float64', 'float64', 'float64',
    'float64', 'float64', 'int64', 'float64',
)  # fmt: skip
def _hear(
    log_odds: NDArray[np.float32],
    class_of: NDArray[np.int8],
    changed_in: NDArray[np.int32],
    version: int,
    x: float,
    y: float,
    heading: float,
    half_angle: float,
    distance: float,
    depth: float,
    hit: float,
    prior: float,
    silent: float,
    silent_to: float,
    passed: float,
    elsewhere: float,
    free_to: float,
    walls: int,
    reflected: float,
) -> None:
    """Change the cells of a cone; lengths in cells."""
    rows, columns = log_odds.shape
    cosine, sine = math.cos(heading), math.sin(heading)
    slope = math.tan(half_angle)
    near, far = max(distance - depth, 0.0), distance + depth
    # Up to where cells change.
    last = far if hit > 0.0 else min(near, free_to)
    # The box round the cone: its corner, and the arc.
    left = right = x
    low = high = y
    for k in range(9):
        angle = heading + half_angle * (k - 4) / 4.0
        px, py = x + (far + 1.0) * math.cos(angle), y + (far + 1.0) * math.sin(angle)
        left, right = min(left, px), max(right, px)
        low, high = min(low, py), max(high, py)
    c0, c1 = max(int(left), 0), min(int(right) + 1, columns)
    r0, r1 = max(int(low), 0), min(int(high) + 1, rows)
    size = max(r1 - r0, 0) * max(c1 - c0, 0)
    cells = np.empty((size, 2), dtype=np.int64)
    ways, places = np.empty(size), np.empty(size)
    count = 0
    through = 0
    # Minus the logarithm of the probability that no cell of the arc is occupied: of all of it,
    # and of its parts up to each direction.
    explained = 0.0
    parts = np.zeros(DIRECTIONS + 1)
    for row in range(r0, r1):
        dy = row + 0.5 - y
        for column in range(c0, c1):
            dx = column + 0.5 - x
            along, across = dx * cosine + dy * sine, dy * cosine - dx * sine
            if along <= 0.0 or abs(across) > slope * along:
                continue
            way = math.sqrt(dx * dx + dy * dy)
            if way > far:
                continue
            place = 0.5 * DIRECTIONS * (across / (slope * along) + 1.0)
            if way < near:
                # A known wall a little before the echo may be the echo's own.
                through += log_odds[row, column] > OCCUPIED_FROM and way < near - 2.0
            else:
                part = math.log1p(math.exp(log_odds[row, column] + prior))
                explained += part
                parts[min(int(place), DIRECTIONS - 1) + 1] += part
            if way <= last:
                cells[count, 0], cells[count, 1] = row, column
                ways[count], places[count] = way, place
                count += 1
    for k in range(DIRECTIONS):
        parts[k + 1] += parts[k] + elsewhere
    weight = reflected if through >= walls else 1.0
    false = math.exp(-hit)
    for number in range(count):
        row, column = cells[number]
        odds = log_odds[row, column]
        if ways[number] < near:
            # The directions that lead through the cell.
            half = 0.25 * DIRECTIONS / (ways[number] * slope)
            share = 0.0
            for sign in (-1.0, 1.0):
                place = min(max(places[number] + sign * half, 0.0), float(DIRECTIONS))
                k = min(int(place), DIRECTIONS - 1)
                share += sign * (parts[k] + (place - k) * (parts[k + 1] - parts[k]))
            share /= parts[DIRECTIONS]
            odds = max(odds - weight * silent, min(odds, silent_to))
            odds += weight * math.log(1.0 - passed * share)
        else:
            others = explained - math.log1p(math.exp(odds + prior))
            odds -= weight * math.log(1.0 - (1.0 - false) * math.exp(-others))
        log_odds[row, column] = min(max(odds, LEAST), MOST)
        odds = log_odds[row, column]
        found = 1 if odds > OCCUPIED_FROM else (0 if odds < FREE_BELOW else -1)
        if found != class_of[row, column]:
            class_of[row, column] = found
            changed_in[row, column] = version
