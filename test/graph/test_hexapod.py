"""Hexapods on articulated legs in the graph: walks, changes on the way, and what goes wrong."""

import math
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from threading import Timer
from typing import Any

import numpy as np
import pytest

from benchmarks.own_clock import PATIENCE, wait_until
from walking_robots.robots.hexapod_files import find_hexapod

pytestmark = pytest.mark.graph

ROBOT = 'insect18'
AHEAD = (0.05, 0.0, 0.0)
FAST = (0.1, 0.0, 0.0)


class Scene:
    """A graph in this process, a person in it, and everything that the robot did."""

    def __init__(self, graph: Any, gait: str = 'tripod', **values: dict[str, Any]) -> None:
        from geometry_msgs.msg import Pose
        from nav_msgs.msg import Odometry
        from walking_robots_interfaces.msg import GaitState, JointCommand

        from walking_robots.nodes.common.composition import Composition
        from walking_robots.nodes.common.qos import LOOP
        from walking_robots.nodes.hexapod.robot import left_out

        walks = {'robot': ROBOT, 'gait': gait}
        nodes = ('terrain', 'periodic_gait', 'leg_servo', 'hexapod_sim')
        overrides: dict[str, Any] = {name: {**walks, **values.get(name, {})} for name in nodes}
        overrides['terrain'].pop('gait')
        overrides['hexapod_sim'].setdefault('real_time_factor', 10.0)
        self.graph = Composition(
            'hexapod',
            overrides,
            without=('viewer', *left_out(gait)),
            domain=graph.private_domain(),
            namespace=f'/hexapod_{os.getpid()}',
        )
        self.robot = find_hexapod(ROBOT)
        self.gait: list[Any] = []
        self.orders: list[Any] = []
        self.poses: list[Any] = []
        self.velocity: tuple[float, float, float] | None = None
        self.person = self.graph.add('person', graph.Person)
        make = self.person.create_subscription
        make(GaitState, 'gait/state', self.gait.append, LOOP)
        make(JointCommand, 'joint_command', self.orders.append, LOOP)
        make(Odometry, 'odom', self._moved, LOOP)
        self.body = self.person.create_publisher(Pose, 'body_pose', 10)

    def _moved(self, odom: Any) -> None:
        self.poses.append(odom.pose.pose)
        if self.velocity is not None:
            self.person.push(*self.velocity)

    def until(self, done: Callable[[], Any], what: str, limit: float = PATIENCE) -> None:
        wait_until(done, lambda: f'{what}; {self.person.news}', limit, spin=self.graph.spin)

    def go_on(self, seconds: float) -> None:
        """Let simulated time go on."""
        steps = len(self.gait) + round(seconds / 0.02)
        self.until(lambda: len(self.gait) >= steps, f'{seconds} s')

    def hold(self, x: float, y: float, z: float, roll: float, pitch: float, yaw: float) -> None:
        """Ask for a posture of the body."""
        from transforms3d.euler import euler2quat

        from walking_robots.nodes.common.conversions import pose_to_msg

        w, i, j, k = euler2quat(roll, pitch, yaw).tolist()
        self.body.publish(pose_to_msg((x, y, z), (w, i, j, k)))

    def fastest(self, begin: int = 0) -> float:
        """Return the greatest speed that was required of a joint, as a share of what it can do."""
        return max(max(map(abs, order.velocity)) for order in self.orders[begin:]) / (
            self.robot.joint_speed
        )


@contextmanager
def scene(graph: Any, gait: str = 'tripod', **values: dict[str, Any]) -> Iterator[Scene]:
    found = Scene(graph, gait, **values)
    try:
        found.until(lambda: found.gait and found.poses, 'the first step')
        yield found
    finally:
        found.graph.close()


@pytest.mark.parametrize(
    ('how', 'speed'), [('composed', 0.03), ('composed', -0.03), ('distributed', 0.03)]
)
def test_a_periodic_walk_leaves_the_same_trace_everywhere(
    how: Any, speed: float, graph: Any
) -> None:
    from walking_robots.nodes.hexapod.trial import run_periodic_in_graph
    from walking_robots.trials.hexapod.periodic import HexapodTrial, run

    trial = HexapodTrial(
        find_hexapod(ROBOT), 'ripple', speed=speed, lateral=0.01, turn=max(0.0, speed),
        time=6.0, roll=0.05, height=0.09,
    )  # fmt: skip
    found = run_periodic_in_graph(ROBOT, trial, how, domain=graph.private_domain())
    plain = run(trial)
    assert found.trace_sha256 == plain.trace_sha256
    assert found.steps == 300 and found.distance_m > 0.1
    assert (found.distance_m, found.mean_speed_m_s) == (plain.distance_m, plain.mean_speed_m_s)


def test_a_late_servo_changes_no_trial(graph: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from walking_robots.nodes.hexapod.trial import run_periodic_in_graph
    from walking_robots.trials.hexapod.periodic import GaitFigures, HexapodTrial, run

    trial = HexapodTrial(find_hexapod(ROBOT), 'ripple', speed=0.03, time=6.0)
    add, seen = GaitFigures.add, count(1)

    def add_and_stop(figures: Any, step: Any) -> None:
        add(figures, step)
        if next(seen) == 30:
            servo = _child('leg_servo')
            os.kill(servo, signal.SIGSTOP)
            Timer(1.0, os.kill, (servo, signal.SIGCONT)).start()

    plain = run(trial)
    monkeypatch.setattr(GaitFigures, 'add', add_and_stop)
    found = run_periodic_in_graph(ROBOT, trial, 'distributed', domain=graph.private_domain())
    assert next(seen) > 300
    assert found.trace_sha256 == plain.trace_sha256


def _child(node: str) -> int:
    """Return the process of a node that this process has started."""
    mine = Path(f'/proc/{os.getpid()}/task/{os.getpid()}/children').read_text().split()
    return next(int(one) for one in mine if node in Path(f'/proc/{one}/cmdline').read_text())


@pytest.mark.parametrize('how', ['composed', 'distributed'])
def test_a_free_walk_leaves_the_same_trace_everywhere(how: Any, graph: Any) -> None:
    from walking_robots.gaits.free.articulated_model import find_free_gait_model
    from walking_robots.nodes.hexapod.trial import run_free_in_graph
    from walking_robots.trials.hexapod.free import FreeGaitTrial, run

    model = find_free_gait_model('rectangular')
    trial = FreeGaitTrial(model, speed=0.02, forbidden=0.2, distance=0.2)
    found = run_free_in_graph('rectangular', trial, how, domain=graph.private_domain())
    plain = run(trial)
    assert plain.completed and found.completed
    assert found.trace_sha256 == plain.trace_sha256


def test_a_gait_changes_while_the_robot_walks(graph: Any) -> None:
    from rclpy.parameter import Parameter

    with scene(graph) as found:
        node = found.graph.nodes['periodic_gait']
        found.velocity = AHEAD
        for gait in ('wave', 'ripple', 'tripod'):
            assert node.set_parameters_atomically([Parameter('gait', value=gait)]).successful
            found.go_on(4.0)
            assert found.gait[-1].mode == gait
            assert found.gait[-1].velocity.linear.x > 0.005
            assert all(state.margin > 0.0 for state in found.gait)
        assert found.fastest() < 1.0
        refused = node.set_parameters_atomically([Parameter('period', value=0.2)])
        assert not refused.successful and 'take a longer period' in refused.reason
        refused = node.set_parameters_atomically([Parameter('gait', value='free')])
        assert not refused.successful and 'free_gait' in refused.reason
        found.go_on(1.0)
        assert found.gait[-1].mode == 'tripod'


def test_the_body_moves_in_six_axes_over_standing_feet(graph: Any) -> None:
    from transforms3d.euler import quat2euler

    with scene(graph) as found:
        found.go_on(0.5)
        start = found.poses[-1].position
        wanted = (0.01, -0.008, 0.006, 0.05, -0.04, 0.06)
        found.hold(*wanted)
        found.go_on(4.0)
        here, q = found.poses[-1].position, found.poses[-1].orientation
        moved = (here.x - start.x, here.y - start.y, here.z - start.z)
        turned = quat2euler((q.w, q.x, q.y, q.z))
        assert (*moved, *turned) == pytest.approx(wanted, abs=2e-3)
        assert found.gait[-1].support == found.gait[0].support
        found.hold(0.0, 0.0, 0.5, 0.0, 0.0, 0.0)
        found.until(
            lambda: 'another posture' in found.person.news.get('periodic_gait', (b'', ''))[1],
            'a refusal',
        )
        assert found.poses[-1].position.z == pytest.approx(here.z, abs=1e-6)
        # It walks in the posture that it has.
        found.velocity = (0.03, 0.0, 0.0)
        found.go_on(4.0)
        assert found.poses[-1].position.x > here.x + 0.05
        assert found.fastest() < 1.0


def test_a_walk_turns_on_the_spot_to_a_pose_and_begins_again(graph: Any) -> None:
    from std_srvs.srv import Trigger
    from walking_robots_interfaces.action import Walk

    with scene(graph) as found:
        person = found.person
        start = found.poses[-1].position
        found.until(person.walk.server_is_ready, 'the action')
        found.go_on(0.5)
        goal = Walk.Goal()
        goal.velocity.linear.x, goal.distance = 0.05, 0.2
        sent = person.walk.send_goal_async(goal)
        found.until(sent.done, 'an answer')
        ended = sent.result().get_result_async()
        found.until(ended.done, 'a result')
        result = ended.result().result
        assert result.reached and result.distance == pytest.approx(0.2, abs=0.01)
        assert found.poses[-1].position.x - start.x == pytest.approx(0.2, abs=0.01)
        found.until(person.reset.service_is_ready, 'reset')
        person.reset.call_async(Trigger.Request())
        found.until(lambda: found.poses[-1].position.x == start.x, 'the start')
        found.go_on(1.0)
        assert found.poses[-1].position.x == pytest.approx(start.x, abs=1e-9)


def test_a_robot_that_measures_its_battery_slows_down_and_rests(graph: Any) -> None:
    from sensor_msgs.msg import BatteryState
    from walking_robots_interfaces.action import Walk

    with scene(graph) as found:
        publisher = found.person.create_publisher(BatteryState, 'battery_state', 10)

        def measure(percentage: float) -> None:
            publisher.publish(BatteryState(percentage=percentage))
            found.go_on(3.0)

        def speed() -> float:
            return float(found.gait[-1].velocity.linear.x)

        found.velocity = FAST
        found.until(lambda: publisher.get_subscription_count() >= 1, 'the gait')
        # A percentage is a share; robots that do not know theirs walk on.
        for charge in (0.5, math.nan, 87.0):
            measure(charge)
            assert speed() == pytest.approx(FAST[0]) and not found.gait[-1].slowed
        measure(0.1)
        assert 0.0 < speed() < 0.8 * FAST[0]
        assert found.gait[-1].slowed.startswith('the battery is at 10%: at most 56%')
        level, why = found.person.news['periodic_gait']
        assert level == b'\x01' and 'battery is at 10%' in why
        measure(0.04)
        assert speed() == 0.0 and found.gait[-1].stop_reason.endswith('the robot rests')
        goal = Walk.Goal()
        goal.velocity.linear.x, goal.distance = FAST[0], 0.2
        sent = found.person.walk.send_goal_async(goal)
        found.until(sent.done, 'an answer')
        assert not sent.result().accepted
        measure(0.3)
        assert speed() == pytest.approx(FAST[0]) and not found.gait[-1].slowed


def test_a_simulation_with_forces_has_the_battery_of_its_file(graph: Any) -> None:
    from sensor_msgs.msg import BatteryState

    with scene(graph, hexapod_sim={'physics': 'mujoco', 'battery': 0.5}) as found:
        seen: list[Any] = []
        found.person.create_subscription(BatteryState, 'battery_state', seen.append, 10)
        found.go_on(3.5)
        stamps = [message.header.stamp.sec for message in seen]
        assert stamps == list(range(stamps[0], stamps[0] + len(seen))) and len(seen) >= 2
        last = seen[-1]
        assert all(message.header.stamp.nanosec == 0 for message in seen)
        assert last.percentage == pytest.approx(0.5) and last.voltage == pytest.approx(7.4)
        assert last.charge == pytest.approx(2.5) and last.capacity == pytest.approx(5.0)
        assert last.current * last.voltage == pytest.approx(-5.0, abs=0.5)


def test_a_robot_whose_battery_reports_no_more_waits(
    graph: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sensor_msgs.msg import BatteryState

    from walking_robots.nodes.hexapod.sim_publisher import StatePublisher

    waits = {'periodic_gait': {'battery_timeout': 2.0}}
    with scene(graph, hexapod_sim={'physics': 'mujoco'}, **waits) as found:
        publisher = found.person.create_publisher(BatteryState, 'battery_state', 10)
        found.velocity = AHEAD
        found.go_on(3.0)
        assert found.gait[-1].velocity.linear.x == pytest.approx(AHEAD[0])
        monkeypatch.setattr(StatePublisher, 'show_battery', lambda *_: None)
        found.until(
            lambda: 'at most 2 s old' in found.person.news['periodic_gait'][1], 'no report'
        )
        last = found.gait[-1].header.stamp
        # Whole seconds have reports, and after two without one nothing moves.
        assert last.nanosec == 0 and found.person.news['periodic_gait'][0] == b'\x01'
        publisher.publish(BatteryState(header=found.gait[-1].header, percentage=0.5))
        found.go_on(1.0)


def test_a_command_that_stops_coming_stops_the_robot(graph: Any) -> None:
    with scene(graph) as found:
        found.velocity = AHEAD
        found.go_on(2.0)
        assert found.gait[-1].velocity.linear.x == pytest.approx(0.05)
        found.velocity = None
        # Half a second until the command ends, and a quarter of a cycle to come to rest.
        found.go_on(1.5)
        here = found.poses[-1].position.x
        found.go_on(1.0)
        assert found.poses[-1].position.x == pytest.approx(here, abs=1e-9)
        assert found.gait[-1].velocity.linear.x == 0.0


def test_a_free_running_robot_walks_too(graph: Any) -> None:
    # Slowly, as legs that follow late count as failed: on a busy machine orders come late.
    values = {'hexapod_sim': {'lock_step': False, 'real_time_factor': 0.1}}
    with scene(graph, **values) as found:
        begin = found.poses[-1].position.x
        found.velocity = AHEAD
        found.until(lambda: found.poses[-1].position.x > begin + 0.1, 'a walk', 60.0)
        assert not any(state.stopped for state in found.gait), found.person.news


def _seconds(duration: Any) -> float:
    return float(duration.sec + duration.nanosec * 1e-9)


def test_joints_go_to_a_controller_of_ros2_control(graph: Any) -> None:
    from std_srvs.srv import Trigger
    from trajectory_msgs.msg import JointTrajectory

    values = {
        'leg_servo': {'output': 'both', 'trajectory_topic': 'legs/trajectory', 'soft_start': 2.0},
        'hexapod_sim': {'real_time_factor': 0.5},
    }
    with scene(graph, **values) as found:
        seen: list[Any] = []
        found.person.create_subscription(JointTrajectory, 'legs/trajectory', seen.append, 10)
        found.velocity = AHEAD
        found.until(lambda: seen, 'a trajectory')
        assert seen[0].joint_names == list(found.robot.joint_names())
        found.go_on(1.5)
        # Softly at first, wherever the joints are; the first messages may have found nobody.
        softly = [_seconds(each.points[0].time_from_start) for each in seen[:5]]
        assert softly[-1] > 0.3 and softly[0] <= 2.0
        assert softly == sorted(softly, reverse=True)
        point = seen[-1].points[0]
        # A controller refuses a last point with velocities where it is not set otherwise.
        assert len(point.positions) == 18 and not point.velocities
        assert point.time_from_start.nanosec == 20_000_000
        # A robot without foot switches follows its simulation, which gets the same joints.
        found.go_on(0.2)
        assert any(order.position == point.positions for order in found.orders)
        # Where the simulation jumps, the robot follows as fast as its joints turn.
        found.velocity = None
        found.until(found.person.reset.service_is_ready, 'reset')
        before = len(seen)
        found.person.reset.call_async(Trigger.Request())
        found.until(lambda: found.gait[-1].header.stamp.sec == 0, 'the start')
        found.go_on(0.2)
        points = [trajectory.points[0] for trajectory in seen]
        steps = np.diff([list(point.positions) for point in points], axis=0)
        times = [_seconds(point.time_from_start) for point in points[1:]]
        speeds = np.abs(steps).max(axis=1) / times / found.robot.joint_speed
        assert max(times[before:]) > 0.02 and speeds.max() <= 1.0


def test_messages_that_make_no_sense_are_dropped_and_the_walk_goes_on(graph: Any) -> None:
    from geometry_msgs.msg import Point, Pose
    from sensor_msgs.msg import JointState
    from walking_robots_interfaces.msg import FeetCommand, FootContacts

    nowhere = Point(x=math.nan, y=0.0, z=0.0)
    wrong = (
        (FeetCommand, 'feet/command', FeetCommand()),
        (FeetCommand, 'feet/command', FeetCommand(feet=[nowhere] * 6, stands=[True] * 6)),
        (FeetCommand, 'feet/command', FeetCommand(feet=[Point()] * 5, stands=[True] * 6)),
        (FootContacts, 'foot_contacts', FootContacts(contact=[True] * 7)),
        (JointState, 'joint_states', JointState(name=['leg1_yaw'], position=[0.0])),
        (Pose, 'body_pose', Pose(position=nowhere)),
    )
    with scene(graph) as found:
        found.velocity = AHEAD
        for kind, topic, message in wrong:
            publisher = found.person.create_publisher(kind, topic, 10)
            found.go_on(0.2)
            # With the stamp of a state they meet what belongs to it.
            if hasattr(message, 'header'):
                message.header = found.orders[-1].header
            publisher.publish(message)
        here = found.poses[-1].position.x
        found.until(lambda: found.poses[-1].position.x > here + 0.1, 'the walk goes on')
        assert found.fastest() < 1.0


@pytest.mark.slow
@pytest.mark.parametrize(
    ('node', 'how'),
    [
        ('periodic_gait', 'stick'),
        ('periodic_gait', 'walk'),
        ('leg_servo', 'walk'),
        ('hexapod_sim', 'walk'),
    ],
)
def test_a_node_that_is_killed_stops_the_robot_until_it_is_back(
    node: str, how: str, graph: Any
) -> None:
    from walking_robots_interfaces.action import Walk

    from walking_robots.nodes.common.processes import Processes

    domain, namespace = graph.private_domain(), f'/killed_{os.getpid()}'
    with Processes(
        'hexapod',
        {'hexapod_sim': {'real_time_factor': 2.0}},
        without=('viewer', 'free_gait'),
        domain=domain,
        namespace=namespace,
    ) as processes:
        local = graph.LocalNodes(domain)
        person = graph.Person(context=local.context, namespace=namespace)
        local.add(person)

        def until(done: Callable[[], Any], what: str) -> None:
            local.until(done, lambda: f'{what}; {person.news}')

        def wait(seconds: float) -> None:
            end = time.monotonic() + seconds
            local.spin(lambda: time.monotonic() > end)

        try:
            until(lambda: person.x and person.walk.server_is_ready(), 'a robot')
            start = person.here

            def walked() -> bool:
                return person.here > start + 0.1

            if how == 'stick':
                person.hold = AHEAD
                until(walked, 'a walk')
            goal = Walk.Goal(distance=2.0)
            goal.velocity.linear.x = AHEAD[0]
            # A node that gets no processor for half a second ends a walk and refuses the next.
            for _ in range(20):
                if not walked():
                    handle = graph.send_goal(person.walk, goal, until)
                    if handle.accepted:
                        over = handle.get_result_async().done
                        until(lambda over=over: over() or walked(), 'a walk')
                    wait(0.2)
            assert walked()
            processes.kill(node)
            wait(1.0)
            person.hold = None
            wait(1.0)
            here = person.here
            wait(0.5)
            assert person.here == here
            processes.start(node)
            count = len(person.x)
            until(lambda: len(person.x) > count + 20, 'the robot is back')
            # What was requested before is not resumed; a new simulation is at the start.
            begin = person.x[0][1] if node == 'hexapod_sim' else here
            wait(1.0)
            assert person.here == pytest.approx(begin, abs=1e-3)
            person.hold = AHEAD
            until(lambda: person.here > begin + 0.05, 'a walk again')
        finally:
            local.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    'how',
    ['--gait tripod', '--gait free', '--gait planned', '--forbidden 0.2 --output both'],
)
def test_the_demonstration_shows_the_robot_of_the_tutorial(
    how: str, graph: Any, tmp_path: Path
) -> None:
    page = (Path(__file__).parents[2] / 'docs' / 'your_hexapod.md').read_text()
    file = re.search(r'^```yaml\n(.*?)^```$', page, re.MULTILINE | re.DOTALL)
    assert file is not None
    (tmp_path / 'my_hexapod.yaml').write_text(file[1])
    options = ['--robot', 'my_hexapod.yaml', *how.split(), '--once', '--port', '8490']
    done = subprocess.run(
        [sys.executable, '-m', 'walking_robots', 'demo', 'hexapod', *options],
        env=os.environ | {'ROS_DOMAIN_ID': str(graph.private_domain())},
        cwd=tmp_path,
        text=True,
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr
    # On a busy machine the first goal may be refused; the demo sends it again.
    errors = [line for line in done.stderr.splitlines() if 'stood still just now' not in line]
    assert 'That was all' in done.stdout and not errors, done.stderr
    assert ('of which 20% is forbidden' in done.stdout) == ('--forbidden' in how)
