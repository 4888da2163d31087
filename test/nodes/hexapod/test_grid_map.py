"""Test the GridMap of an elevation map with stand-ins for the messages of grid_map_msgs."""

from types import SimpleNamespace

import numpy as np
import pytest

from walking_robots.terrain.elevation_map import HEIGHT, UNKNOWN, VARIANCE, WAY, MapWindow

pytestmark = pytest.mark.graph

SIDE = 4


def test_a_grid_map_has_its_cells_where_its_tools_look_for_them() -> None:
    from walking_robots.nodes.hexapod.grid_map import LAYERS, grid_map_to_msg

    layers = np.empty((WAY, SIDE, SIDE), np.float32)
    layers[:] = np.array(UNKNOWN[:WAY])[:, None, None]
    # The cell of the least x, second y.
    layers[HEIGHT, 0, 1], layers[VARIANCE, 0, 1] = 0.5, 0.01
    messages = SimpleNamespace(GridMap=SimpleNamespace, GridMapInfo=SimpleNamespace)
    found = grid_map_to_msg(MapWindow(0.1, (8, -4), layers), 2_000_000_000, messages)
    assert found.layers == list(LAYERS) and len(found.data) == len(LAYERS)
    assert (found.header.stamp.sec, found.header.frame_id) == (2, 'odom')
    assert np.allclose(
        (found.info.length_x, found.info.pose.position.x, found.info.pose.position.y),
        (0.4, 1.0, -0.2),
    )
    heights = np.array(found.data[0].data).reshape(SIDE, SIDE).T
    # Rows from the greatest x down, columns from the greatest y down.
    assert np.argwhere(np.isfinite(heights)).tolist() == [[SIDE - 1, SIDE - 2]]
    assert heights[SIDE - 1, SIDE - 2] == 0.5
    labels = [(dim.label, dim.size, dim.stride) for dim in found.data[0].layout.dim]
    assert labels == [('column_index', SIDE, SIDE * SIDE), ('row_index', SIDE, SIDE)]


def test_the_mounts_of_a_sensor_have_frames() -> None:
    from walking_robots.nodes.hexapod.cloud_publisher import mount_frames
    from walking_robots.simulation.hexapod.sensor_files import find_sensor

    sensor = find_sensor('insect18').scaled(0.1)
    frames = mount_frames(sensor)
    assert [frame.child_frame_id for frame in frames] == [
        f'depth_sensor_{number}' for number in range(len(sensor.mounts))
    ]
    assert frames[0].transform.translation.x == sensor.mounts[0].position[0]


def test_forces_are_arrows_of_one_length_together() -> None:
    from walking_robots.nodes.common.markers import force_markers

    feet = [(0.0, 0.0, 0.0)] * 3
    found = force_markers(feet, [(0.0, 0.0, 5.0), (0.0, 0.0, 15.0), (0.0, 0.0, 0.0)], 0, 2.0)
    ends = [marker.points[1].z for marker in found.markers]
    assert np.allclose(ends, (0.5, 1.5, 0.0))
    assert [marker.action for marker in found.markers] == [0, 0, 2]
