"""The periodic gaits: joints and foot switches in; feet out."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

from geometry_msgs.msg import Pose
from nav_msgs.msg import Odometry
from sensor_msgs.msg import JointState
from std_srvs.srv import Trigger
from transforms3d.euler import mat2euler
from walking_robots_interfaces.msg import FeetCommand, FootContacts

from walking_robots.gaits.commands.charge import explained
from walking_robots.gaits.commands.path_hold import PathHold
from walking_robots.gaits.periodic.paths import PATHS
from walking_robots.gaits.periodic.patterns import PATTERNS, find_pattern
from walking_robots.gaits.periodic.plan import GaitPlan, plan_gait
from walking_robots.gaits.periodic.posture import Posture
from walking_robots.gaits.periodic.record import facts, held, mobility, record
from walking_robots.gaits.periodic.walker import PeriodicWalker, StrayFootError
from walking_robots.geometry.pose import Vector
from walking_robots.geometry.se2 import Screw2
from walking_robots.legs.driven import DrivenLegs
from walking_robots.nodes.common.conversions import (
    contacts_from_msg,
    fill_header,
    joints_from_msg,
    point_to_msg,
    pose_from_msg,
    stamp_from_msg,
)
from walking_robots.nodes.common.gait_conversions import gait_step_to_msg
from walking_robots.nodes.common.gait_node import GaitNode
from walking_robots.nodes.common.health import Health, waiting
from walking_robots.nodes.common.node import ConfigurationError, one_of
from walking_robots.nodes.common.qos import LOOP
from walking_robots.nodes.common.running import run_node
from walking_robots.nodes.common.synchronizer import TimeSynchronizer
from walking_robots.nodes.hexapod.robot import declare_hexapod

SOURCES = {name: 'hexapod_sim' for name in ('joint_states', 'foot_contacts', 'odom')}

MISSED = 5
"""Most steps, lost on their way, that a free-running gait makes up for at once; after more it
begins afresh."""

REPLAN = 0.2
"""Shortest wall time, s, between two changes of the body's posture."""

LONGEST = 1000.0

BODY = (
    ('height', 'rise of the body at the start, against its neutral height', 'm', 10.0),
    ('roll', 'roll of the body at the start, right side down', 'rad', 0.8),
    ('pitch', 'pitch of the body at the start, nose down', 'rad', 0.8),
)
"""Parameters that the topic `body_pose` changes afterwards."""


class PeriodicGait(GaitNode):
    """Answers every state of the robot with feet; gait and posture may change while it walks."""

    def __init__(self, **options: Any) -> None:
        """Wait for the first state."""
        super().__init__('periodic_gait', **options)
        hexapod = declare_hexapod(self, changeable=True)
        if hexapod.articulated is None or hexapod.free:
            raise ConfigurationError(
                f'periodic_gait: the gait {hexapod.gait} is that of the node free_gait.'
            )
        self._robot = hexapod.articulated
        self._dt = hexapod.dt
        self._legs = DrivenLegs(self._robot)
        height, roll, pitch = (
            self.parameter(f'body_{name}', 0.0, what, unit, low=-most, high=most, fixed=True)
            for name, what, unit, most in BODY
        )
        self._home = Posture(self._robot.height + height, roll, pitch)
        self._posture = self._wanted = self._home
        period = self.parameter(
            'period', 0.0, f'time of a cycle up to {LONGEST:g}; 0: that of the fastest walk', 's',
            check=_check_period, any_type=True,
        )  # fmt: skip
        path = self.parameter(
            'path', 'trapezoid', f'way of a swinging foot: {" or ".join(PATHS)}',
            check=one_of('path', PATHS),
        )  # fmt: skip
        try:
            self._plan = self._planned(hexapod.gait, period, path, self._posture)
        except ValueError as error:
            raise ConfigurationError(f'periodic_gait: {error}.') from error
        self._next_plan = self._plan
        holds = self.parameter(
            'hold_path', False,
            'correct velocities by odom, so that slipping feet lead the body nowhere else',
            fixed=True,
        )  # fmt: skip
        self._hold = PathHold(self._dt, self._plan.radius) if holds else None
        self._walker: PeriodicWalker | None = None
        self._inputs = TimeSynchronizer(*SOURCES)
        self._newest = self._answered = -1
        self._steps = 0
        self._posed = self._since = 0.0
        self._answer: tuple[Any, Any] | None = None
        self._sent: Sequence[Vector] | None = None
        self._failed: tuple[int, ...] = ()
        self._feet = self.create_publisher(FeetCommand, 'feet/command', LOOP)
        self.follow_battery()
        for kind, topic in zip((JointState, FootContacts, Odometry), SOURCES, strict=True):
            self.listen(kind, topic, partial(self._see, topic))
        self.listen(Pose, 'body_pose', self._pose_body)
        self.provide(Trigger, '~/hold', self._hold_body)
        self.serve(mobility(self._plan, self._dt), hexapod.foot_size)

    # Commands

    def changing(self, values: Any) -> None:
        """Plan with new parameters; raise ValueError where the legs cannot step so."""
        gait, period, path = (
            values.get(name, self.get_parameter(name).value) for name in ('gait', 'period', 'path')
        )
        if gait not in PATTERNS:
            raise ValueError(f'the gait {gait} is that of the node free_gait')
        self._next_plan = self._planned(gait, period, path, self._posture)

    def changed(self) -> None:
        """Go on by the plan of the new parameters."""
        self._follow(self._next_plan)

    def _planned(self, gait: str, period: float, path: str, posture: Posture) -> GaitPlan:
        return plan_gait(
            self._robot, find_pattern(gait), period=period or None, posture=posture,
            path=PATHS[path],
        )  # fmt: skip

    def _follow(self, plan: GaitPlan) -> None:
        self._plan = plan
        self.operator.mobility = mobility(plan, self._dt)
        if self._walker is not None:
            self._walker.plan = plan

    def _hold_body(self, *_: Any) -> str:
        if self._walker is not None:
            self._wanted, self._posed = self._walker.state.posture, -math.inf
            self._take_posture()
        return 'the body stays as it is'

    def _pose_body(self, message: Any) -> None:
        pose = pose_from_msg(message)
        roll, pitch, yaw = mat2euler(pose.matrix())
        x, y, z = pose.position
        self._wanted = Posture(self._robot.height + z, roll, pitch, x, y, yaw)
        self._take_posture()

    def _take_posture(self) -> None:
        """Apply the last commanded body pose as soon as another plan is due."""
        if self._wanted == self._posture or self.now() - self._posed < REPLAN:
            return
        self._posed = self.now()
        gait, period, path = (
            self.get_parameter(name).value for name in ('gait', 'period', 'path')
        )
        try:
            plan = self._planned(gait, period, path, self._wanted)
        except ValueError as error:
            self._wanted = self._posture
            self.warn_throttled(f'holds the body as it is: {error}')
            return
        self._posture = self._wanted
        self._follow(plan)

    # What comes in

    def _see(self, topic: str, message: Any) -> None:
        stamp = stamp_from_msg(message)
        if topic == 'odom':
            pose_from_msg(message.pose.pose)
            if stamp < self._newest:
                self.begin_afresh('the time began afresh')
                self._answered, self._steps = -1, 0
            self._newest = stamp
        found = self._inputs.add(topic, stamp, message)
        if found is None or stamp < self._answered or self.waits_for_battery(stamp):
            return
        self._act(stamp, *found)

    def _act(self, stamp: int, joints: Any, contacts: Any, odom: Any) -> None:
        now = self.now()
        if stamp == self._answered and now - self._since > self.operator.timeout:
            self.begin_afresh('the state stays the same: is the leg_servo node running')
        if stamp != self._answered or self._answer is None:
            self._since = now
            self._decide(stamp, joints, contacts, odom)
        assert self._answer is not None
        feet, state = self._answer
        self._feet.publish(feet)
        self.publish_state(state)

    def _decide(self, stamp: int, joints: Any, contacts: Any, odom: Any) -> None:
        legs = len(self._robot.legs)
        values = joints_from_msg(joints.name, joints.position, self._robot.joint_names())
        switches = contacts_from_msg(contacts, legs)
        pose = pose_from_msg(odom.pose.pose)
        missed = round((stamp - self._answered) / (self._dt * 1e9)) if self._answered >= 0 else 1
        if missed > MISSED:
            self.begin_afresh(f'{missed - 1} states are missing')
            missed = 1
        self._take_posture()
        if self._walker is None:
            self._walker = PeriodicWalker(self._plan, self._legs, values, pose)
        command = self.operator.command(pose, self.now())
        twist = Screw2(*command)
        if self._hold is not None:
            twist = self._hold.correct(twist, pose)
        self._answered, self._steps = stamp, self._steps + 1
        try:
            walked = self._walker.step(
                values, switches, twist, self._dt * max(1, missed), tilt=pose, within=self._dt
            )
        except ValueError as error:
            why, sent = str(error), self._sent
            if not isinstance(error, StrayFootError):
                why = f'{why}; ask for another posture of the body, or for less speed'
            self.warn_throttled(f'holds the legs and begins afresh: {why}')
            self.begin_afresh(why)
            # Legs that give way under the weight sink where they are held as they are measured.
            if sent is None or isinstance(error, StrayFootError):
                sent = self._legs.forward(values).tolist()
            feet = sent
            step, stands = held(self._plan, pose, why), [True] * legs
        else:
            feet, stands = walked.feet, [leg.stands for leg in walked.gait.state.legs]
            step = record(self._walker.followed, walked, pose)
            if step.failed != self._failed:
                self._failed = step.failed
                self.get_logger().warning(f'{step.failures()}: it does not follow')
            if walked.held:
                self.warn_throttled(
                    f'holds the body as it is on its way to a posture: {walked.held}; ask for '
                    'another one'
                )
        step = explained(step, self.operator.charge)
        self._sent = feet
        order = FeetCommand(feet=[point_to_msg((x, y, z)) for x, y, z in feet], stands=stands)
        fill_header(order, stamp, 'base_link')
        self._answer = (
            order,
            gait_step_to_msg(stamp, step, self._steps, facts(self._plan), command),
        )
        self.count(step, stamp)

    def begin_afresh(self, why: str) -> None:
        """Forget the gait and every command: an old motion is never resumed.

        What was a shift of the body is where it is; shifted again it would go on and on.
        """
        self._walker = self._answer = self._sent = None
        self._failed = ()
        if self._hold is not None:
            self._hold.place = None
        self.rest(f'superseded: {why}')
        self._wanted, self._posed = self._home, -math.inf
        self._take_posture()

    def health(self) -> Health:
        """Return what the gait waits for."""
        return waiting(self._inputs, self._dt, SOURCES) or self.walking(self._steps)


def _check_period(value: Any) -> None:
    """Raise ValueError for what is no time of a cycle; whole numbers are times, too."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not 0.0 <= value <= LONGEST:
        raise ValueError(f"parameter 'period' must be a time from 0 to {LONGEST:g} s")


def main() -> int:
    """Run the node as a process."""
    return run_node(PeriodicGait)
