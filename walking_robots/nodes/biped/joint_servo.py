"""The impedance servo of joints that take efforts: set points and joints in, efforts out."""

from typing import Any

from sensor_msgs.msg import JointState
from std_msgs.msg import Float64MultiArray
from walking_robots_interfaces.msg import JointCommand

from walking_robots.nodes.biped.conversions import (
    joint_orders_from_msg,
    joint_orders_to_msg,
    joint_senses_from_msg,
)
from walking_robots.nodes.common.conversions import stamp_from_msg
from walking_robots.nodes.common.health import OK, WARN, Health
from walking_robots.nodes.common.node import GraphNode, one_of
from walking_robots.nodes.common.qos import LOOP
from walking_robots.nodes.common.running import run_node
from walking_robots.robots.impedance import LIMP, JointOrder, effort
from walking_robots.robots.kwalk import JOINTS, KWALKS, Kwalk
from walking_robots.robots.kwalk_spatial import SPATIAL_JOINTS, SPATIAL_KWALKS, SpatialKwalk

ROBOTS: dict[str, Kwalk | SpatialKwalk] = {**KWALKS, **SPATIAL_KWALKS}


class JointServo(GraphNode):
    """Answers every state of the joints by efforts; without fresh orders they go limp."""

    def __init__(self, **options: Any) -> None:
        """Wait for joints and orders."""
        super().__init__('joint_servo', **options)
        letter = self.parameter(
            'robot', 'b', 'the robot whose efforts are bounded, where messages do not bound them',
            check=one_of('robot', ROBOTS), fixed=True,
        )  # fmt: skip
        self._limits = ROBOTS[letter].efforts
        self._limits_of = {robot.name: robot.efforts for robot in ROBOTS.values()}
        self._lock_step: bool = self.parameter(
            'lock_step', True, 'wait for the orders of the instant of control', fixed=True
        )
        control = self.parameter(
            'control_step', 0.004, 'between two commands', 's', low=1e-4, high=0.1, fixed=True
        )
        self._control = round(control * 1e9)
        self._timeout: float = self.parameter(
            'command_timeout', 0.1, 'orders that are not repeated end', 's',
            low=0.001, high=10.0, fixed=True,
        )  # fmt: skip
        self._orders: tuple[JointOrder, ...] = ()
        self._ordered = -1
        self._heard = -self._timeout
        self._waiting: Any = None
        self._limp = True
        self._efforts = self.create_publisher(JointCommand, 'joint_effort', LOOP)
        self._array = self.create_publisher(Float64MultiArray, 'effort_controller/commands', LOOP)
        self.listen(JointState, 'servo/joint_states', self._serve)
        self.listen(JointCommand, 'joint_command', self._obey)
        self.expect_single('joint_command')

    def _obey(self, message: Any) -> None:
        self._orders = joint_orders_from_msg(message, _names_of(message))
        self._ordered = stamp_from_msg(message)
        self._heard = self.now()
        if self._waiting is not None:
            self._serve(self._waiting)

    def _serve(self, message: Any) -> None:
        stamp = stamp_from_msg(message)
        if self._lock_step and self._ordered != stamp - stamp % self._control:
            self._waiting = message
            return
        self._waiting = None
        age = max(self.now() - self._heard, 1e-9 * (stamp - self._ordered))
        self._limp = not self._lock_step and age > self._timeout
        names = _names_of(message)
        limp = self._limp or len(self._orders) != len(names)
        orders = (LIMP,) * len(names) if limp else self._orders
        places, rates = joint_senses_from_msg(message, names)
        limits = self._limits_of.get(message.header.frame_id, self._limits)
        found = [
            max(-most, min(most, effort(order, place, rate)))
            for order, place, rate, most in zip(orders, places, rates, limits, strict=True)
        ]
        self._efforts.publish(
            joint_orders_to_msg(stamp, [JointOrder(effort=each) for each in found])
        )
        if self._array.get_subscription_count():
            self._array.publish(Float64MultiArray(data=found))

    def rest(self, why: str) -> None:
        """Release the joints."""
        self._orders = ()
        self._array.publish(Float64MultiArray(data=[0.0] * len(self._limits)))

    def health(self) -> Health:
        """Return whether there are orders."""
        if self._limp or self._waiting is not None:
            return WARN, 'waits for joint_command: is the biped_gait node running?'
        return OK, 'serves'


def _names_of(message: Any) -> tuple[str, ...]:
    """Return the joints of the robot that a message is about, which may name more."""
    return SPATIAL_JOINTS if SPATIAL_JOINTS[0] in message.name else JOINTS


def main() -> int:
    """Run the node as a process."""
    return run_node(JointServo)
