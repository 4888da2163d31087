"""What the demonstration of the blind bipeds shows: one walks, over one ground after the other."""

import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from geometry_msgs.msg import TwistStamped
from rcl_interfaces.srv import SetParametersAtomically
from rclpy.parameter import Parameter
from std_srvs.srv import SetBool
from walking_robots_interfaces.msg import BipedLegs
from walking_robots_interfaces.srv import Push

from walking_robots.gaits.biped.parameter_files import shipped_sets
from walking_robots.gaits.biped.states import FALLEN
from walking_robots.nodes.common.composition import Overrides
from walking_robots.nodes.common.demo import Presenter, Show
from walking_robots.nodes.common.qos import LOOP
from walking_robots.nodes.common.velocity_publisher import PEOPLE, VelocityPublisher
from walking_robots.trials.biped.ground import find_ground

PERIOD = 4.0
"""Wall time, s, between two lines."""

BEGINNING = 0.5
"""Time, s, that counts as the beginning of a scene."""

REPEATED = 0.1
"""Simulated time, s, between two velocities."""

PUSH_AFTER, PUSH, PUSH_TIME = 5.0, 10.0, 0.1
"""When a robot on level ground is pushed, s, by which force, N, and how long, s."""


class _Scene(NamedTuple):
    """A robot on a ground for a time, s."""

    robot: str
    ground: str
    time: float


SCENES = (
    _Scene('b', 'level', 8.0),
    _Scene('b', 'rough', 10.0),
    _Scene('b', 'very-rough', 10.0),
    _Scene('a', 'very-rough', 10.0),
    _Scene('a', 'slope:25deg', 8.0),
    _Scene('b3d', 'level', 10.0),
)


class BipedDemo(Presenter):
    """Lets robots walk, and yields to a person who changes anything."""

    simulation = 'biped_sim'

    @staticmethod
    def overrides(speed: float) -> Overrides:
        """Return the parameters of the demonstration; ``speed`` is that of time."""
        return {'biped_sim': {'real_time_factor': speed, 'start_paused': True}}

    def __init__(self, say: Callable[[str], None], **options: Any) -> None:
        """Wait until the robot can walk."""
        super().__init__(say, **options)
        self._stick = VelocityPublisher(self, stamped=True)
        self._push: Any = self.create_client(Push, 'biped_sim/push')
        self._sets: dict[str, Any] = {
            node: self.create_client(SetParametersAtomically, f'{node}/set_parameters_atomically')
            for node in ('biped_sim', 'biped_gait')
        }
        self._known = shipped_sets()
        self._speed = 0.0
        self._place = -1
        self._pending: list[Any] = []
        self._printed = self._pushed = 0.0
        self._way = 0.0
        self._falls = 0
        self._last = self._sent = -math.inf
        self._begun = self._driven = False
        self._timer = self.create_timer(0.05, self._begin)
        self.create_subscription(BipedLegs, 'gait/legs', self._see, self.record_qos())
        self.create_subscription(TwistStamped, PEOPLE, self._drive, LOOP)

    def rewind(self) -> Overrides:
        """Prepare for the next presenter, which may only drive once this one has ended."""
        self._stick.publish(0.0, 0.0, 0.0)
        return super().rewind()

    def _begin(self) -> None:
        clients = (self._pause, self._push, *self._sets.values())
        if all(client.service_is_ready() for client in clients):
            self._timer.cancel()
            self._next()

    def _next(self) -> None:
        """Set up the next scene; its walk begins when both nodes have taken it."""
        self._place += 1
        if self._place >= len(SCENES):
            self.ended, self.succeeded = True, not self._falls and self._way > 0.0
            self._say(f'That was all: {self._falls} falls. Drive it from the page.')
            return
        scene = SCENES[self._place]
        kind = find_ground(scene.ground).kind
        knees = 'prismatic' if scene.robot == 'a' else 'revolute'
        _, parameters = self._known.find(scene.robot, 'tuned', kind)
        # The speed for which the parameters were made.
        self._speed = parameters.speed
        self._say(f'Robot {scene.robot}, {knees} knees, on ground that it does not see: {kind}.')
        wanted = {
            'biped_gait': {'robot': scene.robot, 'ground': kind},
            'biped_sim': {'robot': scene.robot, 'terrain': scene.ground},
        }
        self._last = self._sent = -math.inf
        self._pushed = 0.0
        self._begun = self._driven = False
        self._pending = [
            self._sets[node].call_async(
                SetParametersAtomically.Request(
                    parameters=[
                        Parameter(name, value=value).to_parameter_msg()
                        for name, value in values.items()
                    ]
                )
            )
            for node, values in wanted.items()
        ]
        self._pause.call_async(SetBool.Request(data=False))

    def _see(self, legs: Any) -> None:
        if self.ended or not all(future.done() for future in self._pending):
            return
        now = legs.header.stamp.sec + legs.header.stamp.nanosec * 1e-9
        # What comes from before the scene has a later stamp than its beginning.
        self._begun |= now < BEGINNING
        if not self._begun:
            return
        # Somebody else drives the robot, or has set it up anew.
        if self._driven or now < self._last - BEGINNING:
            self.ended = self.succeeded = True
            self._say('You drive.')
            return
        if not 0.0 <= now - self._sent < REPEATED:
            self._sent = now
            self._stick.publish(self._speed, 0.0, 0.0)
        scene = SCENES[self._place]
        if legs.state == FALLEN:
            self._falls += 1
            self._say(f'It fell after {now:.1f} s.')
            self._next()
            return
        self._way += min(BEGINNING, now - self._last) * legs.speed
        self._last = now
        if scene.ground == 'level' and not self._pushed and now > PUSH_AFTER:
            self._pushed = now
            self._say(f'Somebody pushes it forward by {PUSH:g} N.')
            self._push.call_async(Push.Request(force=PUSH, duration=PUSH_TIME))
        now_s = time.monotonic()
        if now_s - self._printed >= PERIOD:
            self._printed = now_s
            self._say(
                f'{now:6.1f} s  hips {legs.height:.2f} m over the foot, {legs.speed:.2f} m/s  '
                f'{legs.phase}: {legs.why}'
            )
        if now >= scene.time:
            self._next()

    def _drive(self, _: Any) -> None:
        self._driven = True


def show() -> Show:
    """Return how the system is demonstrated."""
    return Show(BipedDemo, BipedDemo.overrides, without=('joint_servo',))
