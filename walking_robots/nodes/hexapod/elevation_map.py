"""The elevation map: clouds, odometry and feet in; a map of the ground around the robot out."""

from functools import partial
from typing import Any

from nav_msgs.msg import Odometry
from sensor_msgs.msg import PointCloud2
from walking_robots_interfaces.msg import LegStates

from walking_robots.nodes.common.clouds import cloud_from_msg, map_to_msg, mount_from_msg
from walking_robots.nodes.common.conversions import (
    leg_reports_from_msg,
    pose_from_msg,
    stamp_from_msg,
)
from walking_robots.nodes.common.health import OK, Health, waiting
from walking_robots.nodes.common.node import ConfigurationError, GraphNode
from walking_robots.nodes.common.qos import LATCHED
from walking_robots.nodes.common.running import run_node
from walking_robots.nodes.common.synchronizer import TimeSynchronizer
from walking_robots.nodes.hexapod.grid_map import GridMapPublisher
from walking_robots.nodes.hexapod.robot import declare_hexapod, declare_sensor
from walking_robots.terrain.elevation_map import ElevationMap

SOURCES = {'points': 'hexapod_sim', 'odom': 'hexapod_sim', 'legs/state': 'leg_servo'}


class ElevationMapNode(GraphNode):
    """Answers every state of the robot with the map; it knows nothing of the true terrain."""

    def __init__(self, **options: Any) -> None:
        """Wait for the first cloud."""
        super().__init__('elevation_map', **options)
        hexapod = declare_hexapod(self)
        pattern = declare_sensor(self, hexapod, 'mast_lidar')
        if pattern is None:
            raise ConfigurationError('elevation_map: sensor must not be empty.')
        self._mounts = [mount.pose() for mount in pattern.mounts]
        self._legs, self._dt = len(hexapod.model.legs), hexapod.dt
        self._settings = hexapod.map_settings(pattern.noise)
        self._map = ElevationMap(self._settings)
        self._inputs = TimeSynchronizer(*SOURCES)
        self._answered = -1
        self._answer: Any = None
        self._publisher = self.create_publisher(PointCloud2, 'elevation_map', LATCHED)
        self._grid_map = GridMapPublisher(self)
        self.expect_single('points')
        for kind, topic in zip((PointCloud2, Odometry, LegStates), SOURCES, strict=True):
            self.listen(kind, topic, partial(self._see, topic))

    def _see(self, topic: str, message: Any) -> None:
        found = self._inputs.add(topic, stamp := stamp_from_msg(message), message)
        if found is None:
            return
        if stamp != self._answered:
            if stamp < self._answered:
                self._map = ElevationMap(self._settings)
            self._update(stamp, *found)
        self._publisher.publish(self._answer)

    def _update(self, stamp: int, cloud: Any, odom: Any, legs: Any) -> None:
        """Take in a cloud and the feet of one instant, ns."""
        pose = pose_from_msg(odom.pose.pose)
        points = cloud_from_msg(cloud)
        mount = self._mounts[mount_from_msg(cloud, len(self._mounts))]
        reports = leg_reports_from_msg(legs, self._legs)
        self._map.move(*pose.position[:2])
        self._map.see(points, pose, mount)
        self._map.feel([pose.apply(report.foot) for report in reports if report.contact])
        window = self._map.window()
        self._answered, self._answer = stamp, map_to_msg(window, stamp)
        self._grid_map.publish(window, stamp)

    def health(self) -> Health:
        """Return what the map waits for."""
        found = waiting(self._inputs, self._dt, SOURCES)
        return found or (OK, f'map of {round(self._answered * 1e-9, 3)} s')


def main() -> int:
    """Run the node as a process."""
    return run_node(ElevationMapNode)
