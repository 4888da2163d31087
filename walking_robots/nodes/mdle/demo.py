# mypy: disable-error-code="attr-defined"
"""What the demonstration of MDLe shows: a Scout follows something that moves, one step behind.

The plan is the report's own sample program. Whoever presents it plays the moving thing: it goes
somewhere else whenever the robot has stood and watched for a while.
"""

import math
import os
import tempfile
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path
from typing import Any

from nav_msgs.msg import Odometry
from walking_robots_interfaces.action import RunPlan
from walking_robots_interfaces.msg import PlanEvent, PlanStatus
from walking_robots_interfaces.srv import MoveObject

from walking_robots.documents.shared import shared_path
from walking_robots.nodes.common.composition import Overrides
from walking_robots.nodes.common.conversions import planar_pose_from_msg
from walking_robots.nodes.common.demo import Presenter, Show
from walking_robots.nodes.common.goal_client import GoalClient
from walking_robots.nodes.mdle.demo_explore import TASK, show_exploring
from walking_robots.nodes.mdle.demo_legs import show_legs

PLACES = ((3.6, 3.5), (4.4, 4.6), (5.2, 3.4), (4.0, 2.4))
"""Where the thing goes, one after the other, m in the map."""
WATCH = 6.0
"""Wall time, s, for which the robot stands before the thing moves: it learns what is around it."""
FOLLOWED = 3
"""Places that the robot has to reach where nobody stays to watch."""
PATIENCE = 150.0
"""Wall time, s, after which it should have."""
AGAIN = 3.0
"""Wall time, s, after a fault of the plan until it begins again."""
PLAN = 'follow'
WORLD = 'config/worlds/open_room.yaml'
NEAR = 0.6
"""Distance, m, that counts as having reached a place: sonars measure a bearing roughly."""


class MdleDemo(Presenter):
    """Starts the program, moves the object and prints what the program does."""

    @staticmethod
    def overrides(speed: float) -> Overrides:
        """Return the parameters of the demonstration; the robot keeps to real time."""
        line = Path(tempfile.gettempdir()) / f'walking_robots_mdle_{os.getpid()}'
        world = str(shared_path(WORLD))
        return {
            'scout_emulator': {
                'link': str(line),
                'world': world,
                'object': f'{PLACES[0][0]} {PLACES[0][1]}',
            },
            'scout_driver': {'port': str(line)},
        }

    def __init__(self, say: Callable[[str], None], **options: Any) -> None:
        """Begin as soon as the robot can."""
        super().__init__(say, **options)
        self._places = cycle((*PLACES[1:], PLACES[0]))
        self._thing = PLACES[0]
        self._left: tuple[float, float] | None = None
        self._since: float | None = None
        self._begun = time.monotonic()
        self._robot = (math.nan, math.nan)
        self._followed = 0
        self._faulty = False
        self._again = 0.0
        self._mover: Any = self.create_client(MoveObject, 'scout_emulator/move_object')
        self._runner: Any = GoalClient(self, RunPlan, 'mdle_executor/run_plan')
        self.create_subscription(Odometry, 'ground_truth/odom', self._moved, 10)
        self.create_subscription(PlanStatus, 'mdle_executor/status', self._hear_status, 10)
        self.create_subscription(PlanEvent, 'mdle_executor/events', self._happened, 100)
        self.create_timer(0.2, self._play)

    def rewind(self) -> Overrides:
        """Put the thing back in its first place."""
        self._move(PLACES[0])
        return {}

    def destroy_node(self) -> None:
        """Destroy the action client first."""
        self._runner.destroy()
        super().destroy_node()

    def _moved(self, message: Any) -> None:
        pose = planar_pose_from_msg(message.pose.pose)
        self._robot = (pose.x, pose.y)

    def _hear_status(self, message: Any) -> None:
        self._restart_after_fault(message)
        waits = any(path.endswith('wait_motion') for path in message.stack)
        if not waits:
            self._since = None
        elif self._since is None:
            self._since = time.monotonic()

    def _restart_after_fault(self, message: Any) -> None:
        """Start the plan again after a fault: on a busy machine sensor data comes late."""
        faulty = message.entry == PLAN and message.outcome == 'FAULT'
        if faulty and not self._faulty:
            self._say(
                f'         The robot was stopped: {message.message}. '
                f'{PLAN} begins again in {AGAIN:g} s.'
            )
            self._again = time.monotonic() + AGAIN
        self._faulty = faulty

    def _happened(self, event: Any) -> None:
        if event.kind in ('enter', 'handle', 'warning', 'end'):
            why = f'  ({event.guard or event.cause})' if event.guard or event.cause else ''
            self._say(
                f'{event.time:6.1f} s  {event.kind:7} {event.path}{why} {event.text}'.rstrip()
            )
        if event.kind == 'exit' and event.path.endswith('go_to') and self._left:
            off = math.dist(self._robot, self._left)
            self._followed += off <= NEAR
            self._say(
                f'         The robot is {off:.2f} m from where the thing was; the thing is '
                f'{math.dist(self._robot, self._thing):.2f} m away.'
            )

    def _play(self) -> None:
        there = self._mover.service_is_ready() and self._runner.server_is_ready()
        if not there or math.isnan(self._robot[0]):
            return
        now = time.monotonic()
        if now > self._again:
            # A replay ends what runs; after a fault, another program of a person may run.
            on_busy = RunPlan.Goal.REJECT if self._again else RunPlan.Goal.PREEMPT
            self._again = math.inf
            self._runner.send_goal_async(RunPlan.Goal(uri=PLAN, on_busy=on_busy))
        if self._since is not None and now - self._since > WATCH:
            self._since = now + WATCH
            self._go_on()
        done = self._followed >= FOLLOWED
        if not self.ended and (done or now - self._begun > PATIENCE):
            self.ended, self.succeeded = True, done
            self._say(f'Followed to {self._followed} places in {now - self._begun:.0f} s.')

    def _go_on(self) -> None:
        """Move the thing to its next place."""
        self._left, self._thing = self._thing, next(self._places)
        self._move(self._thing)

    def _move(self, place: tuple[float, float]) -> None:
        x, y = place
        self._mover.call_async(MoveObject.Request(x=x, y=y))
        self._say(f'         The thing is at x {x:.1f} m, y {y:.1f} m now.')


def show(plan: str = PLAN, robot: str = 'scout') -> Show:
    """Return how the system is demonstrated: the scout runs a plan, or the planner explores.

    A robot on legs walks where the planner leads it. Raises ValueError for a plan with one.
    """
    if robot != 'scout':
        if plan != PLAN:
            raise ValueError(f'--plan {plan} goes with the scout: robots on legs have no sonars')
        return show_legs(robot)
    return show_exploring() if plan == TASK else Show(MdleDemo, MdleDemo.overrides)
