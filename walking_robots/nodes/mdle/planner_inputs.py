"""Inputs of the planner: the map, where the robot is in it and how well, and its sonars."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from geometry_msgs.msg import PoseWithCovarianceStamped
from map_msgs.msg import OccupancyGridUpdate
from nav_msgs.msg import OccupancyGrid, Odometry
from numpy.typing import NDArray
from sensor_msgs.msg import LaserScan, PointCloud2, Range
from tf2_msgs.msg import TFMessage
from walking_robots_interfaces.msg import Bumper

from walking_robots.geometry.se2 import Pose2, Twist2
from walking_robots.mdle.cartographer.moved_object import Beam, MovedObject
from walking_robots.mdle.planner.echoes import RingEchoes
from walking_robots.mdle.planner.ground import KnownGround
from walking_robots.nodes.common.conversions import planar_pose_from_msg, planar_twist_from_msg
from walking_robots.nodes.common.node import GraphNode
from walking_robots.nodes.common.qos import LATCHED
from walking_robots.nodes.mdle.map_conversions import (
    ground_from_msg,
    updated_ground,
    with_certain,
)
from walking_robots.robots.wheeled import SonarModel

ODOMETRY, FRAME, ECHOES = 'odometry', 'map -> odom', 'echo'
PATIENCE = {ODOMETRY: 0.5, FRAME: 1.0, ECHOES: 5.0}
"""Time, s, for which each may be silent before the robot is stopped; a choice."""
REMEDIES = {
    ODOMETRY: 'is the driver running?',
    FRAME: 'is mdle_cartographer running, with a map of this world?',
    ECHOES: 'check the sonars, the laser or the depth sensor',
}


class PlannerInputs:
    """Keeps the newest of every input.

    ground: the map; frame: pose of the map in odometry; twist: of the robot; sigma: largest
    standard deviation of its position, m, 0 where nobody publishes one; ranges: of the sonars, m,
    infinite without an echo; echoes: of them, None for a robot without; moved: where something is
    in the map, m, that moved while the robot stood, None before.
    """

    def __init__(
        self,
        node: GraphNode,
        sonar: SonarModel | None,
        frames: tuple[str, str],
        check_echoes: Callable[[NDArray[np.float64]], None],
        touch: Callable[[Pose2], None],
    ) -> None:
        """Listen by ``node``.

        sonar: ring that is listened to, None for a robot with a laser or a depth sensor; frames:
        of the map and of odometry; check_echoes: is called with the arc of each new echo; touch:
        with the pose in the map at which the bumper was pressed.
        """
        self._node, self._frames = node, frames
        self._check_echoes, self._touch = check_echoes, touch
        self._pressed = False
        self.echoes = RingEchoes(sonar) if sonar else None
        self.ground: KnownGround | None = None
        self._certain: KnownGround | None = None
        self.frame: Pose2 | None = None
        self._odom: Pose2 | None = None
        self.twist = Twist2()
        self.sigma = 0.0
        self.ranges = [math.inf] * (sonar.count if sonar else 0)
        self.moved: tuple[float, float] | None = None
        self._sonar = sonar
        self._detector = MovedObject(far=sonar.far) if sonar else None
        self._fired: set[int] = set()
        self._heard = dict.fromkeys(PATIENCE, -math.inf)
        node.listen(OccupancyGrid, 'map', self._take_map, LATCHED)
        node.listen(OccupancyGridUpdate, 'map_updates', self._take_update)
        node.listen(OccupancyGrid, 'map_certain', self._take_certain, LATCHED)
        node.listen(TFMessage, '/tf', self._take_frame)
        node.listen(Odometry, 'odom', self._move)
        node.listen(PoseWithCovarianceStamped, 'pose', self._take_covariance, LATCHED)
        for number in range(len(self.ranges)):
            node.listen(Range, f'sonar/range_{number}', partial(self._hear, number))
        node.listen(Bumper, 'bumper', self._feel)
        if sonar is None:
            node.listen(LaserScan, 'scan', self._see)
            node.listen(PointCloud2, 'points', self._see)

    @property
    def pose(self) -> Pose2 | None:
        """Return where the robot is in the map, None while it is not known."""
        if self._odom is None or self.frame is None:
            return None
        return self.frame.inverse() @ self._odom

    @property
    def missing(self) -> list[str]:
        """Return the topics of which nothing has been heard."""
        known = {'map': self.ground, 'odom': self._odom, FRAME: self.frame}
        return [what for what, found in known.items() if found is None]

    def reset_timeouts(self) -> None:
        """Count silence from now on."""
        self._heard = dict.fromkeys(PATIENCE, self._node.task_time())

    def silence(self) -> tuple[float, str]:
        """Return for how long, s, something is silent for too long, and a sentence; 0, ''."""
        now = self._node.task_time()
        for what, patience in PATIENCE.items():
            silence = now - self._heard[what]
            if silence > patience:
                return silence, f'no {what} was heard for {silence:.0f} s: {REMEDIES[what]}'
        return 0.0, ''

    def _take_map(self, message: Any) -> None:
        self.ground = with_certain(ground_from_msg(message), self._certain)

    def _take_update(self, message: Any) -> None:
        if self.ground is not None:
            self.ground = updated_ground(self.ground, message)

    def _take_certain(self, message: Any) -> None:
        self._certain = ground_from_msg(message)
        if self.ground is not None:
            self.ground = with_certain(self.ground, self._certain)

    def _take_frame(self, message: Any) -> None:
        for transform in message.transforms:
            if (transform.header.frame_id, transform.child_frame_id) == self._frames:
                # The transform gives odometry in the map; programs run in odometry.
                self.frame = planar_pose_from_msg(transform.transform).inverse()
                self._heard[FRAME] = self._node.task_time()

    def _move(self, message: Any) -> None:
        self._odom = planar_pose_from_msg(message.pose.pose)
        self.twist = planar_twist_from_msg(message.twist.twist)
        self._heard[ODOMETRY] = self._node.task_time()
        self._detect_motion(self._odom)

    def _detect_motion(self, pose: Pose2) -> None:
        """Search for something that moved, by the sonars that were fired since the last time."""
        if self._sonar is None or self._detector is None:
            return
        beams = [
            Beam(self._sonar.bearing(number), distance, number in self._fired)
            for number, distance in enumerate(self.ranges)
        ]
        self._fired.clear()
        now = round(self._node.task_time() * 1e9)
        found = self._detector.step(now, pose, self.twist.w, beams)
        if found.valid and self.frame is not None:
            self.moved = (self.frame.inverse() @ Pose2(*found.position))[:2]

    def _take_covariance(self, message: Any) -> None:
        covariance = np.array(message.pose.covariance).reshape(6, 6)[:2, :2]
        if not np.isfinite(covariance).all():
            raise ValueError('its covariance is not finite')
        self.sigma = math.sqrt(max(float(np.linalg.eigvalsh(covariance)[-1]), 0.0))

    def _feel(self, message: Any) -> None:
        pose = self.pose
        if message.pressed and not self._pressed and pose is not None:
            self._touch(pose)
        self._pressed = message.pressed

    def _see(self, _: Any) -> None:
        self._heard[ECHOES] = self._node.task_time()

    def _hear(self, number: int, message: Any) -> None:
        # REP-117: minus infinity is something too near to be measured.
        echo = message.range < message.max_range
        self._fired.add(number)
        self.ranges[number] = max(message.range, message.min_range) if echo else math.inf
        if echo:
            self._heard[ECHOES] = self._node.task_time()
        pose = self.pose
        if self.echoes is None or pose is None:
            return
        arc = self.echoes.hear(number, self.ranges[number], pose, self._node.task_time())
        if len(arc):
            self._check_echoes(arc)
