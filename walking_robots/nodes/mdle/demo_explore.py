# mypy: disable-error-code="attr-defined"
"""What the demonstration of the planner shows: a Scout explores an office and comes home."""

import math
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from std_srvs.srv import Trigger
from walking_robots_interfaces.action import PlanTask

from walking_robots.documents.shipped_worlds import find_world
from walking_robots.nodes.common.composition import Overrides
from walking_robots.nodes.common.demo import Presenter, Show
from walking_robots.nodes.common.goal_client import GoalClient
from walking_robots.worlds.files import load_world

WORLD = 'office60'
TASK = 'explore'
ECHO_ANGLE = math.radians(60.0)
"""Up to which walls answer; with 25 degrees, the usual angle of the emulator, exploring takes
longer, and one robot of four bumped into a wall that it had not heard."""
PLANNER = ('mdle_cartographer', 'mdle_planner')


class ExploreDemo(Presenter):
    """Gives the task and prints what the planner decides, and its programs."""

    @staticmethod
    def overrides(speed: float) -> Overrides:
        """Return the parameters of the demonstration; the robot keeps to real time."""
        line = str(Path(tempfile.gettempdir()) / f'walking_robots_mdle_{os.getpid()}')
        start = list(load_world(find_world(WORLD)).start)
        return {
            'scout_emulator': {
                'link': line, 'world': WORLD, 'map_frame': False, 'echo_angle': ECHO_ANGLE
            },
            'scout_driver': {'port': line},
            'mdle_cartographer': {'start': start, 'slip': 0.0},
        }  # fmt: skip

    def __init__(self, say: Callable[[str], None], **options: Any) -> None:
        """Begin as soon as the planner can."""
        super().__init__(say, **options)
        self._sent = False
        self._program = ''
        self._planner: Any = GoalClient(self, PlanTask, 'mdle_planner/plan_task')
        self._back: Any = [
            self.create_client(Trigger, name)
            for name in ('scout_emulator/reset', 'scout_driver/reset_odometry')
        ]
        self.create_timer(1.0, self._begin)

    def rewind(self) -> Overrides:
        """Put the robot back, and forget the map."""
        for client in self._back:
            client.call_async(Trigger.Request())
        return {name: {} for name in PLANNER}

    def destroy_node(self) -> None:
        """Destroy the action client first."""
        self._planner.destroy()
        super().destroy_node()

    def _begin(self) -> None:
        if self._sent or not self._planner.server_is_ready():
            return
        self._sent = True
        goal = PlanTask.Goal(task=TASK)
        sent = self._planner.send_goal_async(goal, feedback_callback=self._decided)
        sent.add_done_callback(self._answered)

    def _answered(self, sent: Any) -> None:
        handle = sent.result()
        # It refuses until it has heard of map and pose.
        self._sent = handle.accepted
        if handle.accepted:
            handle.get_result_async().add_done_callback(self._done)

    def _decided(self, message: Any) -> None:
        said = message.feedback
        if said.program and said.program != self._program:
            self._program = said.program
            self._say(f'{said.program.splitlines()[0]}  ({said.reason})')

    def _done(self, done: Any) -> None:
        result = done.result().result
        self._say(
            f'{result.reason}, after {result.duration:.0f} s, {result.way:.0f} m and '
            f'{result.programs} programs.'
        )
        self.ended, self.succeeded = True, result.succeeded


def show_exploring() -> Show:
    """Return how exploring is demonstrated."""
    return Show(ExploreDemo, ExploreDemo.overrides, also=PLANNER)
