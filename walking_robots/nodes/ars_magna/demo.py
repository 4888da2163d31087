"""What the demonstration of ARS MAGNA shows: a robot finds a thing and brings it home."""

import math
import time
from collections.abc import Callable
from typing import Any

from rcl_interfaces.msg import SetParametersResult
from std_srvs.srv import Trigger
from walking_robots_interfaces.msg import ArsPicture, PlanStatus

from walking_robots.documents.shared import shared_path
from walking_robots.nodes.ars_magna.program import DONE, RUNNING
from walking_robots.nodes.common.composition import Overrides
from walking_robots.nodes.common.demo import Presenter, Show
from walking_robots.nodes.common.qos import LATCHED

PRESENTER = 'presenter'
WORLDS = ('big_room', 'house', 'office', 'maze')
"""Worlds with a robot in them."""

PERIOD = 4.0
"""Wall time, s, between two lines."""
PACE = 5.0
"""Ticks a second that a person can follow."""
PATIENCE = 240.0
"""Wall time, s, after which a demonstration that ends by itself gives up."""


class ArsDemo(Presenter):
    """Starts a program and prints what it does, and where the robot truly is."""

    @staticmethod
    def overrides(speed: float) -> Overrides:
        """Return the parameters of the demonstration; ``speed`` is that of time."""
        return {
            'ars_magna': {'real_time_factor': PACE * speed},
            'ars_program': {'program': 'persistent', 'thing': 'color=lightblue'},
        }

    def __init__(self, say: Callable[[str], None], **options: Any) -> None:
        """Begin as soon as the program can."""
        super().__init__(say, **options)
        self._begun = time.monotonic()
        self._last_line = -math.inf
        self._picture: ArsPicture | None = None
        self._changes: dict[str, dict[str, Any]] = {}
        self.declare_parameter('world', WORLDS[0])
        self.add_on_set_parameters_callback(self._choose)
        self._starter: Any = self.create_client(Trigger, 'ars_program/start')
        self._timer = self.create_timer(0.05, self._begin)
        self.create_subscription(ArsPicture, 'display/picture', self._see, LATCHED)
        self.create_subscription(PlanStatus, 'ars_program/status', self._hear, LATCHED)

    def rewind(self) -> Overrides:
        """Return the nodes to start anew, in the first world."""
        return {'ars_magna': {}, 'ars_program': {}}

    def changes(self) -> Overrides:
        """Return new parameters of the nodes that are to be started anew, in another world."""
        changes, self._changes = self._changes, {}
        return changes

    def _choose(self, parameters: Any) -> SetParametersResult:
        world = next((found.value for found in parameters if found.name == 'world'), WORLDS[0])
        if world not in WORLDS:
            known = ' or '.join(WORLDS)
            return SetParametersResult(reason=f'world {world!r} is unknown; use {known}')
        path = str(shared_path(f'config/worlds/{world}.yaml'))
        self._changes = {'ars_magna': {'world': path}, 'ars_program': {}}
        return SetParametersResult(successful=True)

    def _begin(self) -> None:
        if self._starter.service_is_ready():
            self._timer.cancel()
            self._starter.call_async(Trigger.Request())

    def _see(self, picture: Any) -> None:
        self._picture = picture

    def _hear(self, status: Any) -> None:
        now = time.monotonic()
        over = bool(status.outcome) or now - self._begun > PATIENCE
        if over and not self.ended:
            self.ended = True
            self.succeeded = status.outcome == DONE
            self._say(
                f'{status.entry} {status.outcome.lower() or "goes on"} after {status.tick} ticks: '
                f'{status.message}.'
            )
        elif status.phase == RUNNING and self._picture and now - self._last_line >= PERIOD:
            self._last_line = now
            robot = self._picture.robots[0]
            self._say(
                f'tick {self._picture.tick:5}  {robot.name} at {robot.x:5.2f}, {robot.y:5.2f}  '
                f'{status.message}'
            )


def show() -> Show:
    """Return how the system is demonstrated."""
    return Show(ArsDemo, ArsDemo.overrides)
