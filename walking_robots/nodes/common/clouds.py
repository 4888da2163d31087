"""Between clouds and maps of the library and PointCloud2."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sensor_msgs.msg import PointCloud2, PointField

from walking_robots.nodes.common.conversions import header_to_msg
from walking_robots.terrain.elevation_map import HEIGHT, UNKNOWN, VARIANCE, MapSettings, MapWindow

Points = NDArray[np.float32]

SENSOR_FRAME = 'depth_sensor'
"""Frame of the points of a sensor; the number of its mount follows."""

MAP_FIELDS = ('x', 'y', 'z', 'variance', 'lower', 'upper', 'ceiling')
MOST_POINTS = 1_000_000
_FLOAT = np.dtype('<f4')


def cloud_to_msg(points: Points, stamp: int, mount: int) -> PointCloud2:
    """Return the message of points (n, 3), m, of a sensor at a mount; ``stamp`` in ns."""
    header = header_to_msg(stamp, f'{SENSOR_FRAME}_{mount}')
    return _message(points, header, ('x', 'y', 'z'), (1, len(points)))


def cloud_from_msg(message: Any) -> Points:
    """Return the finite points (n, 3), m, of a cloud of any sensor.

    Raises ValueError for a cloud without floats x, y and z.
    """
    points = _columns(message, ('x', 'y', 'z'))
    return np.ascontiguousarray(points[:, np.isfinite(points).all(axis=0)].T)


def mount_from_msg(message: Any, mounts: int) -> int:
    """Return from which of so many mounts a cloud is; raises ValueError for an unknown frame."""
    name, _, number = message.header.frame_id.rpartition('_')
    if name == SENSOR_FRAME and number.isdecimal() and int(number) < mounts:
        return int(number)
    if mounts == 1:
        return 0
    raise ValueError(f'the frame {message.header.frame_id!r} is none of the mounts of the sensor')


def map_to_msg(window: MapWindow, stamp: int) -> PointCloud2:
    """Return a map as a cloud of all its cells, row by row; ``stamp`` in ns."""
    side = window.layers.shape[1]
    values = np.empty((side, side, len(MAP_FIELDS)), np.float32)
    x, y = ((first + 0.5 + np.arange(side)) * window.cell for first in window.first)
    values[..., 0], values[..., 1] = x[:, None], y
    values[..., 2:] = np.moveaxis(window.layers, 0, -1)
    # Tools leave out what is no point.
    values[..., 2 + HEIGHT][np.isinf(window.layers[VARIANCE])] = np.nan
    return _message(values, header_to_msg(stamp, 'odom'), MAP_FIELDS, (side, side))


def map_from_msg(message: Any, settings: MapSettings) -> MapWindow:
    """Return the map of a message; raises ValueError for one of another robot."""
    side, cell = settings.side, settings.cell
    if (message.height, message.width) != (side, side):
        raise ValueError(f'a map of this robot has {side} x {side} cells')
    x, y, *_ = values = _columns(message, MAP_FIELDS).reshape(-1, side, side)
    corner = np.array((x[0, 0], y[0, 0]), np.float64)
    if not np.isfinite(corner).all() or abs(x[1, 0] - corner[0] - cell) > 0.1 * cell:
        raise ValueError(f'a map of this robot has cells of {cell:g} m')
    layers = values[2:]
    layers[HEIGHT][np.isnan(layers[HEIGHT])] = UNKNOWN[HEIGHT]
    first = np.round(corner / cell - 0.5).astype(int).tolist()
    return MapWindow(cell, (first[0], first[1]), layers)


def _message(
    values: Points, header: Any, names: tuple[str, ...], shape: tuple[int, int]
) -> PointCloud2:
    height, width = shape
    step = len(names) * _FLOAT.itemsize
    message = PointCloud2(
        header=header,
        height=height,
        width=width,
        fields=[
            PointField(name=name, offset=index * 4, datatype=PointField.FLOAT32, count=1)
            for index, name in enumerate(names)
        ],
        point_step=step,
        row_step=step * width,
        is_dense=False,
    )
    message.data.frombytes(np.ascontiguousarray(values, _FLOAT).tobytes())
    return message


def _columns(message: Any, names: tuple[str, ...]) -> Points:
    """Return the named fields (k, n) of a cloud."""
    offsets = {
        field.name: field.offset
        for field in message.fields
        if field.datatype == PointField.FLOAT32 and field.offset + 4 <= message.point_step
    }
    count = message.width * message.height
    if count > MOST_POINTS or len(message.data) != count * message.point_step:
        raise ValueError(f'{count} points come with {len(message.data)} bytes')
    if missing := [name for name in names if name not in offsets]:
        raise ValueError(f'a cloud has no float {missing[0]!r}')
    if message.is_bigendian:
        raise ValueError('a cloud is big-endian')
    kind = np.dtype(
        {
            'names': names,
            'formats': [_FLOAT] * len(names),
            'offsets': [offsets[name] for name in names],
            'itemsize': message.point_step,
        }
    )
    records = np.frombuffer(message.data, kind)
    return np.array([records[name] for name in names], np.float32)
