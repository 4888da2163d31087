"""The depth sensor of a simulated hexapod, where it has one."""

from typing import Any

import numpy as np
from geometry_msgs.msg import TransformStamped
from sensor_msgs.msg import PointCloud2
from tf2_msgs.msg import TFMessage

from walking_robots.geometry.pose import to_quaternion
from walking_robots.nodes.common.clouds import SENSOR_FRAME, Points, cloud_to_msg
from walking_robots.nodes.common.conversions import fill_point, header_to_msg
from walking_robots.nodes.common.node import GraphNode
from walking_robots.nodes.common.qos import LATCHED, LOOP
from walking_robots.nodes.hexapod.robot import Hexapod, declare_sensor
from walking_robots.simulation.hexapod.depth_sensor import DepthSensor
from walking_robots.simulation.hexapod.sensor_files import SensorPattern
from walking_robots.simulation.hexapod.simulated import HexapodState
from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.terrain.forbidden_ground import visible_ground


def mount_frames(pattern: SensorPattern) -> list[TransformStamped]:
    """Return the frames of all mounts of a sensor, in base_link."""
    found = []
    for number, mount in enumerate(pattern.mounts):
        frame = TransformStamped(
            header=header_to_msg(0, 'base_link'), child_frame_id=f'{SENSOR_FRAME}_{number}'
        )
        pose, turned = mount.pose(), frame.transform.rotation
        fill_point(frame.transform.translation, pose.position)
        turned.w, turned.x, turned.y, turned.z = to_quaternion(pose)
        found.append(frame)
    return found


class CloudPublisher:
    """Looks once at every state and publishes what is seen; the cloud may be empty."""

    def __init__(self, node: GraphNode, hexapod: Hexapod, seed: int) -> None:
        """Declare the parameters of a sensor, on ``points`` where there is one.

        seed: of its noise.
        """
        self._hexapod, self._seed = hexapod, seed
        self._pattern = declare_sensor(node, hexapod)
        self._depth = node.parameter(
            'hole_depth', 1.0, 'how deep holes look', 'lifts of a foot', low=0.0,
            high=100.0, fixed=True,
        )  # fmt: skip
        self._points: Any = None
        if self._pattern is not None:
            self._points = node.create_publisher(PointCloud2, 'points', LOOP)
            static = node.create_publisher(TFMessage, '/tf_static', LATCHED)
            static.publish(TFMessage(transforms=mount_frames(self._pattern)))
        self._sensor: DepthSensor | None = None
        self._cloud: tuple[Points, int] = (np.empty((0, 3), np.float32), 0)

    @property
    def sees(self) -> bool:
        """Return whether there is a sensor."""
        return self._pattern is not None

    def stand_on(self, terrain: TernaryTerrain, state: HexapodState) -> None:
        """Look at new terrain, from the start."""
        if self._pattern is not None:
            ground = visible_ground(terrain, self._depth * self._hexapod.model.timing.lift_height)
            robot = self._hexapod.articulated
            self._sensor = DepthSensor(self._pattern, robot, ground, seed=self._seed)
            self.restart(state)

    def restart(self, state: HexapodState) -> None:
        """Look from the start once more, with the same noise."""
        if self._sensor is not None:
            self._sensor.reset()
            self.look(state)

    def look(self, state: HexapodState) -> None:
        """Look at a state."""
        if self._sensor is not None:
            mount = self._sensor.mount
            self._cloud = self._sensor.look(state), mount

    def show(self, stamp: int) -> None:
        """Publish what was seen last; ``stamp`` in ns."""
        if self._points is not None:
            points, mount = self._cloud
            self._points.publish(cloud_to_msg(points, stamp, mount))
