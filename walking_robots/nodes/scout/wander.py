"""Wander by the sonars of a Scout while the node is enabled."""

import math
from functools import partial
from typing import Any

from sensor_msgs.msg import Range
from std_srvs.srv import SetBool
from walking_robots_interfaces.msg import Bumper

from walking_robots.geometry.se2 import Twist2
from walking_robots.nodes.common.conversions import touched_bearings_from_msg
from walking_robots.nodes.common.health import OK, WARN, Health
from walking_robots.nodes.common.node import GraphNode
from walking_robots.nodes.common.running import run_node
from walking_robots.nodes.common.velocity_publisher import VelocityPublisher, stamped_parameter
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.scout.wander import Wander

PERIOD = 0.1
"""Wall time, s, between two commands."""

STALE = 0.6
"""Wall time, s, after which sonars that fell silent no longer count; drivers exchange at 10 Hz."""


class ScoutWanderNode(GraphNode):
    """Publishes ``cmd_vel`` while it is enabled and hears the sonars."""

    def __init__(self, **options: Any) -> None:
        """Listen to the robot; raise ConfigurationError for a wrong parameter."""
        super().__init__('scout_wander', **options)
        self._enabled: bool = self.parameter('enabled', False, 'roam from the start')
        self._commands = VelocityPublisher(self, stamped_parameter(self))
        self._wander = Wander()
        self._ranges = [math.nan] * SUPER_SCOUT.sonar.count
        self._heard = -math.inf
        self._touches: list[float] = []
        for sensor in range(SUPER_SCOUT.sonar.count):
            self.listen(Range, f'sonar/range_{sensor}', partial(self._hear, sensor))
        self.listen(Bumper, 'bumper', self._feel)
        self.provide(SetBool, '~/enable', self._enable)
        self.create_timer(PERIOD, self._roam, clock=self.steady)

    def _hear(self, sensor: int, message: Any) -> None:
        self._ranges[sensor] = message.range
        self._heard = self.now()

    def _feel(self, message: Any) -> None:
        self._touches = touched_bearings_from_msg(message)

    def _enable(self, request: Any, _: Any) -> str:
        if request.data and self.resumes:
            raise ValueError('the node stood still just now; enable it again')
        if self._enabled and not request.data:
            self._publish(Twist2())
        self._enabled = request.data
        return 'wanders' if request.data else 'rests'

    def changed(self) -> None:
        """Take the parameter over."""
        self._enabled = self.get_parameter('enabled').value

    def _roam(self) -> None:
        if self._enabled and not self.resumes and self.now() - self._heard < STALE:
            self._publish(self._wander.step(self._ranges, self._touches, self.now()))

    def _publish(self, twist: Twist2) -> None:
        self._commands.publish(twist.v, 0.0, twist.w)

    def rest(self, why: str) -> None:
        """Stop the robot if this node moved it, until it is enabled again."""
        if self._enabled:
            self._publish(Twist2())
        self._enabled = False

    def stalled(self, why: str) -> None:
        """Stop the robot; only a node that roams from the start goes on, by new readings."""
        goes_on = self._enabled and self.get_parameter('enabled').value
        self.rest(why)
        self._enabled = goes_on

    def health(self) -> Health:
        """Return whether it roams."""
        if self._enabled and self.now() - self._heard >= STALE:
            return WARN, 'hears no sonars: does the scout_driver node have a link?'
        return OK, 'roams' if self._enabled else 'rests until enabled'


def main() -> int:
    """Run the node as a process."""
    return run_node(ScoutWanderNode)
