"""Publish velocities, stamped or not, as the parameter says."""

from typing import TYPE_CHECKING

from geometry_msgs.msg import Twist, TwistStamped
from rclpy.node import Node

from walking_robots.nodes.common.conversions import header_to_msg, twist_to_msg

if TYPE_CHECKING:
    from walking_robots.nodes.common.node import GraphNode

PEOPLE, PROGRAMS = 'cmd_vel_teleop', 'cmd_vel'
"""Topics of people (keyboard, page) and of programs; people have priority."""


def stamped_parameter(node: 'GraphNode') -> bool:
    """Declare and return ``cmd_vel_stamped``; raise ConfigurationError for a wrong value."""
    value = node.parameter(
        'cmd_vel_stamped', True, 'velocities are TwistStamped, not Twist', fixed=True
    )
    return bool(value)


class VelocityPublisher:
    """Publishes velocities of the body in ``base_link``, with the time of the node's clock."""

    def __init__(self, node: Node, stamped: bool, topic: str = PROGRAMS) -> None:
        """Publish by a node."""
        self._node, self._stamped = node, stamped
        kind = TwistStamped if stamped else Twist
        self._publisher = node.create_publisher(kind, topic, 10)

    def publish(self, vx: float, vy: float, wz: float) -> None:
        """Command a velocity: m/s ahead, m/s to the left, rad/s to the left."""
        message = twist_to_msg((vx, vy, 0.0, 0.0, 0.0, wz))
        if self._stamped:
            stamp = self._node.get_clock().now().nanoseconds
            message = TwistStamped(header=header_to_msg(stamp, 'base_link'), twist=message)
        self._publisher.publish(message)
