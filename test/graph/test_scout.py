"""What users expect of a base driver: the 23 behaviours of scout_protocol.md §10, by number.

The driver node runs on the pseudo-terminal of an emulated robot, as it would on a cable.
"""

import math
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from benchmarks.own_clock import PATIENCE, Stopwatch, time_to_end, wait_until

pytestmark = pytest.mark.graph

ROOM = """
ars_schema: 1
world:
  name: room
  size: [80, 80]
  cell: 5cm
  y_axis: up
  start: {at: [2m, 2m], heading: 0deg}
  walls:
    - rect: {from: [0, 0], to: [80, 80], type: bricks, params: [1]}
"""


class Scene:
    """A driver, an emulated robot, and a person who watches, in one process."""

    def __init__(self, graph: Any, folder: Path, driver: Any, emulator: Any, prefix: str) -> None:
        from diagnostic_msgs.msg import DiagnosticArray
        from geometry_msgs.msg import Twist, TwistStamped
        from nav_msgs.msg import Odometry
        from rclpy.node import Node
        from sensor_msgs.msg import BatteryState, JointState, Range
        from std_srvs.srv import Trigger
        from tf2_msgs.msg import TFMessage
        from walking_robots_interfaces.msg import Bumper
        from walking_robots_interfaces.srv import InjectFault

        from walking_robots.nodes.common.composition import Composition

        (folder / 'room.yaml').write_text(ROOM)
        line = str(folder / 'line')
        self.graph = Composition(
            'scout',
            {
                'scout_emulator': {'link': line, 'world': str(folder / 'room.yaml')} | emulator,
                'scout_driver': {'port': line} | driver,
            },
            without=('viewer', 'scout_wander'),
            domain=graph.private_domain(),
            namespace=f'/{prefix}_{os.getpid()}',
        )
        self.person = self.graph.add('person', lambda **options: Node('person', **options))
        self.heard: dict[str, list[Any]] = {}
        self.kinds = {
            'odom': Odometry, 'ground_truth/odom': Odometry, '/tf': TFMessage, 'bumper': Bumper,
            'battery_state': BatteryState, 'joint_states': JointState,
            '/diagnostics': DiagnosticArray, 'sonar/range_0': Range, 'sonar/range_8': Range,
        }  # fmt: skip
        for topic, kind in self.kinds.items():
            self.listen(topic, kind)
        stamped = driver.get('cmd_vel_stamped', True)
        self.twist = TwistStamped if stamped else Twist
        self.commands = self.person.create_publisher(self.twist, 'cmd_vel', 10)
        make = self.person.create_client
        self.services = {
            name: make(Trigger, f'scout_driver/{name}')
            for name in ('reset_odometry', 'enable_motors', 'disable_motors')
        }
        self.services['fault'] = make(InjectFault, 'scout_emulator/inject_fault')
        self.services['reset'] = make(Trigger, 'scout_emulator/reset')
        self.emulator = self.graph.nodes['scout_emulator']
        self.driver = self.graph.nodes['scout_driver']

    def listen(self, topic: str, kind: Any) -> None:
        self.heard[topic] = []
        self.person.create_subscription(kind, topic, self.heard[topic].append, 50)

    def until(self, done: Callable[[], Any], what: str, limit: float = PATIENCE) -> None:
        wait_until(
            done, lambda: f'{what}; {self.diagnosis().message}', limit, spin=self.graph.spin
        )

    def wait(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        self.graph.spin(lambda: time.monotonic() >= end)

    def connected(self) -> 'Scene':
        self.until(lambda: self.heard['odom'] and self.diagnosis().level == b'\0', 'a link')
        return self

    def diagnosis(self) -> Any:
        for message in reversed(self.heard['/diagnostics']):
            for status in message.status:
                if status.name.endswith('scout_driver'):
                    return status
        from diagnostic_msgs.msg import DiagnosticStatus

        return DiagnosticStatus(level=b'\3')

    def figures(self) -> dict[str, str]:
        return {entry.key: entry.value for entry in self.diagnosis().values}

    def push(self, v: float, w: float = 0.0) -> None:
        message = self.twist()
        twist = getattr(message, 'twist', message)
        twist.linear.x, twist.angular.z = v, w
        self.commands.publish(message)

    def drive(self, seconds: float, v: float, w: float = 0.0) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.push(v, w)
            self.wait(0.1)

    def drive_until(self, done: Callable[[], bool], v: float, w: float = 0.0) -> None:
        def driven() -> bool:
            self.push(v, w)
            self.wait(0.1)
            return done()

        self.until(driven, f'{v} m/s and {w} rad/s')

    def is_reported(self, v: float, w: float) -> bool:
        twist = self.latest('odom').twist.twist
        return (twist.linear.x, twist.angular.z) == pytest.approx((v, w), abs=0.01)

    def call(self, name: str, **fields: Any) -> Any:
        client = self.services[name]
        self.until(client.service_is_ready, name)
        future = client.call_async(client.srv_type.Request(**fields))
        self.until(future.done, name)
        return future.result()

    @property
    def truth(self) -> Any:
        return self.emulator._emulator.state

    def rolls(self) -> bool:
        return max(map(abs, self.truth.wheels)) > 0.0

    def latest(self, topic: str) -> Any:
        self.until(lambda: self.heard[topic], topic)
        return self.heard[topic][-1]


@pytest.fixture
def scene(graph: Any, tmp_path: Path) -> Any:
    @contextmanager
    def make(*, emulator: Any = (), **driver: Any) -> Iterator[Scene]:
        found = Scene(graph, tmp_path, driver, dict(emulator), 'scout')
        try:
            yield found
        finally:
            found.graph.close()

    return make


def test_1_8_11_15_16_17_21_driving(scene: Any) -> None:
    with scene() as there:
        there.connected()
        there.drive_until(lambda: there.is_reported(0.2, 0.5), 0.2, 0.5)
        there.drive(0.5, 0.2, 0.5)
        twist = there.latest('odom').twist.twist
        assert twist.linear.y == 0.0
        joints = there.latest('joint_states')
        assert joints.name == ['left_wheel_joint', 'right_wheel_joint']
        assert joints.position[1] > joints.position[0] > 0.0
        assert joints.velocity[1] > joints.velocity[0] > 0.0
        # 1: no more commands.
        there.until(lambda: not there.rolls(), 'rest', 0.5 + 0.5)
        # 11: where odometry says the robot is, there it is.
        there.wait(0.4)
        reported, true = there.latest('odom').pose.pose.position, there.truth.pose
        assert (reported.x, reported.y) == pytest.approx((true.x - 2.0, true.y - 2.0), abs=0.04)
        # 21: numbers that are none.
        for v, w in ((math.nan, 0.0), (0.0, math.inf)):
            there.drive(0.4, v, w)
            assert not there.rolls()
        there.until(lambda: 'finite' in there.diagnosis().message, 'a complaint')
        # 17: motors.
        assert there.call('disable_motors').success
        there.drive(0.5, 0.2)
        assert not there.rolls()
        there.until(lambda: there.figures()['motors'] == 'off', 'motors off')
        assert there.call('enable_motors').success
        there.drive_until(there.rolls, 0.2)
        there.until(lambda: not there.rolls(), 'rest')
        # 8: the origin, from where the driver knows that the robot rests.
        there.until(lambda: not there.heard['odom'][-1].twist.twist.linear.x, 'rest')
        assert there.call('reset_odometry').success
        there.heard['odom'].clear()
        there.wait(0.3)
        position = there.latest('odom').pose.pose.position
        assert math.hypot(position.x, position.y) < 0.01


def test_2_a_clock_that_stands_still_does_not_keep_the_robot_moving(scene: Any) -> None:
    from rclpy.parameter import Parameter

    with scene() as there:
        there.connected()
        assert there.driver.set_parameters([Parameter('use_sim_time', value=True)])[0].successful
        there.drive_until(there.rolls, 0.2)
        there.until(lambda: not there.rolls(), 'rest', 1.2)


@pytest.mark.slow
def test_4_5_6_a_robot_that_is_off_at_the_start_and_a_cut_cable(scene: Any) -> None:
    with scene() as there:
        there.call('fault', fault='power_off', duration=5.0)
        there.until(lambda: 'switched on' in there.diagnosis().message, 'a hint', 8.0)
        assert there.diagnosis().level == b'\2'
        there.until(lambda: there.figures().get('link') == 'connected', 'a link', 9.0)
        there.connected()
        there.drive_until(there.rolls, 0.2)
        there.call('fault', fault='cut_cable', duration=2.0)
        there.until(lambda: 'cable' in there.diagnosis().message, 'a cut cable', 4.0)
        there.until(lambda: not there.rolls(), 'rest', 2.0)
        there.until(lambda: there.diagnosis().level == b'\0', 'a link', 2.0 + 4.0)
        there.wait(1.0)
        assert not there.rolls()
        there.drive_until(there.rolls, 0.2)
        wanted = {
            'link', 'packets ok', 'packets refused (NAK)', 'timeouts', 'bytes of noise',
            'reply after, ms', 'battery level', 'status byte', 'bumper word', 'motors',
        }  # fmt: skip
        assert wanted <= there.figures().keys()
        there.until(lambda: int(there.figures()['packets ok']) > 20, 'more than 20 packets', 9.0)
        unknown = there.call('fault', fault='gremlins', duration=1.0)
        assert not unknown.success and 'cut_cable' in unknown.message


def test_7_9_10_12_battery_covariances_frames_and_ranges(scene: Any) -> None:
    with scene() as there:
        there.connected()
        battery = there.latest('battery_state')
        assert math.isnan(battery.percentage) and math.isnan(battery.current)
        assert 11.0 < battery.voltage < 13.0
        odom = there.latest('odom')
        assert (odom.header.frame_id, odom.child_frame_id) == ('odom', 'base_link')
        assert all(odom.pose.covariance[7 * index] > 0.0 for index in range(6))
        assert all(odom.twist.covariance[7 * index] > 0.0 for index in range(6))
        moved = there.latest('/tf').transforms[0]
        assert (moved.header.frame_id, moved.child_frame_id) == ('odom', 'base_link')
        for sonar in ('sonar/range_0', 'sonar/range_8'):
            there.until(
                lambda sonar=sonar: there.latest(sonar).range == pytest.approx(1.75, abs=0.12),
                'an echo',
            )
        ahead = there.latest('sonar/range_0')
        assert ahead.header.frame_id == 'sonar_0'
        assert ahead.radiation_type == ahead.ULTRASOUND
        assert (ahead.min_range, ahead.max_range) == pytest.approx((0.1524, 6.477))


def test_10_12_15_18_other_parameters(scene: Any) -> None:
    from sensor_msgs.msg import Range

    parameters = {
        'odom_frame': 'odometry', 'base_frame': 'base', 'publish_tf': False,
        'cmd_vel_stamped': False, 'clip_no_return': True, 'sonar_max_range': 1.0,
        'sonar_order': [0, 4], 'max_linear_accel': 0.1, 'max_linear_speed': 0.15,
    }  # fmt: skip
    with scene(**parameters) as there:
        there.listen('sonar/range_4', Range)
        there.connected()
        odom = there.latest('odom')
        assert (odom.header.frame_id, odom.child_frame_id) == ('odometry', 'base')
        there.until(lambda: there.latest('sonar/range_0').range == 1.0, 'the greatest range')
        # 18: with 0.1 m/s², by the time of the robot.
        begin = there.truth.time
        while there.truth.wheels.left < 0.147:
            there.drive(0.1, 1.0)
        assert there.truth.time - begin > 1.1
        fastest = there.truth.wheels.left
        for _ in range(5):
            there.drive(0.1, 1.0)
            fastest = max(fastest, there.truth.wheels.left)
        assert fastest == pytest.approx(0.15, abs=0.003)
        assert not there.heard['sonar/range_8'] and there.heard['sonar/range_4']
        assert not there.heard['/tf']


def test_13_14_points_are_made_for_who_listens(scene: Any) -> None:
    import numpy as np
    from sensor_msgs.msg import PointCloud2

    with scene() as there:
        there.connected()
        for topic in ('sonar/points', 'bumper/points'):
            there.listen(topic, PointCloud2)
        there.until(lambda: there.heard['sonar/points'], 'points')
        there.wait(1.5)
        cloud = there.latest('sonar/points')
        points = np.frombuffer(bytes(cloud.data), dtype='<f4').reshape(-1, 3)
        assert cloud.width == len(points) >= 8
        assert (np.abs(points[:, :2]).max(axis=1) < 2.6).all()
        assert there.latest('bumper/points').width == 0


def test_14_20_the_bumper_and_a_robot_that_does_not_push(scene: Any) -> None:
    with scene(stop_on_bumper=True) as there:
        there.connected()
        watch = Stopwatch()
        while not there.latest('bumper').pressed:
            assert watch.elapsed() < 15.0, 'never touched the wall'
            there.drive(0.2, 0.4)
        felt = there.latest('bumper')
        assert felt.switches[0] and felt.raw & 1 and felt.bearings[0] == 0.0
        there.drive(0.5, 0.4)
        assert not there.rolls()
        there.drive(1.5, -0.2)
        there.until(lambda: not there.latest('bumper').pressed, 'a free bumper')


def test_19_22_what_is_shipped_for_owners(scene: Any) -> None:
    from walking_robots.documents.shared import shared_path

    assert 'latency_timer' in shared_path('config/udev/60-nomad-scout.rules').read_text()
    with scene() as there:
        names = there.driver._parameters.keys()
        for name in names - {'use_sim_time', 'start_type_description_service'}:
            if not name.startswith('qos_overrides'):
                assert there.driver.describe_parameter(name).description, name
        rate = there.driver.describe_parameter('rate').floating_point_range[0]
        assert (rate.from_value, rate.to_value) == (1.0, 20.0)


@pytest.mark.parametrize('how', ['SIGINT', 'SIGTERM', 'SIGKILL'])
def test_3_the_end_of_the_driver_is_the_end_of_the_motion(
    how: str, graph: Any, tmp_path: Path
) -> None:
    import signal

    from geometry_msgs.msg import TwistStamped
    from nav_msgs.msg import Odometry
    from rclpy.node import Node

    from walking_robots.nodes.common.composition import Composition
    from walking_robots.nodes.common.processes import Processes

    domain = graph.private_domain()
    line = {'scout_emulator': {'link': str(tmp_path / 'line')}}
    # Nobody is left to say stop after SIGKILL; the robot's own watchdog is.
    watchdog = 1 if how == 'SIGKILL' else 0
    apart = {'scout_driver': {'port': str(tmp_path / 'line'), 'robot_watchdog': watchdog}}
    others = ('scout_emulator', 'scout_wander', 'viewer')
    here = Composition('scout', line, without=('scout_driver', *others[1:]), domain=domain)
    person = here.add('person', lambda **options: Node('person', **options))
    commands = person.create_publisher(TwistStamped, 'cmd_vel', 10)
    reported: list[Any] = []
    person.create_subscription(Odometry, 'odom', reported.append, 10)
    emulator = here.nodes['scout_emulator']._emulator

    def push() -> bool:
        message = TwistStamped()
        message.twist.linear.x, message.twist.angular.z = 0.1, 1.0
        commands.publish(message)
        for _ in range(10):
            here.executor.spin_once(timeout_sec=0.01)
        return rolls(0.1)

    def rolls(speed: float = 0.0) -> bool:
        return max(map(abs, emulator.state.wheels)) > speed

    try:
        with Processes('scout', apart, without=others, domain=domain) as there:
            wait_until(push, 'motion', spin=here.spin)
            assert reported
            process = there.running['scout_driver']
            watch = Stopwatch(process.pid)
            process.send_signal(signal.Signals[how])
            took = time_to_end(process, watch)
            if how != 'SIGKILL':
                assert (process.wait(), took < 1.0) == (0, True)
            limit = 1.5 if how == 'SIGKILL' else 1.0
            wait_until(lambda: not rolls(), 'rest', limit, watch=watch, spin=here.spin)
    finally:
        here.close()
