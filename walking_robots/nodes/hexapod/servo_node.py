"""What a servo needs of its node: the robot, what it reports, and messages that drive joints."""

import math
from collections.abc import Callable
from typing import Any

from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint
from walking_robots_interfaces.msg import JointCommand, LegStates

from walking_robots.legs.joint_way import JointWay
from walking_robots.nodes.common.conversions import (
    Array,
    array_to_msg,
    fill_header,
    joints_from_msg,
)
from walking_robots.nodes.common.node import GraphNode, one_of
from walking_robots.nodes.common.qos import LOOP
from walking_robots.nodes.hexapod.robot import declare_hexapod

COMMAND, TRAJECTORY, BOTH = OUTPUTS = ('joint_command', 'joint_trajectory', 'both')


class ServoNode(GraphNode):
    """Reads joints, reports legs, and drives joints by either of two messages."""

    def __init__(self, **options: Any) -> None:
        """Declare the robot and the message that drives it."""
        super().__init__('leg_servo', **options)
        self.hexapod = declare_hexapod(self)
        output = self.parameter(
            'output', COMMAND, 'message that drives the joints: joint_command, joint_trajectory '
            'for ros2_control, or both, for a robot that follows its simulation',
            check=one_of('output', OUTPUTS), fixed=True,
        )  # fmt: skip
        topic = self.parameter(
            'trajectory_topic', TRAJECTORY,
            'where a joint_trajectory goes, such as /legs_controller/joint_trajectory', fixed=True,
        )  # fmt: skip
        self._soft_start = self.parameter(
            'soft_start', 3.0, 'time in which a joint_trajectory first comes to its posture', 's',
            low=0.0, high=60.0, fixed=True,
        )  # fmt: skip
        self._way: JointWay | None = None
        self._names = list(self.hexapod.joint_names)
        self.expect_single('joint_states', 'gait/decisions', 'feet/command')
        self._reports = self.create_publisher(LegStates, 'legs/state', LOOP)
        self._drives: list[tuple[Any, Callable[..., Any]]] = []
        if output != TRAJECTORY:
            publisher = self.create_publisher(JointCommand, COMMAND, LOOP)
            self._drives.append((publisher, self._command))
        if output != COMMAND:
            publisher = self.create_publisher(JointTrajectory, topic, LOOP)
            self._drives.append((publisher, self._trajectory))

    def joints(self, message: Any) -> Array:
        """Read the driven joints of a JointState, (6, 3)."""
        return joints_from_msg(message.name, message.position, self._names)

    def report(self, legs: LegStates) -> None:
        """Publish the states of the legs."""
        self._reports.publish(legs)

    def order(self, stamp: int, joints: Array, measured: Array) -> list[Any]:
        """Return the messages that bring measured joints to others in a step; ``stamp`` in ns."""
        speeds = (joints - measured) / self.hexapod.dt
        return [message(stamp, joints, speeds, measured) for _, message in self._drives]

    def drive(self, order: list[Any]) -> None:
        """Send an order to the joints."""
        for (publisher, _), message in zip(self._drives, order, strict=True):
            publisher.publish(message)

    def _command(self, stamp: int, joints: Array, speeds: Array, measured: Array) -> Any:
        del measured
        command = JointCommand(
            name=self._names, position=array_to_msg(joints), velocity=array_to_msg(speeds)
        )
        fill_header(command, stamp, '')
        return command

    def _trajectory(self, stamp: int, joints: Array, speeds: Array, measured: Array) -> Any:
        del stamp, speeds
        now, robot = self.now(), self.hexapod.articulated
        way = self._way or JointWay.resting(measured, now, self._soft_start)
        fastest = math.inf if robot is None else robot.joint_speed
        self._way = way.toward(joints, now, self.hexapod.dt, fastest)
        # Without velocities: a joint_trajectory_controller refuses a last point that has some,
        # by default, and moves evenly from point to point where there are none.
        point = JointTrajectoryPoint(positions=array_to_msg(joints))
        nanoseconds = math.ceil(self._way.time * 1e9 - 1e-3)
        point.time_from_start.sec, point.time_from_start.nanosec = divmod(nanoseconds, 10**9)
        # With a stamp of zero the controller begins at once.
        return JointTrajectory(joint_names=self._names, points=[point])
