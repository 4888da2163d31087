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
from walking_robots.mdle.cartographer.occupancy_grid import OCCUPIED_FROM
from walking_robots.worlds.distance_field import distance_field

Floats = NDArray[np.float64]

RAYS = 7
"""Rays of a cone that are compared with a range; a choice."""
BLUR = 0.1
"""Distance, m, from the end of a range within which cells of a wall may be unknown; a choice."""
TRUST_TO = 4.0
"""Range, m, up to which readings are compared with a map; a choice."""


class RangeModel(NamedTuple):
    """How readings are judged; found on drives in random worlds.

    sigma, sigma_share: of a range, m and as a share of it; false_share: readings that come from
    nothing in the map; power: of a reading's likelihood, since neighbouring readings share their
    errors.
    """

    sigma: float = 0.05
    sigma_share: float = 0.02
    false_share: float = 0.1
    power: float = 0.4


class Reference(NamedTuple):
    """A map to compare with.

    field: distance to the nearest occupied cell, in cells, (rows, columns); known: (rows,
    columns), which cells are free or occupied; origin: of the map's lower left corner, m;
    resolution: side of a cell, m.
    """

    field: NDArray[np.float32]
    known: NDArray[np.bool_]
    origin: tuple[float, float]
    resolution: float

    def foretells(self, sensor: Pose2, distance: float) -> bool:
        """Return whether a range, m, of a sensor at a pose can be compared with the map.

        Along its axis the map must be known up to a wall, or nearly up to the end of the range.
        """
        x, y = (sensor.x - self.origin[0]), (sensor.y - self.origin[1])
        return bool(
            _foretells(
                self.field,
                self.known,
                np.array([x, y, (distance - BLUR)]) / self.resolution,
                sensor.heading,
            )
        )


def reference_of(
    log_odds: NDArray[np.float32],
    origin: tuple[float, float],
    resolution: float,
    occupied_from: float,
) -> Reference:
    """Return what the cells of a grid of at least some log-odds make to compare with."""
    known = np.abs(log_odds) > OCCUPIED_FROM
    return Reference(distance_field(log_odds > occupied_from), known, origin, resolution)


@compiled('float32[:, ::1]', 'boolean[:, ::1]', 'float64[::1]', 'float64')
def _foretells(  # type: ignore[no-untyped-def]
    field, known, ray, heading
):
    """Return whether a ray, x, y and length in cells, ends at a wall or in known ground."""
    way, (rows, columns) = 0.0, field.shape
    while way < ray[2]:
        row = math.floor(ray[1] + way * math.sin(heading))
        column = math.floor(ray[0] + way * math.cos(heading))
        if row < 0 or column < 0 or row >= rows or column >= columns:
            return False
        if field[row, column] < 0.5:
            return True
        if not known[row, column]:
            return False
        way += 0.7
    return True


class HeardRanges(NamedTuple):
    """Ranges (n,), m, of sensors at poses on the robot, (n, 3), and half their cones, rad."""

    sensors: Floats
    distances: Floats
    half_angles: Floats


def reading(sensor: Pose2, distance: float, half_angle: float) -> HeardRanges:
    """Return one range of a sensor."""
    return HeardRanges(np.array([sensor]), np.array([distance]), np.array([half_angle]))


def log_likelihoods(
    poses: Floats, reference: Reference, readings: HeardRanges, model: RangeModel
) -> Floats:
    """Return the log-likelihood of one range for each pose (n, 3 or more), or of each at its own.

    Poses are x, y, m, and heading, rad.
    """
    found = np.empty(len(poses))
    field, _, origin, side = reference
    _log_likelihoods(
        poses, found, field, origin[0], origin[1], side, *readings, model.sigma,
        model.sigma_share, model.false_share, model.power,
    )  # fmt: skip
    return found


@compiled(
    'float64[:, ::1]', 'float64[::1]', 'float32[:, ::1]', 'float64', 'float64', 'float64',
    'float64[:, ::1]', 'float64[::1]', 'float64[::1]', 'float64', 'float64', 'float64', 'float64',
)  # fmt: skip
def _log_likelihoods(
    poses: Floats,
    found: Floats,
    field: NDArray[np.float32],
    origin_x: float,
    origin_y: float,
    resolution: float,
    sensors: Floats,
    distances: Floats,
    half_angles: Floats,
    sigma_least: float,
    sigma_share: float,
    false_share: float,
    power: float,
) -> None:
    rows, columns = field.shape
    ahead, aside = np.empty(RAYS), np.empty(RAYS)
    for i in range(poses.shape[0]):
        if i < sensors.shape[0]:
            distance = distances[i]
            sensor_x, sensor_y = sensors[i, 0], sensors[i, 1]
            sigma = sigma_least + sigma_share * distance
            most = (distance + 3.0 * sigma) / resolution
            for k in range(RAYS):
                angle = sensors[i, 2] + half_angles[i] * (2.0 * k / (RAYS - 1) - 1.0)
                ahead[k], aside[k] = math.cos(angle), math.sin(angle)
        cosine, sine = math.cos(poses[i, 2]), math.sin(poses[i, 2])
        x = (poses[i, 0] + sensor_x * cosine - sensor_y * sine - origin_x) / resolution
        y = (poses[i, 1] + sensor_x * sine + sensor_y * cosine - origin_y) / resolution
        best = 1e9
        for k in range(RAYS):
            dx = cosine * ahead[k] - sine * aside[k]
            dy = sine * ahead[k] + cosine * aside[k]
            way = 0.0
            while way < most:
                column, row = math.floor(x + way * dx), math.floor(y + way * dy)
                if row < 0 or column < 0 or row >= rows or column >= columns:
                    way = most
                    break
                gap = field[row, column]
                if gap < 0.5:
                    way -= 0.25
                    break
                way += max(gap - 1.0, 0.5)
            best = min(best, abs(min(way, most) * resolution - distance))
        fit = math.exp(-0.5 * (best / sigma) ** 2)
        found[i] = power * math.log(false_share + (1.0 - false_share) * fit)
