"""The newest state of the Scout's graph, for the page."""

import math
from collections.abc import Callable
from operator import sub
from typing import Any

from diagnostic_msgs.msg import DiagnosticArray
from geometry_msgs.msg import Twist, TwistStamped
from nav_msgs.msg import OccupancyGrid, Odometry
from sensor_msgs.msg import BatteryState, JointState, Range
from tf2_msgs.msg import TFMessage
from walking_robots_interfaces.msg import Bumper

from walking_robots.geometry.se2 import ORIGIN, Pose2, Twist2
from walking_robots.nodes.common.conversions import (
    joint_values_from_msg,
    planar_pose_from_msg,
    planar_twist_from_msg,
)
from walking_robots.nodes.common.page_node import PageNode
from walking_robots.nodes.common.qos import LATCHED, RECORD
from walking_robots.nodes.common.velocity_publisher import PEOPLE, PROGRAMS
from walking_robots.nodes.scout.page_conversions import (
    battery_text,
    range_from_msg,
    walls_from_msg,
)
from walking_robots.robots.wheeled import WheeledModel
from walking_robots.viewer.scout.state import ScoutView, Walls

FRESH = 0.6
"""Wall time, s, for which a velocity is believed."""

ROUNDING = 1e-4
"""Difference, m or rad, of two frames that is none."""

OLD = 3.0
"""Wall time, s, for which any other message is valid."""


class ScoutStateCache:
    """Remembers the newest of every topic, and forgets what has grown old."""

    def __init__(
        self, node: PageNode, model: WheeledModel, show_walls: Callable[[Walls], None]
    ) -> None:
        """Listen by the node ``node``; hand over the walls as soon as they are known."""
        self._node = node
        self._model = model
        self._latest: dict[str, tuple[float, Any]] = {}
        self._began: float | None = None
        self._pose = self._start = ORIGIN
        self._counters: dict[str, str] = {}
        self._driver = f'{node.get_namespace()}/scout_driver'.lstrip('/')
        self._listen(Odometry, 'odom', self._moved)
        self._listen(Odometry, 'ground_truth/odom', lambda m: planar_pose_from_msg(m.pose.pose))
        for number in range(model.sonar.count):
            self._listen(Range, f'sonar/range_{number}', range_from_msg)
        self._listen(Bumper, 'bumper', self._touched)
        self._listen(BatteryState, 'battery_state', lambda message: message)
        self._listen(JointState, 'joint_states', joint_values_from_msg)
        kind = TwistStamped if node.stamped else Twist
        for topic in (PEOPLE, PROGRAMS):
            self._listen(kind, topic, lambda m: planar_twist_from_msg(getattr(m, 'twist', m)))
        node.listen(DiagnosticArray, '/diagnostics', self._told)
        node.listen(OccupancyGrid, 'world/map', lambda m: show_walls(walls_from_msg(m)), LATCHED)
        # A simulation says where odom begins, a cartographer where it lies now.
        node.listen(TFMessage, '/tf_static', self._placed, RECORD)
        node.listen(TFMessage, '/tf', self._placed)

    def _listen(self, kind: Any, topic: str, take: Callable[[Any], Any]) -> None:
        """Remember what is taken of the messages of a topic."""

        def note(message: Any) -> None:
            self._latest[topic] = (self._node.now(), take(message))

        self._node.listen(kind, topic, note)

    def _moved(self, odom: Any) -> Twist2:
        velocity = planar_twist_from_msg(odom.twist.twist)
        self._pose = planar_pose_from_msg(odom.pose.pose)
        if self._began is None:
            self._began = self._node.now()
        return velocity

    def _touched(self, message: Any) -> tuple[bool, ...]:
        count = len(self._model.bumper.bearings)
        if len(message.switches) != count:
            raise ValueError(f'it has {len(message.switches)} switches instead of {count}')
        return tuple(message.switches)

    def _told(self, message: Any) -> None:
        for status in message.status:
            if status.name.lstrip('/').startswith(self._driver):
                values = {entry.key: entry.value for entry in status.values}
                if 'link' in values:
                    self._latest['link'] = (self._node.now(), values.pop('link'))
                self._counters = values

    def _placed(self, message: Any) -> None:
        for item in message.transforms:
            if (item.header.frame_id, item.child_frame_id) == ('map', 'odom'):
                found = planar_pose_from_msg(item.transform)
                if max(map(abs, map(sub, found, self._start))) > ROUNDING:
                    self._start = found

    def _silence(self, now: float) -> str:
        """Return a warning where odometry has come and comes no more, or nothing."""
        silence = now - self._latest.get('odom', (now, None))[0]
        if silence < FRESH:
            return ''
        return f'no odometry for {silence:.0f} s: is the {self._driver} node running?'

    @property
    def start(self) -> Pose2:
        """Where odom begins, in map."""
        return self._start

    def view(self, programs: object = None) -> ScoutView:
        """Return the present moment; ``programs``: what the programs' part of the page shows."""
        now = self._node.now()

        def recent(topic: str, otherwise: Any, age: float = OLD) -> Any:
            at, found = self._latest.get(topic, (-math.inf, None))
            return found if now - at < age else otherwise

        battery = recent('battery_state', BatteryState(voltage=math.nan, percentage=math.nan))
        sonars = range(self._model.sonar.count)
        truth: Pose2 | None = recent('ground_truth/odom', None)
        return ScoutView(
            time=0.0 if self._began is None else now - self._began,
            pose=self._start @ self._pose,
            truth=truth,
            joints=recent('joint_states', {}),
            ranges=tuple(recent(f'sonar/range_{number}', math.nan) for number in sonars),
            bumper=recent('bumper', (False,) * len(self._model.bumper.bearings)),
            voltage=battery.voltage,
            charge=battery.percentage,
            battery=battery_text(battery),
            velocity=recent('odom', None, FRESH),
            command=recent(PEOPLE, recent(PROGRAMS, None, FRESH), FRESH),
            link=recent('link', ''),
            counters=tuple(self._counters.items()),
            diagnostic=self._node.warning() or self._silence(now),
            programs=programs,
        )
