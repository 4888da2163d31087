"""Gait and servo of feet as nodes, message by message: nothing old is resumed or ordered."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from walking_robots.gaits.commands.walk import WalkGoal
from walking_robots.legs.driven import DrivenLegs
from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.simulation.hexapod.articulated import KinematicArticulated
from walking_robots.terrain.level import LevelGround

pytestmark = pytest.mark.graph

ROBOT = find_hexapod('insect18')
LEGS = DrivenLegs(ROBOT)
STEP = 20_000_000
AHEAD = (0.06, 0.0, 0.0)


class Publisher:
    """Keeps what is published."""

    def __init__(self) -> None:
        self.said: list[Any] = []

    def publish(self, message: Any) -> None:
        self.said.append(message)


@pytest.fixture
def make() -> Iterator[Any]:
    """Return what makes nodes, in a context of their own."""
    import rclpy
    from rclpy.context import Context
    from rclpy.parameter import Parameter

    context, nodes = Context(), []
    rclpy.init(args=[], context=context)

    def made(kind: Any, **values: Any) -> Any:
        values = {'robot': 'insect18', 'gait': 'tripod'} | values
        overrides = [Parameter(name, value=value) for name, value in values.items()]
        nodes.append(kind(context=context, parameter_overrides=overrides))
        return nodes[-1]

    yield made
    for node in nodes:
        node.destroy_node()
    context.try_shutdown()


class Loop:
    """A gait and a simulated robot that obeys it; the clock of the gait stands still."""

    def __init__(self, make: Any, **values: Any) -> None:
        from walking_robots.nodes.hexapod.periodic_gait import PeriodicGait

        self.gait = make(PeriodicGait, **values)
        self.time, self.clock = 0, 100.0
        self.gait.now = lambda: self.clock
        self.out = self.gait._feet = Publisher()
        self.robot = KinematicArticulated(ROBOT, LevelGround())

    @property
    def x(self) -> float:
        return float(self.robot.state.position[0])

    def show(self) -> Any:
        """Show the gait the present state, and give the joints that it wants."""
        from nav_msgs.msg import Odometry
        from sensor_msgs.msg import JointState
        from walking_robots_interfaces.msg import FootContacts

        from walking_robots.nodes.common.conversions import (
            array_to_msg,
            feet_from_msg,
            fill_pose,
            header_to_msg,
        )

        state, header = self.robot.state, header_to_msg(self.time, '')
        joints = JointState(
            header=header, name=list(ROBOT.joint_names()), position=array_to_msg(state.joints)
        )
        odom = Odometry(header=header)
        fill_pose(odom.pose.pose, state.position, state.quaternion)
        self.gait._see('joint_states', joints)
        self.gait._see('odom', odom)
        contacts = FootContacts(header=header, contact=list(state.contacts))
        self.gait._see('foot_contacts', contacts)
        feet, _ = feet_from_msg(self.out.said[-1], 6)
        return LEGS.reach(feet, state.joints).joints

    def walk(self, steps: int) -> float:
        """Walk on, and give the greatest joint speed as a share of what the robot can do."""
        most = 0.0
        for _ in range(steps):
            joints = self.show()
            most = max(most, np.abs(joints - self.robot.state.joints).max())
            self.robot.step(joints)
            self.time += STEP
            self.clock += 0.02
        return most / 0.02 / ROBOT.joint_speed

    def hold(self, x: float, yaw: float) -> None:
        from walking_robots.nodes.common.conversions import (
            pose_to_msg,
        )

        half = 0.5 * yaw
        self.gait._pose_body(
            pose_to_msg((x, 0.0, 0.0), (math.cos(half), 0.0, 0.0, math.sin(half)))
        )


@pytest.mark.parametrize('how', ['walk', 'stick'])
def test_nothing_is_resumed_after_a_gap_in_the_states(how: str, make: Any) -> None:
    loop = Loop(make)
    loop.walk(1)
    if how == 'walk':
        walk = loop.gait.operator.start(WalkGoal(AHEAD, distance=2.0))
    else:
        loop.gait.operator.push_stick(AHEAD, loop.clock + 10.0)
    loop.walk(20)
    loop.time += 60 * 10**9
    loop.clock += 60.0
    here = loop.x
    assert loop.walk(100) <= 1.0
    assert loop.x == pytest.approx(here, abs=1e-6) and here > 0.0
    assert how == 'stick' or walk.ending.startswith('superseded')


def test_a_few_lost_states_are_made_up_for(make: Any) -> None:
    loop = Loop(make)
    loop.walk(1)
    loop.gait.operator.start(WalkGoal(AHEAD, distance=2.0))
    loop.walk(50)
    here = loop.x
    for _ in range(10):
        loop.time += 2 * STEP
        assert loop.walk(10) <= 1.0 + 1e-6
    assert loop.x > here + 0.06


def test_a_state_that_stays_the_same_ends_a_walk_but_not_at_once(make: Any) -> None:
    loop = Loop(make)
    loop.walk(1)
    walk = loop.gait.operator.start(WalkGoal(AHEAD, distance=2.0))
    loop.walk(60)
    first = loop.show()
    loop.clock += 0.4
    assert (loop.show() == first).all() and not walk.ending
    loop.clock += 0.2
    loop.show()
    assert walk.ending.startswith('superseded')
    here = loop.x
    loop.walk(100)
    assert loop.x == pytest.approx(here, abs=1e-6)


def test_a_shift_of_the_body_is_not_added_again_where_the_gait_begins_afresh(make: Any) -> None:
    loop = Loop(make)
    loop.walk(1)
    loop.hold(0.015, 0.1)
    loop.walk(150)
    assert loop.x == pytest.approx(0.015, abs=1e-6)
    for _ in range(3):
        loop.time += 10**9
        loop.walk(60)
        assert loop.x == pytest.approx(0.015, abs=1e-6)
    loop.hold(0.0, 0.1)
    loop.hold(0.01, 0.0)
    loop.walk(100)
    # Ahead is where it looks to by then.
    assert loop.x == pytest.approx(0.015 + 0.01 * math.cos(0.1), abs=1e-6)


def test_the_period_may_be_a_whole_number_and_nothing_else(make: Any) -> None:
    from rclpy.parameter import Parameter

    gait = Loop(make).gait

    def requested(value: Any) -> Any:
        return gait.set_parameters([Parameter('period', value=value)])[0]

    assert requested(5).successful and gait._plan.period == 5.0
    assert requested(0).successful and gait._plan.period < 2.0
    for wrong in ('5s', True, -1.0, 1001):
        assert requested(wrong).reason == "parameter 'period' must be a time from 0 to 1000 s"


class Servo:
    """A servo of feet, and the joints that it sends as trajectories."""

    def __init__(self, make: Any) -> None:
        from walking_robots.nodes.hexapod.leg_servo import LegServoNode

        self.node = make(LegServoNode, output='joint_trajectory', soft_start=0.0)
        self.clock = 100.0
        self.node.now = lambda: self.clock
        self.out = Publisher()
        self.node._drives = [(self.out, self.node._drives[0][1])]
        self.home = LEGS.canonical.values(LEGS.canonical.home)

    def see(self, time: int, joints: Any) -> None:
        from sensor_msgs.msg import JointState

        from walking_robots.nodes.common.conversions import (
            array_to_msg,
            header_to_msg,
        )

        names = list(ROBOT.joint_names())
        message = JointState(
            header=header_to_msg(time, ''), name=names, position=array_to_msg(joints)
        )
        self.node._servo._see(message)

    def order(self, time: int, feet: Any) -> Any:
        """Order feet and give the joints and the time that were sent."""
        from walking_robots_interfaces.msg import FeetCommand

        from walking_robots.nodes.common.conversions import (
            header_to_msg,
            point_to_msg,
        )

        points = [point_to_msg(tuple(foot)) for foot in feet.tolist()]
        message = FeetCommand(
            header=header_to_msg(time, 'base_link'), feet=points, stands=[True] * 6
        )
        self.node._servo._obey('feet/command', message)
        return self.sent()

    def sent(self) -> Any:
        point = self.out.said[-1].points[0]
        time = point.time_from_start.sec + point.time_from_start.nanosec * 1e-9
        return np.array(point.positions).reshape(6, 3), time


def test_a_servo_that_ends_holds_what_it_ordered_and_nothing_old(make: Any) -> None:
    servo = Servo(make)
    feet = LEGS.forward(servo.home)
    servo.see(0, servo.home)
    joints, _ = servo.order(0, feet + np.array([0.005, 0.0, 0.0]))
    servo.node.halt()
    assert len(servo.out.said) == 2 and (servo.sent()[0] == joints).all()
    servo.see(STEP, servo.home + 0.6)
    servo.node.halt()
    assert len(servo.out.said) == 2


def test_legs_that_give_way_do_not_sink_where_a_foot_is_out_of_reach(make: Any) -> None:
    servo = Servo(make)
    canonical, sag = LEGS.canonical, np.array([0.0, math.radians(0.5), 0.0])
    feet = LEGS.forward(servo.home)
    servo.see(0, servo.home)
    ordered, _ = servo.order(0, feet)
    first = ordered
    for step in range(1, 50):
        measured = canonical.values(canonical.canonical(ordered) + sag)
        servo.see(step * STEP, measured)
        ordered, _ = servo.order(step * STEP, feet + np.array([1.0, 0.0, 0.0]))
    assert (ordered == first).all()
    # Joints that were elsewhere since are held where they are.
    servo.see(60 * STEP, servo.home + 0.1)
    ordered, _ = servo.order(60 * STEP, feet + np.array([1.0, 0.0, 0.0]))
    assert (ordered == servo.home + 0.1).all()


def test_a_trajectory_requires_no_more_than_joints_can(make: Any) -> None:
    servo = Servo(make)
    feet = LEGS.forward(servo.home)
    servo.see(0, servo.home)
    joints, time = servo.order(0, feet + np.array([0.03, 0.0, 0.01]))
    way = np.abs(joints - servo.home).max() / ROBOT.joint_speed
    assert time == pytest.approx(way) and time > 0.04
    # A step later the joints are still on their way.
    servo.clock += 0.02
    servo.see(STEP, servo.home)
    _, time = servo.order(STEP, feet + np.array([0.03, 0.0, 0.01]))
    assert time == pytest.approx(way - 0.02, abs=1e-6)
    servo.clock += 1.0
    servo.see(2 * STEP, servo.home)
    assert servo.order(2 * STEP, feet + np.array([0.03, 0.0, 0.01]))[1] == 0.02


def test_a_free_running_simulation_takes_no_old_command(make: Any) -> None:
    from walking_robots_interfaces.msg import JointCommand

    from walking_robots.nodes.common.conversions import (
        array_to_msg,
        header_to_msg,
    )
    from walking_robots.nodes.hexapod.conversions import terrain_to_msg
    from walking_robots.nodes.hexapod.sim import HexapodSim
    from walking_robots.terrain.generator import build

    sim = make(HexapodSim, lock_step=False)
    sim._stand_on(terrain_to_msg(build(50, 50, 0.05, heights=np.zeros(51)), 0))
    for _ in range(100):
        sim._advance()
    before = sim._backend.state.joints
    for late, moves in ((100, False), (27, False), (20, True)):
        order = JointCommand(
            header=header_to_msg((sim._count - late) * STEP, ''),
            name=sim._names,
            position=array_to_msg(before + 0.01),
        )
        sim._command(order)
        sim._advance()
        assert bool((sim._backend.state.joints != before).any()) is moves
