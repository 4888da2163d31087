"""The lidar of a simulated hexapod in a world, above all that it steps over."""

import math
from typing import Any

import numpy as np
from sensor_msgs.msg import LaserScan

from walking_robots.geometry.se2 import Pose2
from walking_robots.nodes.common.conversions import header_to_msg
from walking_robots.nodes.common.node import ConfigurationError, GraphNode
from walking_robots.nodes.common.qos import LOOP
from walking_robots.worlds.rays import RayCaster
from walking_robots.worlds.world import World

BEAMS = 360
PERIOD = 100_000_000
"""Time, ns, between two scans."""
NEAR, FAR = 0.05, 8.0
"""Ranges that it measures, m."""
NOISE = 0.01
"""Standard deviation of a range, m."""


class ScanPublisher:
    """Publishes ``scan``, all round from the middle of the body, where the robot has a lidar."""

    def __init__(self, node: GraphNode, walls: World | None, seed: int) -> None:
        """Declare whether there is one; raise ConfigurationError without walls to see."""
        wanted = node.parameter(
            'lidar', False, 'in a world: publish scan, of a lidar above what the robot steps over',
            fixed=True,
        )  # fmt: skip
        self._rays: RayCaster | None = None
        if not wanted:
            return
        if walls is None:
            raise ConfigurationError('hexapod_sim: lidar needs a world.')
        self._rays, self._rng = RayCaster(walls), np.random.default_rng(seed)
        self._angles = -math.pi + np.arange(BEAMS) * (math.tau / BEAMS)
        self._due = 0
        self._publisher: Any = node.create_publisher(LaserScan, 'scan', LOOP)

    def show(self, pose: Pose2, stamp: int) -> None:
        """Publish a scan where one is due; ``pose`` by truth, ``stamp`` in ns."""
        if self._rays is None or (self._due - PERIOD < stamp < self._due):
            return
        self._due = stamp + PERIOD
        ranges = self._rays.cast(pose.x, pose.y, pose.heading + self._angles, FAR).distance
        ranges = ranges + NOISE * self._rng.standard_normal(BEAMS)
        self._publisher.publish(
            LaserScan(
                header=header_to_msg(stamp, 'base_link'),
                angle_min=-math.pi,
                angle_max=math.pi - math.tau / BEAMS,
                angle_increment=math.tau / BEAMS,
                scan_time=1e-9 * PERIOD,
                range_min=NEAR,
                range_max=FAR,
                ranges=ranges.tolist(),
            )
        )
