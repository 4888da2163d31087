"""A simulated Scout that finds its way on the graph, in simulated time as fast as it goes."""

import math
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from geometry_msgs.msg import TwistStamped
from nav_msgs.msg import Odometry
from rclpy.node import Node
from rclpy.time import Time
from ros_domains import private_domain
from rosgraph_msgs.msg import Clock
from sensor_msgs.msg import Range
from walking_robots_interfaces.action import PlanTask
from walking_robots_interfaces.msg import Bumper

from benchmarks.own_clock import wait_until
from walking_robots.geometry.se2 import Pose2, quaternion
from walking_robots.nodes.common.composition import Composition
from walking_robots.nodes.common.conversions import fill_pose, header_to_msg
from walking_robots.nodes.common.goal_client import GoalClient
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.simulation.planar.kinematic import KinematicRobot
from walking_robots.virtual_robots.scout import scout_spec
from walking_robots.worlds.files import load_world
from walking_robots.worlds.world import World

STEP = 50_000_000
"""Simulated time, ns, between two readings of the robot."""
NODES = ('mdle_executor', 'mdle_cartographer', 'mdle_planner')


class Scout(Node):
    """Does what cmd_vel says, and publishes what a Scout measures.

    deaf: no sonar hears anything; mute: no sonar is published; stuck: switches of the bumper that
    stay closed. Time goes on when all nodes have done what was due.
    """

    def __init__(self, world: World, **options: Any) -> None:
        super().__init__('scout', **options)
        self.robot = KinematicRobot(
            scout_spec(), world.start, world=world, beam_rays=5, sonar_noise=0.01, rng=Random(7)
        )
        self.now = 1_000_000_000
        self.base = world.start.inverse()
        self.deaf = self.mute = False
        self.stuck = 0
        self.graph: Any = None
        self._odom = self.create_publisher(Odometry, 'odom', 10)
        self._bumper = self.create_publisher(Bumper, 'bumper', 10)
        self._ranges = [
            self.create_publisher(Range, f'sonar/range_{number}', 10)
            for number in range(SUPER_SCOUT.sonar.count)
        ]
        self._ticks = self.create_publisher(Clock, '/clock', 10)
        self.create_subscription(TwistStamped, 'cmd_vel', self._drive, 10)
        self.create_timer(0.0005, self._step)

    @property
    def pose(self) -> Pose2:
        """Return where the robot is."""
        return self.robot.true_pose

    def rebuild(self, world: World) -> None:
        """Change the walls round the robot."""
        self.robot.rebuild(world)

    def jump(self, by: Pose2) -> None:
        """Have odometry jump."""
        self.base = by @ self.base

    def _drive(self, message: Any) -> None:
        twist = message.twist
        self.robot.apply('body2', (twist.linear.x, twist.angular.z), 0.5)

    def _step(self) -> None:
        nodes = [self.graph.nodes[name] for name in NODES if name in self.graph.nodes]
        clocks = {node.get_clock().now().nanoseconds for node in nodes}
        is_due = any(
            timer.is_ready() for node in nodes for timer in node.timers
            if timer.clock.clock_type != node.steady.clock_type
        )  # fmt: skip
        if clocks <= {self.now} and not is_due and not self.graph.context.intra_process._queue:
            self.now += STEP
            self._publish()
        self._ticks.publish(Clock(clock=Time(nanoseconds=self.now).to_msg()))

    def _publish(self) -> None:
        values = self.robot.read(self.now).values
        odom = Odometry(header=header_to_msg(self.now, 'odom'), child_frame_id='base_link')
        x, y, heading = self.base @ values['pose']
        fill_pose(odom.pose.pose, (x, y, 0.0), quaternion(heading))
        odom.twist.twist.linear.x, odom.twist.twist.angular.z = (
            values['twist.v'],
            values['twist.w'],
        )
        self._odom.publish(odom)
        bits = int(values['bumper.bits']) | self.stuck
        bearings = SUPER_SCOUT.bumper.bearings
        self._bumper.publish(
            Bumper(
                header=header_to_msg(self.now, 'base_link'), pressed=bits != 0, raw=bits,
                switches=[bool(bits >> bit & 1) for bit in range(len(bearings))],
                bearings=list(bearings),
            )
        )  # fmt: skip
        model = SUPER_SCOUT.sonar
        for number in () if self.mute else self.robot.fired:
            heard = values['sonar'][number]
            found = Range(
                header=header_to_msg(self.now, f'sonar_{number}'),
                field_of_view=model.field_of_view, min_range=model.near, max_range=model.far,
                range=_as_published(math.inf if self.deaf else heard),
            )  # fmt: skip
            self._ranges[number].publish(found)


def _as_published(heard: float) -> float:
    """Return a range as drivers publish it: REP-117."""
    model = SUPER_SCOUT.sonar
    if heard >= model.far:
        return math.inf
    return heard if heard > model.near else -math.inf


class Scene:
    """A Scout in a world, all that finds its way, and a person who gives tasks."""

    def __init__(
        self,
        folder: Path,
        world: str,
        page: int = 0,
        task: str = '',
        area: Sequence[float] = (0.0,) * 4,
        **cartographer: Any,
    ) -> None:
        """Begin; page: its port, 0 for none; task: to begin with; area: of the planner."""
        file = folder / 'world.yaml'
        file.write_text(world)
        self.world = load_world(file)
        start = list(self.world.start)
        simulated = {'use_sim_time': True}
        self.graph = Composition(
            'mdle',
            {
                'mdle_executor': {**simulated, 'tick_budget': 1.0},
                'mdle_cartographer': {**simulated, 'start': start, 'slip': 0.0, **cartographer},
                'mdle_planner': {
                    **simulated, 'places': ['corner = 1.0,1.2'], 'deadline': 0.0,
                    'autostart': task, 'area': list(area),
                },
                'viewer': {'port': page or 1},
            },
            without=('scout_emulator', 'scout_driver', *(() if page else ('viewer',))),
            also=('mdle_cartographer', 'mdle_planner'),
            domain=private_domain(),
        )  # fmt: skip
        self.scout: Scout = self.graph.add('scout', lambda **options: Scout(self.world, **options))
        self.scout.graph = self.graph
        self.person = self.graph.add('person', lambda **options: Node('person', **options))
        self.client: Any = GoalClient(self.person, PlanTask, 'mdle_planner/plan_task')

    @property
    def planner(self) -> Any:
        return self.graph.nodes['mdle_planner']

    @property
    def cartographer(self) -> Any:
        return self.graph.nodes['mdle_cartographer']

    def until(self, done: Any, what: str) -> None:
        wait_until(done, lambda: f'{what}; {self.planner.health()}', spin=self.graph.spin)

    def wait(self, seconds: float) -> None:
        """Let simulated time go on."""
        end = self.scout.now + seconds * 1e9
        self.until(lambda: self.scout.now >= end, 'time')

    def drives(self, way: float = 0.3) -> None:
        """Wait until the robot has moved on."""
        begun = self.scout.pose
        self.until(lambda: self.scout.pose.distance(begun) > way, 'motion')

    def send(self, task: str, **fields: Any) -> Any:
        """Send a task as soon as the planner takes it."""
        self.until(
            lambda: self.client.server_is_ready() and not self.planner._refusal(), 'the planner'
        )
        sent = self.client.send_goal_async(PlanTask.Goal(task=task, **fields))
        self.until(sent.done, 'an answer')
        return sent.result()

    def result(self, handle: Any) -> Any:
        """Return how a task ended; the robot rests."""
        future = handle.get_result_async()
        self.until(future.done, 'a result')
        self.wait(1.5)
        at = self.scout.pose
        self.wait(1.0)
        assert self.scout.pose == at, 'the robot rests'
        found = future.result().result
        assert found.reason and '\n' not in found.reason, 'one sentence'
        return found

    def close(self) -> None:
        self.graph.close()
        self.client.destroy()
