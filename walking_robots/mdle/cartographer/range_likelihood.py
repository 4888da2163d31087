"""How well a range fits a map from many assumed poses at once.

Rays of the cone step through the map by the distance to the nearest occupied cell. The echo may
come from any of them, so that the ray that fits best counts.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.compiled import compiled
from walking_robots.geometry.se2 import Pose2

Floats = NDArray[np.float64]

RAYS = 7
"""Rays of a cone that are compared with a range; a choice."""
TRUST_TO = 4.0
"""Range, m, up to which readings are compared with a map; a choice."""
NO_MOTION = np.zeros((0, 0, 4), dtype=np.float32)


class RangeModel(NamedTuple):
    """How readings are judged; found on drives in random worlds.

    sigma, sigma_share: of a range, m and as a share of it; false_share: readings that come from
    nothing in the map; power: of a reading's likelihood, since neighbouring readings share their
    errors.
    """

    sigma: float = 0.05
    sigma_share: float = 0.02
    false_share: float = 0.1
    power: float = 0.5


class Reference(NamedTuple):
    """A map to compare with.

    field: distance to the nearest occupied cell, in cells, (rows, columns); origin: of the map's
    lower left corner, m; motion: (rows, columns, 4), by how much each cell would be elsewhere, m, x
    and y, for the slip of the left and the right wheel, or (0, 0, 4) for a map that is known; slip: of
    both wheels with which it was drawn.
    """

    field: NDArray[np.float32]
    origin: tuple[float, float]
    resolution: float
    motion: NDArray[np.float32] = NO_MOTION
    slip: tuple[float, float] = (0.0, 0.0)


def log_likelihoods(
    states: Floats,
    reference: Reference,
    nominal: Pose2,
    sensor: Pose2,
    distance: float,
    half_angle: float,
    model: RangeModel,
) -> Floats:
    """Return the log-likelihood of a range, m, for each state (n, 5): x, y, heading and slips.

    nominal: the pose from which the cells are looked up that may have moved; sensor: its pose on
    the robot; half_angle: of its cone, rad.
    """
    found = np.empty(len(states))
    field, origin, side, motion, slip = reference
    _log_likelihoods(
        states, found, field, origin[0], origin[1], side, motion, slip[0], slip[1],
        nominal.x, nominal.y, nominal.heading, sensor.x, sensor.y, sensor.heading, distance,
        half_angle, model.sigma + model.sigma_share * distance, model.false_share, model.power,
    )  # fmt: skip
    return found


@compiled(
    'float64[:, ::1]', 'float64[::1]', 'float32[:, ::1]', 'float64', 'float64', 'float64',
    'float32[:, :, ::1]', 'float64', 'float64', 'float64', 'float64', 'float64', 'float64',
    'float64', 'float64', 'float64', 'float64', 'float64', 'float64', 'float64',
)  # fmt: skip
def _log_likelihoods(
    states: Floats,
    found: Floats,
    field: NDArray[np.float32],
    origin_x: float,
    origin_y: float,
    resolution: float,
    motion: NDArray[np.float32],
    slip_left: float,
    slip_right: float,
    nominal_x: float,
    nominal_y: float,
    nominal_heading: float,
    sensor_x: float,
    sensor_y: float,
    bearing: float,
    distance: float,
    half_angle: float,
    sigma: float,
    false_share: float,
    power: float,
) -> None:
    rows, columns = field.shape
    most = (distance + 3.0 * sigma) / resolution
    ahead, aside = np.empty(RAYS), np.empty(RAYS)
    for k in range(RAYS):
        angle = bearing + half_angle * (2.0 * k / (RAYS - 1) - 1.0)
        ahead[k], aside[k] = math.cos(angle), math.sin(angle)
    moving = motion.shape[0] > 0
    moved = np.zeros((RAYS, 4))
    count = states.shape[0]
    # The first round looks up, from the nominal pose, how the cells in each ray would move.
    for i in range(-1 if moving else 0, count):
        if i < 0:
            px, py, heading = nominal_x, nominal_y, nominal_heading
            left = right = 0.0
        else:
            px, py, heading = states[i, 0], states[i, 1], states[i, 2]
            left, right = states[i, 3] - slip_left, states[i, 4] - slip_right
        cosine, sine = math.cos(heading), math.sin(heading)
        x0 = (px + sensor_x * cosine - sensor_y * sine - origin_x) / resolution
        y0 = (py + sensor_x * sine + sensor_y * cosine - origin_y) / resolution
        best = 1e9
        for k in range(RAYS):
            dx = cosine * ahead[k] - sine * aside[k]
            dy = sine * ahead[k] + cosine * aside[k]
            x = x0 - (moved[k, 0] * left + moved[k, 1] * right) / resolution
            y = y0 - (moved[k, 2] * left + moved[k, 3] * right) / resolution
            way = 0.0
            while way < most:
                column, row = int(x + way * dx), int(y + way * dy)
                if row < 0 or column < 0 or row >= rows or column >= columns:
                    way = most
                    break
                gap = field[row, column]
                if gap < 0.5:
                    if i < 0:
                        for j in range(4):
                            moved[k, j] = motion[row, column, j]
                    way -= 0.25
                    break
                way += max(gap - 1.0, 0.5)
            best = min(best, abs(min(way, most) * resolution - distance))
        if i >= 0:
            fit = math.exp(-0.5 * (best / sigma) ** 2)
            found[i] = power * math.log(false_share + (1.0 - false_share) * fit)
