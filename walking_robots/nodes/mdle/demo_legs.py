"""What the demonstration of MDLe on legs shows: a hexapod goes where wheels would go round.

The planner writes programs for the same executor that drives the Scout; here it publishes the
velocities of a hexapod, which steps over what is low and goes round walls.
"""

from collections.abc import Callable
from itertools import cycle
from typing import Any

from nav_msgs.msg import Odometry
from std_srvs.srv import SetBool
from walking_robots_interfaces.action import RunPlan

from walking_robots.documents.shared import shared_path
from walking_robots.geometry.se2 import Pose2
from walking_robots.nodes.common.composition import Overrides
from walking_robots.nodes.common.conversions import planar_pose_from_msg
from walking_robots.nodes.common.demo import Presenter, Show
from walking_robots.nodes.common.goal_client import GoalClient
from walking_robots.trials.common.legged_robot import LeggedRobot
from walking_robots.trials.mdle.known_world import plan_in
from walking_robots.trials.mdle.trial import MdleTrial
from walking_robots.trials.program_robots import program_robot

WORLD = 'config/worlds/step_room.yaml'
GOALS = (Pose2(3.8, 1.35), Pose2(1.2, 1.35))
"""Where the robot goes, one after the other, m."""
NEAR = 0.1
"""Distance, m, at which it is there."""
MOST_PROGRAMS = 20
"""Programs in a row that may end elsewhere."""


class LegsDemo(Presenter):
    """Plans a way, has it run, and plans anew from where the robot has come to rest."""

    simulation = 'hexapod_sim'

    def __init__(self, say: Callable[[str], None], robot: LeggedRobot, **options: Any) -> None:
        """Wait until the robot can walk; ``robot`` says what the planner knows of it."""
        super().__init__(say, **options)
        self._robot = robot
        self._goals = cycle(GOALS)
        self._goal = next(self._goals)
        self._arrived = self._programs = 0
        self._runs = False
        self._pose: Pose2 | None = None
        self._runner: Any = GoalClient(self, RunPlan, 'mdle_executor/run_plan')
        self.create_subscription(Odometry, 'odom', self._moved, 10)
        self.create_timer(0.2, self._play)

    def destroy_node(self) -> None:
        """Destroy the action client first."""
        self._runner.destroy()
        super().destroy_node()

    def _moved(self, message: Any) -> None:
        self._pose = planar_pose_from_msg(message.pose.pose)

    def _play(self) -> None:
        if self._runs or self.ended or not self._runner.server_is_ready():
            return
        self._pause.call_async(SetBool.Request(data=False))
        if self._pose is None:
            return
        if self._pose.distance(self._goal) < NEAR:
            self._arrive()
            return
        self._programs += 1
        if self._programs > MOST_PROGRAMS:
            self.ended = True
            self._say(f'The robot did not get there by {MOST_PROGRAMS} programs.')
            return
        robot = self._robot
        assert robot.walls is not None
        way = plan_in(robot.walls, self._pose, self._goal, spec=robot.spec, radius=robot.radius)
        self._say(
            f'Goes to x {self._goal.x:g} m, y {self._goal.y:g} m, {way.length:.2f} m, by this '
            f'program:\n{way.program.source}'
        )
        self._runs = True
        goal = RunPlan.Goal(source=way.program.source)
        self._runner.send_goal_async(goal).add_done_callback(self._sent)

    def _sent(self, sent: Any) -> None:
        if sent.result().accepted:
            sent.result().get_result_async().add_done_callback(self._done)
        else:
            self._runs = False

    def _done(self, done: Any) -> None:
        self._runs = False
        result = done.result().result
        self._say(f'{result.outcome} {result.message} after {result.duration:.1f} s.')

    def _arrive(self) -> None:
        self._say(f'The robot is at x {self._goal.x:g} m, y {self._goal.y:g} m.')
        self._arrived, self._programs = self._arrived + 1, 0
        self._goal = next(self._goals)
        # There and back.
        self.succeeded = self._arrived >= len(GOALS)
        self.ended = self.ended or self.succeeded


def show_legs(robot: str) -> Show:
    """Return how programs on a hexapod are demonstrated."""
    world = str(shared_path(WORLD))
    known = program_robot(MdleTrial('', robot=robot, world=world))

    def overrides(speed: float) -> Overrides:
        place = {'robot': robot, 'world': world}
        simulated = {'publish_description': True, 'real_time_factor': speed, 'start_paused': True}
        return {
            'terrain': place,
            'periodic_gait': {'robot': robot},
            'leg_servo': {'robot': robot},
            'hexapod_sim': place | simulated,
            'viewer': {'robot': robot},
            'mdle_executor': {'robot': robot, 'use_sim_time': True},
        }

    def make(say: Callable[[str], None], **options: Any) -> LegsDemo:
        assert isinstance(known, LeggedRobot)
        return LegsDemo(say, known, **options)

    return Show(make, overrides, ('free_gait',), ('mdle_executor',), 'hexapod')
