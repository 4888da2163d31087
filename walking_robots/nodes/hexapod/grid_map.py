"""The elevation map as a GridMap, for tools that read those, where grid_map_msgs is installed."""

from array import array
from importlib import import_module
from typing import Any

import numpy as np
from std_msgs.msg import Float32MultiArray, MultiArrayDimension, MultiArrayLayout

from walking_robots.nodes.common.conversions import header_to_msg, pose_to_msg
from walking_robots.nodes.common.node import GraphNode
from walking_robots.nodes.common.qos import LATCHED
from walking_robots.terrain.elevation_map import VARIANCE, MapWindow

LAYERS = ('elevation', 'variance', 'lower', 'upper', 'ceiling')


class GridMapPublisher:
    """Publishes maps on ``grid_map``, if somebody listens and the package is there."""

    def __init__(self, node: GraphNode) -> None:
        """Look for the package."""
        try:
            self._messages: Any = import_module('grid_map_msgs.msg')
        except ImportError:
            self._publisher: Any = None
            return
        self._publisher = node.create_publisher(self._messages.GridMap, 'grid_map', LATCHED)

    def publish(self, window: MapWindow, stamp: int) -> None:
        """Publish a map; ``stamp`` in ns."""
        if self._publisher is not None and self._publisher.get_subscription_count():
            self._publisher.publish(grid_map_to_msg(window, stamp, self._messages))


def grid_map_to_msg(window: MapWindow, stamp: int, messages: Any) -> Any:
    """Return the GridMap of a map, made by the message classes of a module; ``stamp`` in ns.

    Its first row is that of the greatest x, its first column that of the greatest y, and its
    values go column by column (grid_map_core, GridMapRosConverter). What is unknown is NaN.
    """
    side = window.layers.shape[1]
    known = np.isfinite(window.layers[VARIANCE])
    middle = [(first + 0.5 * side) * window.cell for first in window.first]
    layout = MultiArrayLayout(
        dim=[
            MultiArrayDimension(label='column_index', size=side, stride=side * side),
            MultiArrayDimension(label='row_index', size=side, stride=side),
        ]
    )
    data = []
    for layer in window.layers:
        values = np.where(known & np.isfinite(layer), layer, np.nan)[::-1, ::-1]
        columns = np.ascontiguousarray(values.T, np.float32)
        data.append(Float32MultiArray(layout=layout, data=array('f', columns.tobytes())))
    return messages.GridMap(
        header=header_to_msg(stamp, 'odom'),
        info=messages.GridMapInfo(
            resolution=window.cell,
            length_x=side * window.cell,
            length_y=side * window.cell,
            pose=pose_to_msg((*middle, 0.0), (1.0, 0.0, 0.0, 0.0)),
        ),
        layers=list(LAYERS),
        basic_layers=['elevation'],
        data=data,
    )
