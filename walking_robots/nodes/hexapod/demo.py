# mypy: disable-error-code="attr-defined"
"""What the demonstration of a hexapod shows: its gaits one after the other, and its body moved."""

import math
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from geometry_msgs.msg import Pose, TwistStamped
from rcl_interfaces.srv import SetParametersAtomically
from rclpy.parameter import Parameter
from std_srvs.srv import SetBool
from transforms3d.euler import euler2quat
from walking_robots_interfaces.action import Walk
from walking_robots_interfaces.msg import GaitState

from walking_robots.gaits.free.articulated_model import free_gait_model
from walking_robots.gaits.periodic.patterns import PATTERNS, find_pattern
from walking_robots.gaits.periodic.plan import plan_gait
from walking_robots.nodes.common.composition import Overrides, merged
from walking_robots.nodes.common.conversions import pose_to_msg, twist_from_msg, twist_to_msg
from walking_robots.nodes.common.demo import Presenter, Show
from walking_robots.nodes.common.gait_conversions import gait_step_from_msg
from walking_robots.nodes.common.goal_client import GoalClient
from walking_robots.nodes.common.qos import LOOP
from walking_robots.nodes.common.velocity_publisher import PEOPLE, PROGRAMS
from walking_robots.nodes.hexapod.eyes import EYES, eyes_overrides
from walking_robots.nodes.hexapod.robot import FREE, MUJOCO, left_out, lift_margin
from walking_robots.nodes.hexapod.servo_node import COMMAND
from walking_robots.robots.articulated import ArticulatedHexapod
from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.simulation.hexapod.odometry import EXACT
from walking_robots.trials.hexapod.eyes_settings import EyesSettings

PERIOD = 4.0
"""Wall time, s, between two lines."""

CYCLES = 3.0
"""How long each gait is walked, in cycles of its own at its fastest."""

SEED = 77
"""The terrain on which footholds are searched for."""


class FreeDemo(NamedTuple):
    """A free gait: its coordinator, in words too, and the share of forbidden cells."""

    coordinator: str
    words: str
    forbidden: float


FREE_DEMOS = {
    'free': FreeDemo('rules', 'by rules', 0.15),
    'planned': FreeDemo('planned', 'by footholds planned ahead', 0.4),
    'auto': FreeDemo('auto', 'by rules or by footholds planned ahead', 0.4),
}
"""The gaits of a demo that search for footholds."""


def free_demo(gait: str, forbidden: float | None) -> FreeDemo | None:
    """Return a gait that searches for footholds, on the share of forbidden cells asked for."""
    found = FREE_DEMOS.get(gait)
    return found if found is None or forbidden is None else found._replace(forbidden=forbidden)


FREE_WAY = 4.0
"""How far the free gait would walk at its speed, in heights of the body."""

SHIFT, TURN = 0.1, 0.1
"""How far the body is shifted, as a share of its height, and turned, rad, axis by axis."""

WALKED = 0.75
"""Share of a scene in which it is walked; in the rest the body comes to rest."""

HELD = 0.6
"""Cycles of the gait for which a posture is held."""


ALONE = ('reached', 'timeout')
"""How a walk ends that nobody has ended."""

STUCK = ('halted', 'unstable')
"""How a walk ends that could not go on."""


class DemoScene(NamedTuple):
    """One scene of the demo: its words, its commands, and its duration, s.

    ``gait`` is set first where there is one; a ``pose`` is (x, y, z, roll, pitch, yaw), m and rad;
    a ``velocity`` (vx, vy, wz), m/s and rad/s, is walked, zero for rest.
    """

    words: str
    time: float
    gait: str = ''
    pose: tuple[float, ...] = (0.0,) * 6
    velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)


def hexapod_overrides(
    robot: str,
    gait: str,
    physics: str,
    odometry: str,
    speed: float,
    seeing: Overrides | None = None,
    *,
    forbidden: float | None = None,
    output: str = COMMAND,
) -> Overrides:
    """Return the parameters of a robot by name or file; ``speed`` is that of time.

    ``seeing`` are those of a robot with eyes; without ``forbidden`` that share of the cells is
    the demo's own.
    """
    free = free_demo(gait, forbidden)
    walks = {'robot': robot, 'gait': FREE if free else gait}
    ground = {'forbidden_share': free.forbidden, 'seed': SEED} if free else {}
    simulated = {'publish_description': True, 'real_time_factor': speed, 'start_paused': True}
    known: Overrides = {
        'terrain': {'robot': robot, **ground},
        'periodic_gait': walks | {'hold_path': physics == MUJOCO},
        'free_gait': walks
        | {'lift_margin': lift_margin(forces=physics == MUJOCO)}
        | ({'coordinator': free.coordinator} if free else {}),
        'leg_servo': walks | {'output': output},
        'hexapod_sim': walks | simulated | {'physics': physics, 'odometry': odometry},
        'viewer': walks,
    }
    return merged(known, seeing or {})


class HexapodDemo(Presenter):
    """Plays scenes one after the other, until a person takes over."""

    simulation = 'hexapod_sim'

    def __init__(
        self,
        say: Callable[[str], None],
        robot: ArticulatedHexapod,
        gait: str,
        forbidden: float | None = None,
        **options: Any,
    ) -> None:
        """Wait until the robot can walk."""
        super().__init__(say, **options)
        self._scenes = scenes(robot, gait, forbidden)
        self._scene: DemoScene | None = None
        self._until = math.inf
        self._goal: Any = None
        self._refused: Any = None
        self._printed = 0.0
        self._way = self._wanted = 0.0
        self._last: tuple[float, float] | None = None
        self._now = -math.inf
        self._driven = False
        self._walk: Any = GoalClient(self, Walk, 'walk')
        self._set: Any = self.create_client(
            SetParametersAtomically, 'periodic_gait/set_parameters_atomically'
        )
        self._body = self.create_publisher(Pose, 'body_pose', 10)
        self._timer = self.create_timer(0.05, self._begin)
        self.create_subscription(GaitState, 'gait/state', self._see, LOOP)
        for topic in (PEOPLE, PROGRAMS):
            self.create_subscription(TwistStamped, topic, self._drive, LOOP)

    def destroy_node(self) -> None:
        """Leave nothing behind."""
        self._walk.destroy()
        super().destroy_node()

    def _begin(self) -> None:
        if self._walk.server_is_ready() and self._pause.service_is_ready():
            self._timer.cancel()
            self._pause.call_async(SetBool.Request(data=False))

    def _drive(self, _: Any) -> None:
        # Scenes are walked by the action: whoever sends a velocity is a person, at rest, too.
        self._driven = True

    def _see(self, message: Any) -> None:
        now = message.header.stamp.sec + message.header.stamp.nanosec * 1e-9
        place = (message.pose.position.x, message.pose.position.y)
        self._way += math.dist(place, self._last or place)
        self._last = place
        again, self._now = now < self._now, now
        if not self.ended and (again or self._driven or self._taken_over(message)):
            self.ended = True
            why = self._reason()
            self.succeeded = why not in STUCK
            self._say('You drive.' if self.succeeded else f'The walk is {why}. Drive it yourself.')
        elif not self.ended and (self._scene is None or now >= self._until):
            self._next(now)
        elif not self.ended and self._refused is not None:
            self._send(self._refused)
        now_s = time.monotonic()
        if now_s - self._printed >= PERIOD:
            self._printed = now_s
            step = gait_step_from_msg(message)
            x, y, z = step.motion.pose.position
            why = step.stop_reason or step.state or ('walks' if any(message.rules) else '')
            self._say(
                f'{now:6.1f} s  x {x:6.3f} m  y {y:6.3f} m  height {z:.3f} m  '
                f'margin {step.margin:.3f} m  {step.mode}{": " if why else ""}{why}'
            )

    def _taken_over(self, message: Any) -> bool:
        """Return whether somebody else drives the robot."""
        if self._scene is None:
            return False
        if not any(self._scene.velocity):
            return any(twist_from_msg(message.command))
        return self._reason() not in ('', *ALONE)

    def _reason(self) -> str:
        """Return how the walk of the scene has ended; empty while it goes on."""
        done = self._goal is not None and self._goal.done()
        return str(self._goal.result().result.reason) if done else ''

    def _next(self, now: float) -> None:
        """Begin the next scene."""
        self._scene = next(self._scenes, None)
        self._goal = self._refused = None
        if self._scene is None:
            self.ended, self.succeeded = True, self._way > 0.5 * self._wanted
            self._say(f'That was all: {self._way:.2f} m walked. Drive it from the page.')
            return
        scene = self._scene
        self._until = now + scene.time
        self._say(scene.words)
        if scene.gait:
            parameters = [Parameter('gait', value=scene.gait).to_parameter_msg()]
            self._set.call_async(SetParametersAtomically.Request(parameters=parameters))
        x, y, z, *angles = scene.pose
        quaternion = tuple(euler2quat(*angles).tolist())
        self._body.publish(pose_to_msg((x, y, z), quaternion))
        if any(scene.velocity):
            vx, vy, wz = scene.velocity
            time = WALKED * scene.time
            self._wanted += math.hypot(vx, vy) * time
            goal = Walk.Goal(velocity=twist_to_msg((vx, vy, 0.0, 0.0, 0.0, wz)), max_time=time)
            self._send(goal)

    def _send(self, goal: Any) -> None:
        self._refused = None
        sent = self._walk.send_goal_async(goal)
        sent.add_done_callback(partial(self._walks, goal))

    def _walks(self, goal: Any, future: Any) -> None:
        handle = future.result()
        if handle.accepted:
            self._goal = handle.get_result_async()
        else:
            # A node that has just stood still, while it loaded something, refuses goals.
            self._refused = goal


def scenes(
    robot: ArticulatedHexapod, gait: str, forbidden: float | None = None
) -> Iterator[DemoScene]:
    """Return the scenes of a robot."""
    free = free_demo(gait, forbidden)
    if free is not None:
        model = free_gait_model(robot)
        speed = 0.8 * model.command.forward
        yield DemoScene(
            f'Walks {free.words} over ground of which {free.forbidden:.0%} is forbidden.',
            FREE_WAY * robot.height / speed,
            velocity=(speed, 0.0, 0.0),
        )
        return
    order = [gait, *(name for name in PATTERNS if name != gait)]
    for name in order:
        try:
            plan = plan_gait(robot, find_pattern(name))
        except ValueError:
            # Not every robot can walk in every gait.
            continue
        time = CYCLES * plan.period
        yield DemoScene(
            f'Walks ahead in {name}: {plan.speed:.3f} m/s at most.', time, name,
            velocity=(plan.speed, 0.0, 0.0),
        )  # fmt: skip
    plan = plan_gait(robot, find_pattern(gait))
    time = CYCLES * plan.period
    yield DemoScene('Walks to the left.', time, gait, velocity=(0.0, plan.speed, 0.0))
    yield DemoScene('Turns on the spot.', time, velocity=(0.0, 0.0, plan.turn_rate))
    way, held = SHIFT * robot.height, HELD * plan.period
    for axis, words in enumerate(
        ('ahead', 'to the left', 'up', 'to the right side down', 'nose down', 'round to the left')
    ):
        pose = [0.0] * 6
        pose[axis] = way if axis < 3 else TURN
        yield DemoScene(f'Moves its body {words}.', held, pose=tuple(pose))
    yield DemoScene('Stands as it did.', held)


def show(
    robot: str,
    gait: str,
    physics: str,
    eyes: EyesSettings | None = None,
    odometry: str = EXACT,
    forbidden: float | None = None,
    output: str = COMMAND,
) -> Show:
    """Return how a hexapod, shipped or in a file, is demonstrated; raise ValueError for others.

    Only a robot that searches for footholds has use for ``eyes`` and ``forbidden``.
    """
    found = find_hexapod(robot)
    walks = {'robot': robot, 'gait': FREE}
    seeing = eyes_overrides(found.name, eyes, robot=walks) if eyes else {}
    return Show(
        partial(HexapodDemo, robot=found, gait=gait, forbidden=forbidden),
        partial(
            hexapod_overrides,
            robot,
            gait,
            physics,
            odometry,
            seeing=seeing,
            forbidden=forbidden,
            output=output,
        ),
        without=left_out(FREE if gait in FREE_DEMOS else gait),
        also=EYES if eyes else (),
    )
