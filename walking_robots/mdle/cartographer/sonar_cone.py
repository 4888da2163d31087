"""What a sonar's echo says of the cells in its cone (mdle.md §5.1).

An echo comes from somewhere on the arc at its range, and nothing nearer lies in the cone. The
cells of the arc compete for it: the more an echo is explained by others, the less it says of one.
With p the probability that any other cell of the arc is occupied, and f the likelihood of an echo
from nothing, Bayes' rule adds -log(p + f (1 - p)) to the log-odds of a cell.
An echo that would have come through known walls is a reflection and counts little. Silence says
nothing, since a smooth wall sends a sound away. For the same reason an echo from far away does not
make all of its cone free: a wall that runs along the cone, beside its axis, returns nothing.
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
    nothing is known, from where the grid counts; free: taken from a cell in the cone; hits_to:
    range, m, up to which hits count; free_to: up to which cells are taken for free; free_beside:
    distance, m, from the axis of the cone up to which they are, those farther aside become unknown
    at most; depth, depth_share: half the depth of the arc, m and as a share of the range; walls:
    so many known cells through which an echo may not come: the posts of a door are fewer;
    reflected: how much it counts if it would.
    """

    hit: float = 4.0
    prior: float = -2.5
    free: float = 1.1
    hits_to: float = 2.5
    free_to: float = 4.0
    free_beside: float = 0.3
    depth: float = 0.03
    depth_share: float = 0.02
    walls: int = 4
    reflected: float = 0.05


CONE = ConeModel()


def hear(
    grid: OccupancyGrid,
    robot: Pose2,
    sensor: Pose2,
    distance: float,
    half_angle: float,
    model: ConeModel = CONE,
) -> None:
    """Take in an echo.

    robot: in the grid's frame; sensor: on the robot; distance: of the echo from it, m; half_angle:
    of its cone, rad.
    """
    x, y, heading = robot @ sensor
    grid.cover(x, y, min(distance, model.free_to) + grid.resolution)
    side = grid.resolution
    depth = model.depth + model.depth_share * distance
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
        model.free,
        model.free_to / side,
        model.free_beside / side,
        model.walls,
        model.reflected,
    )


@compiled(
    'float32[:, ::1]', 'int8[:, ::1]', 'int32[:, ::1]', 'int64', 'float64', 'float64', 'float64',
    'float64', 'float64', 'float64', 'float64', 'float64', 'float64', 'float64', 'float64',
    'int64', 'float64',
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
    free: float,
    free_to: float,
    free_beside: float,
    walls: int,
    reflected: float,
) -> None:
    """Change the cells of a cone; lengths in cells."""
    rows, columns = log_odds.shape
    cosine, sine = math.cos(heading), math.sin(heading)
    slope = math.tan(half_angle)
    near = max(distance - depth, 0.0)
    far = distance + depth if hit > 0.0 else near
    far = min(far, free_to)
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
    through = 0
    near2, far2 = near * near, far * far
    # Of the probability that no cell of the arc is occupied, minus the logarithm.
    explained = 0.0
    for row in range(r0, r1):
        dy = row + 0.5 - y
        for column in range(c0, c1):
            dx = column + 0.5 - x
            along = dx * cosine + dy * sine
            if along <= 0.0 or abs(dy * cosine - dx * sine) > slope * along:
                continue
            way2 = dx * dx + dy * dy
            if way2 > far2:
                continue
            if way2 < near2:
                # A known wall a little before the echo may be the echo's own.
                if log_odds[row, column] > OCCUPIED_FROM and way2 < (near - 2.0) * (near - 2.0):
                    through += 1
            else:
                explained += math.log1p(math.exp(log_odds[row, column] + prior))
    weight = reflected if through >= walls else 1.0
    false = math.exp(-hit)
    for row in range(r0, r1):
        dy = row + 0.5 - y
        for column in range(c0, c1):
            dx = column + 0.5 - x
            along = dx * cosine + dy * sine
            if along <= 0.0 or abs(dy * cosine - dx * sine) > slope * along:
                continue
            way2 = dx * dx + dy * dy
            if way2 > far2:
                continue
            odds = log_odds[row, column]
            if way2 < near2:
                least = min(odds, 0.0) if abs(dy * cosine - dx * sine) > free_beside else LEAST
                odds = max(odds - weight * free, least)
            else:
                others = explained - math.log1p(math.exp(odds + prior))
                odds -= weight * math.log(1.0 - (1.0 - false) * math.exp(-others))
            odds = min(max(odds, LEAST), MOST)
            log_odds[row, column] = odds
            odds = log_odds[row, column]
            found = 1 if odds > OCCUPIED_FROM else (0 if odds < FREE_BELOW else -1)
            if found != class_of[row, column]:
                class_of[row, column] = found
                changed_in[row, column] = version
