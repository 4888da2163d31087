"""Clouds and maps cross unchanged to the last bit, and nonsense is refused."""

import ast
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip('rclpy', reason='There is no rclpy here: run from the environment.')

from rclpy.serialization import deserialize_message, serialize_message
from sensor_msgs.msg import PointCloud2, PointField

from walking_robots.nodes.hexapod import elevation_map, terrain_classifier
from walking_robots.nodes.common.clouds import (
    cloud_from_msg,
    cloud_to_msg,
    map_from_msg,
    map_to_msg,
    mount_from_msg,
)
from walking_robots.nodes.hexapod.conversions import TRUTH
from walking_robots.terrain.elevation_map import ElevationMap, MapSettings

SETTINGS = MapSettings(cell=0.0762, side=40)


@pytest.mark.parametrize('module', [elevation_map, terrain_classifier])
def test_eyes_are_told_nothing_of_the_true_terrain(module: Any) -> None:
    source = Path(module.__file__).read_text()
    nodes = list(ast.walk(ast.parse(source)))
    imported = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    known = ('terrain.cells', 'terrain.classifier', 'terrain.elevation_map')
    allowed = {f'walking_robots.{name}' for name in known}
    assert not {
        name
        for name in imported - allowed
        if str(name).startswith(('walking_robots.terrain', 'walking_robots.simulation'))
    }
    texts = {node.value for node in nodes if isinstance(node, ast.Constant)}
    assert not {text for text in texts if str(text).startswith(TRUTH)}
    assert elevation_map.SOURCES.keys() == {'points', 'odom', 'legs/state'}


def sent(message: Any) -> Any:
    """Return a message as the middleware delivers it."""
    return deserialize_message(serialize_message(message), type(message))


def test_points_cross_unchanged() -> None:
    points = np.random.default_rng(1).normal(size=(50, 3)).astype(np.float32)
    message = sent(cloud_to_msg(points, 100_000_000, 2))
    assert np.array_equal(cloud_from_msg(message), points)
    assert message.header.frame_id == 'depth_sensor_2' and mount_from_msg(message, 4) == 2
    assert len(cloud_from_msg(cloud_to_msg(points[:0], 0, 0))) == 0


def test_a_map_crosses_unchanged() -> None:
    map = ElevationMap(SETTINGS)
    map.move(3.0, -5.0)
    random = np.random.default_rng(2)
    map.update(random.uniform((2.0, -6.0, -0.1), (4.0, -4.0, 0.1), (500, 3)), (3.0, -5.0, 1.0))
    window = map.window()
    found = map_from_msg(sent(map_to_msg(window, 7)), SETTINGS)
    assert found.first == window.first and found.cell == window.cell
    assert np.array_equal(found.layers, window.layers)


def test_the_cloud_of_a_real_camera_is_read() -> None:
    # With colours, and NaN where there is no depth.
    kind = np.dtype([('x', '<f4'), ('y', '<f4'), ('z', '<f4'), ('pad', '<f4'), ('rgb', '<f4')])
    records = np.zeros(6, kind)
    records['x'] = (1.0, np.nan, 3.0, 4.0, np.nan, 6.0)
    message = PointCloud2(height=2, width=3, point_step=20, row_step=60)
    message.header.frame_id = 'camera_depth_optical_frame'
    message.fields = [
        PointField(name=name, offset=offset, datatype=PointField.FLOAT32, count=1)
        for name, offset in (('x', 0), ('y', 4), ('z', 8), ('rgb', 16))
    ]
    message.data.frombytes(records.tobytes())
    assert cloud_from_msg(sent(message))[:, 0].tolist() == [1.0, 3.0, 4.0, 6.0]
    assert mount_from_msg(message, 1) == 0
    with pytest.raises(ValueError, match='none of the mounts'):
        mount_from_msg(message, 2)


def test_nonsense_is_refused() -> None:
    message = cloud_to_msg(np.ones((5, 3), np.float32), 0, 0)
    message.width = 7
    with pytest.raises(ValueError, match='7 points come with 60 bytes'):
        cloud_from_msg(message)
    message = cloud_to_msg(np.ones((5, 3), np.float32), 0, 0)
    message.fields[2].name = 'range'
    with pytest.raises(ValueError, match="no float 'z'"):
        cloud_from_msg(message)
    message = map_to_msg(ElevationMap(SETTINGS).window(), 0)
    with pytest.raises(ValueError, match='80 x 80 cells'):
        map_from_msg(message, SETTINGS._replace(side=80))
    with pytest.raises(ValueError, match=r'cells of 0\.05 m'):
        map_from_msg(message, SETTINGS._replace(cell=0.05))
