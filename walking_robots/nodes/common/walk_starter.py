# mypy: disable-error-code="attr-defined"
"""Start a walk from the very first step of a simulation that is held."""

import time
from collections.abc import Callable
from typing import Any

from rclpy.node import Node
from std_srvs.srv import SetBool
from walking_robots_interfaces.action import Walk

from walking_robots.nodes.common.conversions import twist_to_msg
from walking_robots.nodes.common.goal_client import GoalClient

ANSWER = 1.0
"""Wall time, s, after which a goal without an answer, or one that was refused, is sent again.

An action server that has not discovered its client yet drops the goal and sends no answer; a node
that stood still for a while refuses what may have waited meanwhile.
"""

REFUSALS = 2
"""Refusals after which a walk is given up."""

Command = tuple[float, float, float]


class WalkStarter:
    """Waits for the robot, sends the walk, and lets the simulation go once it is accepted."""

    def __init__(self, node: Node, command: Command, simulation: str = 'hexapod_sim') -> None:
        """Begin to wait; ``command`` is (vx, vy, wz), m/s and rad/s, zero for no walk."""
        self._command = command
        self._walk: Any = GoalClient(node, Walk, 'walk')
        self._pause: Any = node.create_client(SetBool, f'{simulation}/pause')
        self._asked: Any = None
        self._sent = 0.0
        self._stage: Callable[[], None] = self._ask
        self._timer = node.create_timer(0.02, lambda: self._stage())
        self._refusals = 0

    @property
    def refused(self) -> bool:
        """Return whether the walk was given up."""
        return self._refusals >= REFUSALS

    def cancel(self) -> None:
        """Cancel the walk."""
        if self._asked is not None and self._asked.done() and self._asked.result().accepted:
            self._asked.result().cancel_goal_async()

    def close(self) -> None:
        """Take the client of the action away."""
        self._walk.destroy()

    def _ask(self) -> None:
        if self._walk.server_is_ready() and self._pause.service_is_ready():
            self._stage = self._begin
            if any(self._command):
                self._send()

    def _send(self) -> None:
        vx, vy, wz = self._command
        goal = Walk.Goal(velocity=twist_to_msg((vx, vy, 0.0, 0.0, 0.0, wz)))
        self._asked, self._sent = self._walk.send_goal_async(goal), time.monotonic()

    def _begin(self) -> None:
        answered = self._asked is None or self._asked.done()
        if self._asked is None or (answered and self._asked.result().accepted):
            self._timer.cancel()
            self._pause.call_async(SetBool.Request(data=False))
        elif time.monotonic() - self._sent > ANSWER:
            self._refusals += answered
            self._send()
