"""The blind bipeds in the graph: the same walk everywhere, falls, pushes, and what gets lost."""

import math
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from itertools import pairwise
from typing import Any

import pytest

from benchmarks.own_clock import PATIENCE, Stopwatch, wait_until
from walking_robots.gaits.biped.parameter_files import shipped_sets
from walking_robots.gaits.biped.spatial.parameters import SpatialParameters
from walking_robots.robots.kwalk import KWALKS
from walking_robots.robots.kwalk_spatial import KWALKB3D
from walking_robots.simulation.biped.state import SimulationSettings
from walking_robots.trials.biped.figures import run
from walking_robots.trials.biped.ground import find_ground
from walking_robots.trials.biped.spatial_figures import SpatialResult, run_in_space
from walking_robots.trials.biped.spatial_ground import find_spatial_ground
from walking_robots.trials.biped.spatial_trial import SpatialTrial
from walking_robots.trials.biped.trial import BipedTrial

pytestmark = pytest.mark.graph

DT = 0.004


def _trial(robot: str, words: str, seconds: float, contact: Any = 'native') -> BipedTrial:
    ground = find_ground(words)
    _, parameters = shipped_sets().find(robot, 'tuned', ground.kind)
    settings = SimulationSettings(contact)
    return BipedTrial(KWALKS[robot], parameters, ground.profile, settings, time=seconds)


@pytest.mark.parametrize(
    ('how', 'robot', 'words', 'servo', 'contact'),
    [
        ('composed', 'b', 'very-rough', 'inside', 'native'),
        ('distributed', 'a', 'slope:20deg', 'inside', 'native'),
        ('composed', 'a', 'rough', 'topic', 'thesis'),
        ('distributed', 'b', 'level', 'topic', 'native'),
    ],
)
def test_a_walk_leaves_the_same_trace_everywhere(
    how: Any, robot: str, words: str, servo: str, contact: str, graph: Any
) -> None:
    from walking_robots.nodes.biped.trial import run_biped_in_graph

    # Springs take physics in steps of 0.2 ms, each of them a round of messages for the servos.
    seconds = 0.4 if contact == 'thesis' else 2.0
    trial = _trial(robot, words, seconds, contact)
    found = run_biped_in_graph(
        trial.parameters.speed,
        seconds,
        how,
        gait={'robot': robot, 'ground': find_ground(words).kind},
        simulation={'robot': robot, 'terrain': words, 'servo': servo, 'contact': contact},
        domain=graph.private_domain(),
    )
    plain = run(trial)
    assert found.trace_sha256 == plain.trace_sha256
    assert found.distance_m == plain.distance_m


@pytest.mark.parametrize('how', ['composed', 'distributed'])
def test_a_walk_in_space_leaves_the_same_trace_everywhere(how: Any, graph: Any) -> None:
    from walking_robots.nodes.biped.trial import run_biped_in_graph

    _, parameters = shipped_sets().find('b3d', 'tuned', 'level')
    assert isinstance(parameters, SpatialParameters)
    ground = find_spatial_ground('cells:1cm', 5).ground
    plain = run_in_space(
        SpatialTrial(KWALKB3D, parameters, ground, time=2.0, turn=0.1, heading=-0.5, seed=5)
    )
    found = run_biped_in_graph(
        parameters.speed,
        2.0,
        how,
        turn=0.1,
        gait={'robot': 'b3d'},
        simulation={'robot': 'b3d', 'terrain': 'cells:1cm', 'seed': 5, 'slope_heading': 0.5},
        domain=graph.private_domain(),
    )
    assert isinstance(found, SpatialResult)
    assert found.trace_sha256 == plain.trace_sha256
    assert not found.fell and found.steps == plain.steps
    # Whoever is found late misses the odometry of the first ticks.
    assert found.distance_m == pytest.approx(plain.distance_m, abs=0.01)
    assert found.heading_error_rad == pytest.approx(plain.heading_error_rad, abs=0.005)
    assert not found.fell


def test_a_walk_that_falls_ends_in_the_same_tick(graph: Any) -> None:
    from walking_robots.nodes.biped.trial import run_biped_in_graph

    words = 'slope:-20deg'
    ground = find_ground(words)
    _, parameters = shipped_sets().find('b', 'literal', ground.kind)
    plain = run(BipedTrial(KWALKS['b'], parameters, ground.profile, time=12.0))
    found = run_biped_in_graph(
        parameters.speed,
        12.0,
        'composed',
        gait={'robot': 'b', 'params': 'literal', 'ground': ground.kind},
        simulation={'robot': 'b', 'params': 'literal', 'terrain': words},
        domain=graph.private_domain(),
    )
    assert found.fell and plain.fell
    seen, known = asdict(found), asdict(plain)
    assert seen.pop('friction_p99') is None
    assert seen.pop('max_slip_m') is None
    assert seen.pop('trace_sha256') == known['trace_sha256']
    assert seen == pytest.approx({name: known[name] for name in seen})


class Scene:
    """A graph in this process, a person in it, and everything that the robot did."""

    def __init__(self, graph: Any, **values: dict[str, Any]) -> None:
        from nav_msgs.msg import Odometry
        from rclpy.action import ActionClient
        from rclpy.node import Node
        from walking_robots_interfaces.action import Walk
        from walking_robots_interfaces.msg import BipedLegs

        from walking_robots.nodes.common.composition import Composition
        from walking_robots.nodes.common.qos import LOOP
        from walking_robots.nodes.common.velocity_publisher import VelocityPublisher

        overrides = {name: dict(found) for name, found in values.items()}
        overrides.setdefault('biped_sim', {}).setdefault('real_time_factor', 4.0)
        for name in ('biped_sim', 'biped_gait'):
            overrides.setdefault(name, {}).setdefault('observer_period', 0.0)
        outside = overrides['biped_sim'].get('servo') == 'topic'
        self.graph = Composition(
            'biped',
            overrides,
            without=('viewer',) if outside else ('viewer', 'joint_servo'),
            domain=graph.private_domain(),
            namespace=f'/biped_{os.getpid()}',
        )
        self.sim, self.gait = self.graph.nodes['biped_sim'], self.graph.nodes['biped_gait']
        self.person = self.graph.add('person', lambda **options: Node('person', **options))
        self.legs: list[Any] = []
        self.x: list[tuple[float, float]] = []
        self.speed = 0.0
        self.stick = VelocityPublisher(self.person, stamped=True)
        self.walk: Any = ActionClient(self.person, Walk, 'walk')
        self.person.create_subscription(BipedLegs, 'gait/legs', self._felt, LOOP)
        self.person.create_subscription(Odometry, 'odom', self._moved, LOOP)
        self.clients: dict[str, Any] = {}

    def _felt(self, legs: Any) -> None:
        self.legs.append(legs)
        if self.speed:
            self.stick.publish(self.speed, 0.0, 0.0)

    def _moved(self, odom: Any) -> None:
        stamp = odom.header.stamp
        self.x.append((stamp.sec + stamp.nanosec * 1e-9, odom.pose.pose.position.x))

    def until(self, done: Callable[[], Any], what: str, limit: float = PATIENCE) -> None:
        wait_until(done, lambda: f'{what}; {self.gait.health()}', limit, spin=self.graph.spin)

    def go_on(self, seconds: float) -> None:
        """Let simulated time go on."""
        ticks = len(self.legs) + round(seconds / DT)
        self.until(lambda: len(self.legs) >= ticks, f'{seconds} s')

    def call(self, kind: Any, name: str, **fields: Any) -> Any:
        if name not in self.clients:
            self.clients[name] = self.person.create_client(kind, name)
        client = self.clients[name]
        self.until(client.service_is_ready, name)
        future = client.call_async(kind.Request(**fields))
        self.until(future.done, name)
        return future.result()

    def result(self, **goal: Any) -> Any:
        """Walk, and give what came of it."""
        from geometry_msgs.msg import Twist
        from walking_robots_interfaces.action import Walk

        self.until(self.walk.server_is_ready, 'the action walk')
        velocity = Twist()
        velocity.linear.x = self.gait._gait.parameters.speed
        sent = self.walk.send_goal_async(Walk.Goal(velocity=velocity, **goal))
        self.until(sent.done, 'an answer')
        ended = sent.result().get_result_async()
        self.until(ended.done, 'a result')
        return ended.result().result

    def refuses(self, vx: float = 0.4, **goal: Any) -> bool:
        """Return whether a walk is refused."""
        from geometry_msgs.msg import Twist
        from walking_robots_interfaces.action import Walk

        velocity = Twist()
        velocity.linear.x = vx
        sent = self.walk.send_goal_async(Walk.Goal(velocity=velocity, **goal))
        self.until(sent.done, 'an answer')
        return not sent.result().accepted

    @property
    def here(self) -> float:
        return self.x[-1][1]


@contextmanager
def scene(graph: Any, **values: dict[str, Any]) -> Iterator[Scene]:
    found = Scene(graph, **values)
    try:
        found.until(lambda: found.legs and found.x, 'the first tick')
        yield found
    finally:
        found.walk.destroy()
        found.graph.close()


def test_it_stands_until_a_walk_is_commanded_and_stands_again(graph: Any) -> None:
    with scene(graph) as found:
        found.go_on(3.0)
        start = found.here
        # It stands on both feet, after a step at most.
        assert abs(start) < 0.2 and found.legs[-1].state in (4, 8)
        found.speed = 0.4
        found.go_on(5.0)
        assert found.here > start + 1.0
        found.speed = 0.0
        found.go_on(3.0)
        here = found.here
        found.go_on(2.0)
        assert found.here == pytest.approx(here, abs=0.05)
        assert found.legs[-1].state != 12 and abs(found.legs[-1].speed) < 0.1


def test_a_walk_ends_at_its_distance_and_one_that_falls_says_where(graph: Any) -> None:
    from std_srvs.srv import Trigger
    from walking_robots_interfaces.srv import Push

    with scene(graph) as found:
        result = found.result(distance=1.0)
        assert found.refuses(-0.3, distance=1.0) and found.refuses(to_pose=True)
        assert result.reached and result.reason == 'reached'
        assert result.distance == pytest.approx(1.0, abs=0.25)
        pushed = found.call(Push, 'biped_sim/push', force=-90.0, duration=0.3)
        assert pushed.success
        result = found.result(max_time=20.0)
        assert not result.reached and 'fell after' in result.reason
        found.until(lambda: found.legs[-1].state == 12, 'the fall')
        found.go_on(0.1)
        # All joints are limp, no walk is accepted, and people are reported how to go on.
        assert found.refuses(distance=0.5)
        way = found.gait._way
        found.go_on(0.5)
        assert found.gait._way == way, 'a robot that lies goes nowhere'
        assert 'reset' in found.gait.health()[1] and 'reset' in found.sim.health()[1]
        assert all(order.effort == 0.0 and order.stiffness == 0.0 for order in found.sim._orders)
        assert found.call(Trigger, 'biped_sim/reset').success
        found.until(lambda: found.legs[-1].state < 4 and abs(found.here) < 0.05, 'set up again')
        assert found.result(distance=0.5).reached


def test_terrain_robot_and_parameters_change_while_it_walks(graph: Any) -> None:
    from rclpy.parameter import Parameter

    with scene(graph) as found:
        found.speed = 0.4
        found.go_on(2.0)
        rough = [Parameter('terrain', value='rough'), Parameter('seed', value=4)]
        assert found.gait.set_parameters_atomically(
            [Parameter('ground', value='rough')]
        ).successful
        assert found.sim.set_parameters_atomically(rough).successful
        found.until(lambda: found.x[-1][0] < 0.5, 'the start')
        found.go_on(5.0)
        assert found.here > 0.8 and found.legs[-1].state != 12
        for node in (found.gait, found.sim):
            assert node.set_parameters_atomically([Parameter('robot', value='a')]).successful
        found.until(lambda: found.x[-1][0] < 0.5, 'the other robot')
        found.go_on(5.0)
        assert found.here > 0.8 and found.legs[-1].state != 12
        refused = found.sim.set_parameters_atomically([Parameter('terrain', value='moon')])
        assert not refused.successful and 'level, rough' in refused.reason
        refused = found.gait.set_parameters_atomically([Parameter('params', value='b_h41')])
        assert not refused.successful and 'robot a' in refused.reason
        here = found.here
        found.go_on(1.0)
        assert found.here > here + 0.1


@pytest.mark.slow
def test_a_lost_foot_switch_message_costs_a_tick_and_no_more(graph: Any) -> None:
    # Slowly, so that a busy machine loses no more than is lost on purpose.
    values = {'biped_sim': {'lock_step': False, 'real_time_factor': 0.25}}
    with scene(graph, **values) as found:
        found.speed = found.gait._gait.parameters.speed
        found.go_on(2.0)
        lost = {400, 500, 501}
        invite, ticks = found.sim._messages.invite, [0]

        def sometimes(state: Any, stamp: int) -> None:
            ticks[0] += 1
            if ticks[0] not in lost:
                invite(state, stamp)

        found.sim._messages.invite = sometimes
        found.until(lambda: ticks[0] > 750, 'time')
        assert found.legs[-1].state != 12
        assert found.here > 0.8


def test_a_free_running_simulation_keeps_the_speed_of_time(graph: Any) -> None:
    values = {'biped_sim': {'lock_step': False, 'real_time_factor': 3.0}}
    with scene(graph, **values) as found:
        watch, begin = Stopwatch(), found.x[-1][0]
        found.until(lambda: found.x[-1][0] > begin + 6.0, 'time')
        # A slow machine may fall behind; without making up for it not one could keep up.
        assert 6.0 / watch.elapsed() > 1.5


def test_slip_is_reported_with_the_legs_and_the_state_of_the_gait(graph: Any) -> None:
    from walking_robots_interfaces.msg import GaitState

    from walking_robots.nodes.common.qos import LOOP

    ground = {'friction': 0.2, 'terrain': 'cells:2cm', 'seed': 431}
    with scene(graph, biped_sim=ground, biped_gait={'params': 'b_slip'}) as found:
        facts: set[str] = set()
        found.person.create_subscription(
            GaitState, 'gait/state', lambda state: facts.update(state.facts), LOOP
        )
        found.until(lambda: 'no slip felt' in facts, 'the facts')
        found.speed = 0.4
        found.until(lambda: any('a foot slipped' in fact for fact in facts), 'a slip')
        slips = [legs for legs in found.legs if legs.slip]
        assert all(legs.slip >= 0.008 for legs in slips)
        assert any(legs.slip_speed > 0.1 for legs in slips)


def test_observers_get_fewer_messages_but_every_change_of_state(graph: Any) -> None:
    values = {name: {'observer_period': 0.02} for name in ('biped_sim', 'biped_gait')}
    with scene(graph, **values) as found:
        found.speed = 0.4
        found.until(lambda: len({legs.state for legs in found.legs}) > 6, 'steps')
        stamps = [legs.header.stamp.sec + legs.header.stamp.nanosec * 1e-9 for legs in found.legs]
        early = 0
        for (legs, at), (after, later) in pairwise(zip(found.legs, stamps, strict=True)):
            assert later - at < 0.0201
            on_time = abs(later / 0.02 - round(later / 0.02)) < 0.01
            early += not on_time
            assert on_time or after.state != legs.state
        assert early
        apart = [later - at for (at, _), (later, _) in pairwise(found.x)]
        assert apart and all(0.0199 < time < 0.0201 for time in apart)


def test_a_simulation_in_real_time_makes_several_steps_after_each_wait(graph: Any) -> None:
    # Slow enough that a busy machine has to wait, too.
    with scene(graph, biped_sim={'real_time_factor': 0.25}) as found:
        waits: list[float] = []
        wait = found.sim._check_after
        found.sim._check_after = lambda seconds: waits.append(seconds) or wait(seconds)
        begin = len(found.legs)
        found.go_on(0.5)
        steps = len(found.legs) - begin
        assert 1 <= len(waits) < 0.75 * steps, f'{len(waits)} waits for {steps} steps'


def test_a_controller_that_is_lost_lets_a_free_running_robot_go_limp(graph: Any) -> None:
    values = {'biped_sim': {'lock_step': False, 'real_time_factor': 1.0}}
    with scene(graph, **values) as found:
        found.go_on(1.0)
        found.graph.executor.remove_node(found.gait)
        watch = Stopwatch()
        found.until(lambda: watch.passed(2.0), 'time')
        assert all(order.stiffness == 0.0 and order.effort == 0.0 for order in found.sim._orders)
        assert 'lies' in found.sim.health()[1]
        found.graph.executor.add_node(found.gait)


def test_a_controller_that_is_restarted_goes_on_standing(graph: Any) -> None:
    with scene(graph) as found:
        found.speed = 0.4
        found.go_on(4.0)
        found.speed = 0.0
        found.go_on(3.0)
        here, state = found.here, found.legs[-1].state
        assert state != 12
        found.graph.restart({'biped_gait': {}})
        found.gait = found.graph.nodes['biped_gait']
        count = len(found.legs)
        found.until(lambda: len(found.legs) > count + 250, 'the controller is back')
        assert found.legs[-1].state != 12
        assert found.here == pytest.approx(here, abs=0.15)
        found.speed = 0.4
        found.go_on(5.0)
        assert found.here > here + 0.8


def test_a_servo_on_a_topic_that_is_restarted_lets_the_walk_go_on(graph: Any) -> None:
    from rclpy.parameter import Parameter

    with scene(graph, biped_sim={'servo': 'topic', 'real_time_factor': 1.0}) as found:
        found.speed = found.gait._gait.parameters.speed
        found.go_on(1.0)
        for _ in range(3):
            found.graph.restart({'joint_servo': {}})
            found.go_on(0.5)
        assert found.legs[-1].state != 12
        # The efforts of the other robot are bounded as its own.
        for node in (found.gait, found.sim):
            assert node.set_parameters_atomically([Parameter('robot', value='a')]).successful
        found.until(lambda: found.x[-1][0] < 0.1, 'the other robot')
        found.speed = found.gait._gait.parameters.speed
        found.go_on(3.0)
        assert found.here > 0.4 and found.legs[-1].height > 0.45


def test_a_robot_that_is_not_the_one_of_the_controller_is_not_moved(graph: Any) -> None:
    from rclpy.parameter import Parameter

    with scene(graph) as found:
        found.go_on(1.0)
        assert found.sim.set_parameters_atomically([Parameter('robot', value='a')]).successful
        # The warning may come before the odometry of the other robot.
        found.until(lambda: 'kwalka' in found.gait.warning_now, 'a warning')
        found.until(lambda: found.x[-1][0] == 0.0, 'a robot that stands where it began')


def test_messages_that_make_no_sense_are_dropped_and_the_walk_goes_on(graph: Any) -> None:
    from sensor_msgs.msg import Imu, JointState
    from walking_robots_interfaces.msg import FootContacts, JointCommand
    from walking_robots_interfaces.srv import Push

    names = ['rhip', 'rknee', 'lhip', 'lknee']
    upside = Imu()
    upside.orientation.w = 0.0
    unknown = Imu()
    unknown.orientation_covariance[0] = -1.0
    wrong = (
        (JointState, 'joint_states', JointState(name=['rhip'], position=[0.0])),
        (JointState, 'joint_states', JointState(name=names, position=[math.nan] * 4)),
        (Imu, 'imu', upside),
        (Imu, 'imu', unknown),
        (JointState, 'joint_states', JointState()),
        (JointState, 'joint_states', JointState(name=names, position=[0.0] * 4)),
        (FootContacts, 'foot_contacts', FootContacts(contact=[True])),
        (JointCommand, 'joint_command', JointCommand(name=names, position=[math.inf] * 4)),
        (JointCommand, 'joint_command', JointCommand(name=['knee'], position=[0.0])),
    )
    with scene(graph) as found:
        found.speed = found.gait._gait.parameters.speed
        found.go_on(2.0)
        for kind, topic, message in wrong:
            publisher = found.person.create_publisher(kind, topic, 10)
            found.go_on(0.2)
            message.header = found.legs[-1].header
            publisher.publish(message)
        assert not found.call(Push, 'biped_sim/push', force=math.nan, duration=0.1).success
        here = found.here
        found.go_on(4.0)
        assert found.here > here + 0.8 and found.legs[-1].state != 12


def test_the_servo_bounds_efforts_and_goes_limp_without_orders(graph: Any) -> None:
    from rclpy.node import Node
    from sensor_msgs.msg import JointState
    from std_msgs.msg import Float64MultiArray
    from walking_robots_interfaces.msg import JointCommand

    from walking_robots.nodes.biped.conversions import joint_orders_to_msg
    from walking_robots.nodes.common.composition import Composition
    from walking_robots.nodes.common.qos import LOOP
    from walking_robots.robots.impedance import JointOrder

    others = ('viewer', 'biped_gait', 'biped_sim')
    values = {'joint_servo': {'lock_step': False, 'command_timeout': 0.3}}
    system = Composition(
        'biped', values, without=others, domain=graph.private_domain(), namespace='/servo'
    )
    try:
        person = system.add('person', lambda **options: Node('person', **options))
        seen: list[Any] = []
        person.create_subscription(
            Float64MultiArray, 'effort_controller/commands', seen.append, 10
        )
        joints = person.create_publisher(JointState, 'servo/joint_states', LOOP)
        orders = person.create_publisher(JointCommand, 'joint_command', LOOP)
        names = ['rhip', 'rknee', 'lhip', 'lknee']
        state = JointState(name=names, position=[0.1] * 4, velocity=[0.0] * 4)
        person.create_timer(0.01, lambda: joints.publish(state))

        def until(done: Callable[[], Any]) -> None:
            wait_until(done, lambda: seen[-1:], spin=system.spin)

        until(lambda: seen and list(seen[-1].data) == [0.0] * 4)
        four = [JointOrder(position=0.2, stiffness=k) for k in (10.0, 1e4, 10.0, 10.0)]
        until(lambda: orders.get_subscription_count())
        orders.publish(joint_orders_to_msg(0, four))
        # Stiffness by what is missing; a revolute knee gives 20 N m at most.
        until(lambda: list(seen[-1].data) == pytest.approx([1.0, 20.0, 1.0, 1.0]))
        until(lambda: list(seen[-1].data) == [0.0] * 4)
    finally:
        system.close()


@pytest.mark.slow
def test_the_demonstration_ends_without_a_fall(graph: Any) -> None:
    from functools import partial

    from walking_robots.nodes.biped.demo import SCENES, BipedDemo
    from walking_robots.nodes.common.composition import Composition

    said: list[str] = []
    system = Composition(
        'biped',
        BipedDemo.overrides(0.0),
        without=('viewer', 'joint_servo'),
        domain=graph.private_domain(),
        namespace='/demo',
    )
    try:
        shown: Any = system.add('presenter', partial(BipedDemo, said.append))
        wait_until(lambda: shown.ended, lambda: said, spin=system.spin)
        assert shown.succeeded, said
        assert sum('knees' in line for line in said) == len(SCENES)
    finally:
        system.close()
