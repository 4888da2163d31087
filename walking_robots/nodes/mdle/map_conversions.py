"""Between maps, scans and poses of the cartographer and the messages of Nav2 and RViz."""

from array import array
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from geometry_msgs.msg import PoseWithCovarianceStamped
from map_msgs.msg import OccupancyGridUpdate
from nav_msgs.msg import OccupancyGrid as OccupancyGridMsg
from numpy.typing import NDArray

from walking_robots.geometry.se2 import quaternion
from walking_robots.mdle.cartographer.map_particles import Estimate
from walking_robots.mdle.cartographer.occupancy_grid import FREE, OCCUPIED, OccupancyGrid
from walking_robots.mdle.planner.ground import UNKNOWN, KnownGround
from walking_robots.nodes.common.conversions import fill_pose, header_to_msg

Floats = NDArray[np.float64]

MOST_BEAMS = 100_000
CLOUD_BEAMS = 360
"""Directions into which the points of a cloud are sorted."""


def grid_to_msg(grid: OccupancyGrid, stamp: int, frame: str) -> OccupancyGridMsg:
    """Return a map: 0 free, 100 occupied, -1 unknown."""
    return _map_to_msg(grid, _values(grid.classes()), stamp, frame)


def certain_to_msg(grid: OccupancyGrid, stamp: int, frame: str) -> OccupancyGridMsg:
    """Return of which cells a map is certain: 0 free, 100 occupied, -1 all others."""
    return _map_to_msg(grid, _values(grid.certain), stamp, frame)


def _map_to_msg(
    grid: OccupancyGrid, values: 'array[int]', stamp: int, frame: str
) -> OccupancyGridMsg:
    found = OccupancyGridMsg(header=header_to_msg(stamp, frame))
    info = found.info
    info.map_load_time = found.header.stamp
    info.resolution, info.width, info.height = grid.resolution, grid.columns, grid.rows
    info.origin.position.x, info.origin.position.y = grid.origin
    info.origin.orientation.w = 1.0
    found.data = values
    return found


def update_to_msg(
    grid: OccupancyGrid, rows: NDArray[np.intp], columns: NDArray[np.intp], stamp: int, frame: str
) -> OccupancyGridUpdate:
    """Return the box of a map round cells, as ``map_updates`` takes it."""
    low, high, left, right = rows.min(), rows.max() + 1, columns.min(), columns.max() + 1
    return OccupancyGridUpdate(
        header=header_to_msg(stamp, frame),
        x=int(left),
        y=int(low),
        width=int(right - left),
        height=int(high - low),
        data=_values(grid.classes()[low:high, left:right]),
    )


def _values(classes: NDArray[np.int8]) -> 'array[int]':
    values = np.full(classes.shape, -1, dtype=np.int8)
    values[classes == FREE], values[classes == OCCUPIED] = 0, 100
    return array('b', values.tobytes())


def ground_from_msg(message: Any) -> KnownGround:
    """Return the ground of an OccupancyGrid; raise ValueError for one that does not add up."""
    info = message.info
    values = np.array(message.data, dtype=np.int8)
    if values.size != info.width * info.height or not values.size or not info.resolution > 0.0:
        raise ValueError('its data are not width x height cells')
    origin = info.origin.position
    cells = _classes(values.reshape(info.height, info.width))
    return KnownGround(cells, info.resolution, (origin.x, origin.y))


def updated_ground(ground: KnownGround, message: Any) -> KnownGround:
    """Return ground with an OccupancyGridUpdate; raise ValueError for one that lies beside it."""
    rows, columns = ground.classes.shape
    low, left = message.y, message.x
    values = np.array(message.data, dtype=np.int8)
    if (
        values.size != message.width * message.height
        or not 0 <= low <= low + message.height <= rows
        or not 0 <= left <= left + message.width <= columns
    ):
        raise ValueError('it does not lie in the map')
    classes = ground.classes.copy()
    part = classes[low : low + message.height, left : left + message.width]
    part[...] = _classes(values.reshape(part.shape))
    return replace(ground, classes=classes)


def with_certain(ground: KnownGround, certain: KnownGround | None) -> KnownGround:
    """Return ground with the cells of ``map_certain``, None before any came, as certain.

    Those of a map with another shape do not count: they follow a map that has grown.
    """
    if certain is None:
        return ground
    same = (certain.classes.shape, certain.origin) == (ground.classes.shape, ground.origin)
    nothing = np.full(ground.classes.shape, UNKNOWN, np.int8)
    return replace(ground, certain=certain.classes if same else nothing)


def _classes(values: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return the classes of an occupancy grid's values: 0 to 100, -1 for unknown."""
    return np.where(values < 0, UNKNOWN, np.where(values >= 50, OCCUPIED, FREE)).astype(np.int8)


def pose_with_covariance_to_msg(
    stamp: int, frame: str, estimate: Estimate
) -> PoseWithCovarianceStamped:
    """Return a pose with the covariance of x, y and heading."""
    found = PoseWithCovarianceStamped(header=header_to_msg(stamp, frame))
    x, y, heading = estimate.pose
    fill_pose(found.pose.pose, (x, y, 0.0), quaternion(heading))
    covariance = np.zeros((6, 6))
    places = np.ix_((0, 1, 5), (0, 1, 5))
    covariance[places] = estimate.covariance
    found.pose.covariance = covariance.ravel()
    return found


def scan_from_msg(message: Any) -> tuple[Floats, Floats]:
    """Return angles, rad, and ranges, m, of a LaserScan, infinite without end, NaN where unused.

    Raises ValueError for one that cannot be.
    """
    ranges = np.array(message.ranges, dtype=np.float64)
    if (
        len(ranges) > MOST_BEAMS
        or not np.isfinite([message.angle_min, message.angle_increment]).all()
    ):
        raise ValueError('its angles are not finite, or it has too many beams')
    angles: Floats = message.angle_min + message.angle_increment * np.arange(
        len(ranges), dtype=np.float64
    )
    # REP-117: -inf is too near to measure; what is beyond its limits says nothing.
    ranges[ranges < message.range_min] = np.nan
    ranges[ranges > message.range_max] = np.inf
    return angles, ranges


def scan_from_cloud(points: NDArray[np.float32], height: Sequence[float]) -> tuple[Floats, Floats]:
    """Return angles and ranges of the nearest point in each direction, of those at some height, m.

    A direction without a point says nothing.
    """
    walls = points[(points[:, 2] >= height[0]) & (points[:, 2] <= height[1])].astype(np.float64)
    angles = (np.arange(CLOUD_BEAMS, dtype=np.float64) + 0.5) * (2.0 * np.pi / CLOUD_BEAMS) - np.pi
    beam = (np.arctan2(walls[:, 1], walls[:, 0]) + np.pi) * (CLOUD_BEAMS / (2.0 * np.pi))
    ranges: Floats = np.full(CLOUD_BEAMS, np.inf)
    index = np.clip(beam.astype(np.intp), 0, CLOUD_BEAMS - 1)
    np.minimum.at(ranges, index, np.hypot(walls[:, 0], walls[:, 1]))
    ranges[np.isinf(ranges)] = np.nan
    return angles, ranges
