"""Velocity commands of people and of programs: one publisher drives the robot at a time."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from geometry_msgs.msg import Twist, TwistStamped
from rclpy.qos import QoSProfile, ReliabilityPolicy

from walking_robots.geometry.pose import Rates
from walking_robots.nodes.common.conversions import stamp_from_msg, twist_from_msg
from walking_robots.nodes.common.node import GraphNode
from walking_robots.nodes.common.velocity_publisher import PEOPLE, PROGRAMS

NEWEST = QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT)
"""Keeps only the newest velocity, and has none sent again: a delayed one is obsolete."""

OTHER_CLOCK = 1e8
"""Age, s, from which a stamp is of another kind of clock, such as a simulated one."""


class _Publisher(NamedTuple):
    """Who publishes on a topic: a GID, or the number of the last message where rclpy has none.

    rclpy gives the GID from Kilted on.
    """

    topic: str
    gid: bytes | None
    number: int

    def may_be(self, later: '_Publisher') -> bool:
        """Return whether a later message may be of the same publisher."""
        if self.topic != later.topic or self.gid != later.gid:
            return False
        return self.gid is not None or later.number > self.number


class VelocitySubscriber:
    """Subscribes to velocities and passes on those of the publisher that drives.

    A publisher drives from its first velocity that is not zero until it has sent none for the
    timeout; a program also ends by a zero. Meanwhile others are refused, but people take over from
    programs, and any person may stop the robot. Refused are also velocities that are older than
    the timeout by their stamp, whose frame is not the body's, and that may have waited while the
    process stood still.
    """

    def __init__(
        self,
        node: GraphNode,
        timeout: float,
        drive: Callable[[Rates, float], None],
        *,
        stamped: bool,
        frame: str = 'base_link',
    ) -> None:
        """Subscribe by ``node``; ``timeout`` in s.

        ``drive`` gets rates in the frame of the body, m/s and rad/s, and when they were commanded
        by the steady clock, s; it raises ValueError to refuse them.
        """
        self._node, self._timeout, self._drive, self._frame = node, timeout, drive, frame
        self._driver = _Publisher('', None, 0)
        self._since = -math.inf
        for topic in (PEOPLE, PROGRAMS):
            take = partial(self._take, topic)
            node.listen(TwistStamped if stamped else Twist, topic, take, NEWEST)

    def _take(self, topic: str, message: Any, info: Any) -> None:
        rates = twist_from_msg(getattr(message, 'twist', message))
        if self._node.resumes:
            raise ValueError('it may have waited while the node stood still')
        age = self._age(message) if hasattr(message, 'header') else 0.0
        gid = info.get('publisher_gid', {}).get('data')
        sender = _Publisher(topic, gid, info['publication_sequence_number'])
        now, moves = self._node.now(), any(rates)
        if now - self._since <= self._timeout and not self._driver.may_be(sender):
            from_person = topic == PEOPLE
            if not (from_person and (self._driver.topic == PROGRAMS or not moves)):
                raise ValueError(f'{self._name(self._driver)} drives; stop it first')
        self._drive(rates, now - age)
        self._driver = sender
        self._since = now if moves or topic == PEOPLE else -math.inf

    def _age(self, message: Any) -> float:
        """Return the age of a stamped velocity, s; raise ValueError where it may not be used."""
        frame = message.header.frame_id
        if frame not in ('', self._frame):
            raise ValueError(f'its frame is {frame!r}; use {self._frame!r} or leave it empty')
        stamp = stamp_from_msg(message)
        age = (self._node.get_clock().now().nanoseconds - stamp) * 1e-9 if stamp else 0.0
        if abs(age) > OTHER_CLOCK:
            return 0.0
        if abs(age) > self._timeout:
            when = f'{abs(age):.1f} s {"old" if age > 0.0 else "ahead"}'
            raise ValueError(f'its stamp is {when}; synchronize the clocks or leave it at 0')
        return max(age, 0.0)

    def _name(self, publisher: _Publisher) -> str:
        """Return the name of the node that publishes, or its topic where that is unknown."""
        topic = self._node.resolve_topic_name(publisher.topic)
        for found in self._node.get_publishers_info_by_topic(topic):
            if bytes(found.endpoint_gid) == publisher.gid:
                return f'{found.node_namespace}/{found.node_name}'.replace('//', '/')
        return f'another publisher of {publisher.topic}'
