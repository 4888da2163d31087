"""A robot on topics, with the channels of its partners, as the executor of programs drives it."""

import math
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import Any

from nav_msgs.msg import Odometry
from sensor_msgs.msg import BatteryState, Range
from std_msgs.msg import Bool
from walking_robots_interfaces.msg import BipedLegs, Bumper, FootContacts, PlanOutputs

from walking_robots.gaits.biped.states import FALLEN
from walking_robots.geometry.pose import roll_pitch_yaw
from walking_robots.geometry.se2 import Pose2, Screw2, Twist2
from walking_robots.mdle.robot import Observation, OutputSpec, RobotSpec, StopMode
from walking_robots.nodes.common.conversions import (
    planar_pose_from_msg,
    stamp_from_msg,
    touched_bearings_from_msg,
)
from walking_robots.nodes.common.node import GraphNode
from walking_robots.nodes.common.velocity_publisher import VelocityPublisher
from walking_robots.virtual_robots.control_spaces import saturate, twist_of
from walking_robots.virtual_robots.legged import MeanOverSteps
from walking_robots.virtual_robots.state_estimation import StateEstimator

SECOND = 1_000_000_000
LONGEST = 1.0
"""Wall time, s, for which a control counts, whatever the clock of the program says."""
PARTNER_STALE = 0.5
"""Age, s, from which values of a partner are not trusted."""
SIZES = {'pose': 3, 'point': 2, 'bool': 1}
"""Numbers of which a value consists, by type."""


class TopicRobot:
    """Subscribes to the topics of a robot and publishes ``cmd_vel``.

    A control counts for as long as it says; then this end asks for rest by itself, once. Nothing
    is published while no program drives. ``spec`` has the channels of partners too, '@name.pose';
    ``control`` is the space and the vector that were applied last; ``heard``: when odometry
    came last, wall time, s, infinite before the first.
    """

    def __init__(
        self,
        node: GraphNode,
        spec: RobotSpec,
        *,
        stamped: bool,
        rest: float,
        partners: Iterable[str] = (),
    ) -> None:
        """Listen by ``node``; ``rest`` is the speed, m/s, that counts as none."""
        self._node, self._rest = node, rest
        self._senses = StateEstimator(spec)
        self._steps = MeanOverSteps() if spec.sway else None
        self._publisher = VelocityPublisher(node, stamped)
        self._until = math.inf
        self._applied, self._longest = -math.inf, LONGEST
        self._now, self.heard = 0, math.inf
        self._shared, self._shared_at = dict[str, Any](), dict[str, int]()
        self.control: tuple[str, tuple[float, ...]] = ('', ())
        outputs = dict(spec.outputs)
        for name in partners:
            outputs[f'@{name}.state'] = OutputSpec('str', stale=PARTNER_STALE)
            for channel, output in spec.outputs.items():
                outputs[f'@{name}.{channel}'] = replace(output, stale=PARTNER_STALE, safety=True)
            topic = f'/{name}/mdle_executor/outputs'
            node.listen(PlanOutputs, topic, partial(self._hear_partner, name))
        self.spec = replace(spec, outputs=outputs)
        node.listen(Odometry, 'odom', self._moved)
        if 'bumper.any' in spec.outputs:
            node.listen(Bumper, 'bumper', self._felt)
        if 'battery' in spec.outputs:
            node.listen(BatteryState, 'battery_state', self._charged)
        if 'estop' in spec.outputs:
            node.listen(Bool, 'emergency_stop', self._pressed)
        if 'foot_contact' in spec.outputs:
            node.listen(FootContacts, 'foot_contacts', self._stepped)
        if 'fallen' in spec.outputs:
            node.listen(BipedLegs, 'gait/legs', self._walked)
        for beam in range(spec.outputs['sonar'].size if 'sonar' in spec.outputs else 0):
            node.listen(Range, f'sonar/range_{beam}', partial(self._heard, beam))
        node.create_timer(0.05, self._watch, clock=node.steady)

    def read(self, now: int) -> Observation:
        """Return what was heard up to ``now``, ns."""
        self._now = now
        own = self._senses.observe(now)
        if not self._shared:
            return own
        return Observation({**own.values, **self._shared}, {**own.stamps, **self._shared_at})

    def apply(self, space: str, control: tuple[float, ...], valid_for: float) -> None:
        """Publish a control; without another one within ``valid_for`` s the robot is to rest."""
        within = saturate(self.spec.spaces[space], control)
        twist = twist_of(self.spec, space, within)
        self.control = (space, within)
        self._until = self._node.task_time() + max(valid_for, 0.1)
        self._applied, self._longest = self._node.now(), max(valid_for, LONGEST)
        self._publish(twist)

    def stop(self, mode: StopMode = 'brake') -> None:
        """Ask for rest, whatever the mode: ``cmd_vel`` knows one only."""
        self._until = math.inf
        self.control = ('', ())
        self._publish(Screw2(0.0, 0.0, 0.0))

    def stopped(self) -> bool:
        """Return whether the robot rests, by its odometry."""
        return self._senses.still(self._rest, self._now)

    def _watch(self) -> None:
        """Ask for rest where the executor fell silent while it drove."""
        over = self._node.task_time() > self._until
        # A simulated clock may stand still, or be set back.
        silent = math.isfinite(self._until) and self._node.now() - self._applied > self._longest
        if over or silent:
            self.stop()

    def _publish(self, twist: Screw2) -> None:
        self._senses.commanded(twist, self._node.get_clock().now().nanoseconds)
        self._publisher.publish(*twist)

    # Topics of the robot

    def _moved(self, message: Any) -> None:
        self.heard = self._node.now()
        twist, stamp = message.twist.twist, self._stamp(message)
        pose = planar_pose_from_msg(message.pose.pose)
        speed, turn = twist.linear.x, twist.angular.z
        if self._steps is not None:
            x, y, speed, turn = self._steps.add(1e-9 * stamp, (pose.x, pose.y, speed, turn))
            pose = Pose2(x, y, pose.heading)
        if 'imu.roll' in self.spec.outputs:
            q = message.pose.pose.orientation
            roll, pitch, _ = roll_pitch_yaw((q.w, q.x, q.y, q.z))
            tilt = {'imu.roll': roll, 'imu.pitch': pitch}
            self._senses.feels(tilt, stamp)
        self._senses.moves(pose, Twist2(speed, turn), stamp)

    def _stepped(self, message: Any) -> None:
        feet = tuple(float(on) for on in message.contact)
        self._senses.feels({'foot_contact': feet}, self._stamp(message))

    def _walked(self, message: Any) -> None:
        self._senses.feels({'fallen': message.state == FALLEN}, self._stamp(message))

    def _felt(self, message: Any) -> None:
        touched = touched_bearings_from_msg(message)
        values = {
            'bumper.any': bool(message.pressed),
            'bumper.front': any(math.cos(bearing) > 1e-9 for bearing in touched),
            'bumper.rear': any(math.cos(bearing) < -1e-9 for bearing in touched),
            'bumper.bits': float(message.raw),
        }
        self._senses.feels(values, self._stamp(message))

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
        return stamp_from_msg(message) or self._node.get_clock().now().nanoseconds

    def _hear_partner(self, name: str, message: Any) -> None:
        """Take in the channels of a partner; raises ValueError where they do not add up."""
        sizes = message.sizes
        if len(sizes) != len(message.channels) or sum(sizes) != len(message.values):
            raise ValueError('its sizes do not fit its values')
        values: dict[str, Any] = {'state': message.state}
        numbers = iter(message.values)
        for channel, kind, size in zip(message.channels, message.types, sizes, strict=True):
            values[channel] = _value(kind, tuple(islice(numbers, size)))
        stamp = message.stamp.sec * SECOND + message.stamp.nanosec
        for channel, value in values.items():
            self._shared[f'@{name}.{channel}'] = value
            self._shared_at[f'@{name}.{channel}'] = stamp


def _value(kind: str, numbers: tuple[float, ...]) -> Any:
    """Return a value of a type of the language; raise ValueError for other numbers."""
    if len(numbers) != SIZES.get(kind, len(numbers)) or not numbers:
        raise ValueError(f'{len(numbers)} numbers are no {kind}')
    if kind == 'pose':
        return Pose2(*numbers)
    if kind == 'bool':
        return bool(numbers[0])
    return numbers[0] if len(numbers) == 1 else numbers
