"""Test the depth sensor: what it sees of ground and legs, and its noise."""

import numpy as np
import pytest

from walking_robots.robots.articulated import ArticulatedHexapod
from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.simulation.hexapod.articulated import KinematicArticulated
from walking_robots.simulation.hexapod.depth_sensor import DepthSensor
from walking_robots.simulation.hexapod.kinematic import HexapodState
from walking_robots.simulation.hexapod.sensor_files import SensorPattern, parse_sensor
from walking_robots.terrain import TernaryTerrain
from walking_robots.terrain.forbidden_ground import visible_ground
from walking_robots.terrain.generator import build

LIDAR = """
mounts: [{position: [0, 0, 0.2m]}]
range: [1cm, 5m]
scan: {columns: 60, rows: 20, azimuth: [-180deg, 180deg], elevation: [-80deg, -10deg]}
"""
NOISY = LIDAR + 'noise: 0.02\ndropouts: 0.25\n'
ROBOT = find_hexapod('insect18')
PLACE = 2.5


def state_on(terrain: TernaryTerrain, robot: ArticulatedHexapod = ROBOT) -> HexapodState:
    """Return a robot that stands in the middle of a terrain of 5 m."""
    return KinematicArticulated(robot, terrain, x=PLACE, y=PLACE).state


def ground(share: float = 0.0) -> TernaryTerrain:
    """Return level ground of 5 m, with a share of holes."""
    return visible_ground(build(50, 50, 0.1, share=share, seed=3), 0.08)


def in_odom(points: np.ndarray, pattern: SensorPattern, state: HexapodState) -> np.ndarray:
    """Return points of a sensor at its first mount in the odometry frame."""
    mount = pattern.mounts[0].pose()
    eye = np.array(state.pose.apply(mount.position))
    return points @ (state.pose.matrix() @ mount.matrix()).T + eye


def test_points_lie_on_the_ground_and_holes_are_seen() -> None:
    pattern, terrain = parse_sensor(LIDAR), ground(0.2)
    state = state_on(ground())
    points = in_odom(DepthSensor(pattern, None, terrain).look(state), pattern, state)
    assert len(points) > 600 and points.dtype == np.float64
    # On walls MuJoCo's triangles differ from the bilinear cells.
    errors = np.abs(points[:, 2] - terrain.heights_at(points[:, :2]))
    assert np.percentile(errors, 95) < 1e-5 and errors.max() < 0.02
    assert points[:, 2].min() < -0.05


def test_own_legs_hide_the_ground_and_give_no_points() -> None:
    pattern, terrain = parse_sensor(LIDAR), ground()
    state = state_on(terrain)
    without = DepthSensor(pattern, None, terrain).look(state)
    points = DepthSensor(pattern, ROBOT, terrain).look(state)
    assert 0.3 * len(without) < len(points) < 0.95 * len(without)
    assert in_odom(points, pattern, state)[:, 2] == pytest.approx(0.0, abs=1e-3)


def test_a_leg_that_moves_hides_other_ground() -> None:
    pattern, terrain = parse_sensor(LIDAR), ground()
    state = state_on(terrain)
    joints = state.joints.copy()
    joints[0, 0] += 0.5
    sensors = [DepthSensor(pattern, ROBOT, terrain) for _ in range(2)]
    first, second = (
        sensor.look(one)
        for sensor, one in zip(sensors, (state, state._replace(joints=joints)), strict=True)
    )
    assert {tuple(p) for p in first.tolist()} != {tuple(p) for p in second.tolist()}


def test_ranges_are_noisy_and_some_rays_return_nothing() -> None:
    terrain = ground()
    state = state_on(terrain)
    exact = DepthSensor(parse_sensor(LIDAR), None, terrain).look(state)
    pattern = parse_sensor(NOISY)
    found = DepthSensor(pattern, None, terrain, seed=4).look(state)
    assert len(found) == pytest.approx(0.75 * len(exact), rel=0.1)
    heights = in_odom(found, pattern, state)[:, 2]
    assert np.std(heights) == pytest.approx(0.02 * 0.3, rel=0.1)


def test_the_same_seed_sees_the_same_also_after_a_reset() -> None:
    terrain = ground()
    state, pattern = state_on(terrain), parse_sensor(NOISY)
    first, second = (DepthSensor(pattern, None, terrain, seed=4) for _ in range(2))
    looks = [first.look(state) for _ in range(3)]
    assert all(np.array_equal(look, second.look(state)) for look in looks)
    assert not np.array_equal(looks[0], looks[1])
    first.reset()
    assert np.array_equal(first.look(state), looks[0])


def test_a_sensor_looks_from_one_mount_after_another() -> None:
    text = LIDAR.replace('[{', '[{position: [0, 0, 1m], yaw: 90deg}, {')
    sensor = DepthSensor(parse_sensor(text), None, ground())
    state = state_on(ground())
    below = []
    for mount in (0, 1, 0):
        assert sensor.mount == mount
        below.append(float(np.median(sensor.look(state)[:, 2])))
    assert below == pytest.approx((-1.1, -0.3, -1.1), abs=0.01)
