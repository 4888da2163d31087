"""A robot on topics as the executor of MDLe programs drives it."""

import math
from collections.abc import Mapping
from functools import partial
from typing import Any

from nav_msgs.msg import Odometry
from sensor_msgs.msg import BatteryState, Range
from std_msgs.msg import Bool
from walking_robots_interfaces.msg import Bumper

from walking_robots.geometry.se2 import Twist2
from walking_robots.mdle.robot import Observation, RobotSpec, StopMode
from walking_robots.nodes.common.conversions import planar_pose_from_msg
from walking_robots.nodes.common.node import GraphNode
from walking_robots.nodes.common.velocity_publisher import VelocityPublisher
from walking_robots.virtual_robots.control_spaces import saturate, twist_of
from walking_robots.virtual_robots.state_estimation import StateEstimator

SECOND = 1_000_000_000
LONGEST = 1.0
"""Wall time, s, for which a control counts, whatever the clock of the program says."""


class TopicRobot:
    """Subscribes to the topics of a robot and publishes ``cmd_vel``.

    A control counts for as long as it says; then this end asks for rest by itself, once. Nothing
    is published while no program drives.
    """

    def __init__(self, node: GraphNode, spec: RobotSpec, *, stamped: bool, rest: float) -> None:
        """Listen by ``node``; ``rest`` is the speed, m/s, that counts as none."""
        self._node, self._spec, self._rest = node, spec, rest
        self._senses = StateEstimator(spec)
        self._publisher = VelocityPublisher(node, stamped)
        self._until = math.inf
        self._applied, self._longest = -math.inf, LONGEST
        self._now = 0
        self.control: tuple[str, tuple[float, ...]] = ('', ())
        node.listen(Odometry, 'odom', self._moved)
        if 'bumper.any' in spec.outputs:
            node.listen(Bumper, 'bumper', self._felt)
        if 'battery' in spec.outputs:
            node.listen(BatteryState, 'battery_state', self._charged)
        if 'estop' in spec.outputs:
            node.listen(Bool, 'emergency_stop', self._pressed)
        for beam in range(spec.outputs['sonar'].size if 'sonar' in spec.outputs else 0):
            node.listen(Range, f'sonar/range_{beam}', partial(self._heard, beam))
        node.create_timer(0.05, self._watch, clock=node.steady)

    @property
    def spec(self) -> RobotSpec:
        """What this robot offers."""
        return self._spec

    def read(self, now: int) -> Observation:
        """Return what was heard up to ``now``, ns."""
        self._now = now
        return self._senses.observe(now)

    def apply(self, space: str, control: tuple[float, ...], valid_for: float) -> None:
        """Publish a control; without another one within ``valid_for`` s the robot is to rest."""
        within = saturate(self._spec.spaces[space], control)
        twist = twist_of(self._spec, space, within.control)
        self.control = (space, within.control)
        self._until = self._time() + max(valid_for, 0.1)
        self._applied, self._longest = self._node.now(), max(valid_for, LONGEST)
        self._publish(twist)

    def stop(self, mode: StopMode = 'brake') -> None:
        """Ask for rest, whatever the mode: ``cmd_vel`` knows one only."""
        self._until = math.inf
        self.control = ('', ())
        self._publish(Twist2())

    def stopped(self) -> bool:
        """Return whether the robot rests, by its odometry."""
        return self._senses.still(self._rest, self._now)

    def _time(self) -> float:
        """Return the time by which controls run out, s: simulated where the program's is."""
        node = self._node
        if node.get_parameter('use_sim_time').value:
            return node.get_clock().now().nanoseconds / SECOND
        return node.now()

    def _watch(self) -> None:
        """Ask for rest where the executor fell silent while it drove."""
        over = self._time() > self._until
        # A simulated clock may stand still, or be set back.
        silent = math.isfinite(self._until) and self._node.now() - self._applied > self._longest
        if over or silent:
            self.stop()

    def _publish(self, twist: Twist2) -> None:
        self._senses.commanded(twist, self._node.get_clock().now().nanoseconds)
        self._publisher.publish(twist.v, 0.0, twist.w)

    # Topics of the robot

    def _moved(self, message: Any) -> None:
        twist = message.twist.twist
        self._senses.moves(
            planar_pose_from_msg(message.pose.pose),
            Twist2(twist.linear.x, twist.angular.z),
            self._stamp(message),
        )

    def _felt(self, message: Any) -> None:
        touched = [
            bearing
            for bearing, closed in zip(message.bearings, message.switches, strict=True)
            if closed
        ]
        values: Mapping[str, Any] = {
            'bumper.any': bool(message.pressed),
            'bumper.front': any(math.cos(bearing) > 1e-9 for bearing in touched),
            'bumper.rear': any(math.cos(bearing) < -1e-9 for bearing in touched),
            'bumper.bits': float(message.raw),
        }
        self._senses.feels(dict(values), self._stamp(message))

    def _charged(self, message: Any) -> None:
        # A robot that does not know its charge publishes NaN.
        if not math.isnan(message.percentage):
            self._senses.feels({'battery': float(message.percentage)}, self._stamp(message))

    def _pressed(self, message: Any) -> None:
        now = self._node.get_clock().now().nanoseconds
        self._senses.feels({'estop': bool(message.data)}, now)

    def _heard(self, beam: int, message: Any) -> None:
        self._senses.hears(beam, message.range, self._stamp(message))

    def _stamp(self, message: Any) -> int:
        """Return when it was measured; now, where messages are not stamped."""
        stamp = message.header.stamp
        measured = stamp.sec * SECOND + stamp.nanosec
        return measured or self._node.get_clock().now().nanoseconds
