"""What the node hands to the Scout's page, and what it does when a person requests something."""

import itertools
import math
import time
from array import array
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from benchmarks.own_clock import wait_until

pytest.importorskip('rclpy', reason='There is no rclpy here: run from the environment.')

from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from geometry_msgs.msg import TransformStamped, TwistStamped
from nav_msgs.msg import OccupancyGrid, Odometry
from rclpy.node import Node
from ros_domains import private_domain
from sensor_msgs.msg import BatteryState, JointState, Range
from std_srvs.srv import SetBool, Trigger
from tf2_msgs.msg import TFMessage
from walking_robots_interfaces.msg import Bumper

from walking_robots.geometry.se2 import Pose2, Twist2
from walking_robots.nodes.common.composition import Composition
from walking_robots.nodes.common.conversions import planar_pose_from_msg
from walking_robots.nodes.common.qos import LATCHED
from walking_robots.nodes.scout.page_conversions import (
    battery_text,
    range_from_msg,
    walls_from_msg,
)
from walking_robots.viewer.scout.state import ScoutControls, ScoutView

pytestmark = pytest.mark.graph

NAMESPACE = '/bob'


class Robot(Node):
    """Stands in for driver, emulator and wanderer."""

    def __init__(self, **options: Any) -> None:
        super().__init__('robot', **options)
        self.commands: list[Any] = []
        self.asked: list[str] = []
        self.out = {
            topic: self.create_publisher(kind, topic, 10)
            for kind, topic in (
                (Odometry, 'odom'),
                (Odometry, 'ground_truth/odom'),
                (Range, 'sonar/range_3'),
                (Range, 'sonar/range_4'),
                (Bumper, 'bumper'),
                (BatteryState, 'battery_state'),
                (JointState, 'joint_states'),
                (DiagnosticArray, '/diagnostics'),
            )
        }
        for kind, topic in ((OccupancyGrid, 'world/map'), (TFMessage, '/tf_static')):
            self.out[topic] = self.create_publisher(kind, topic, LATCHED)
        self.create_subscription(TwistStamped, 'cmd_vel_teleop', self.commands.append, 100)

    def serve(self, kind: Any, name: str, success: bool = True) -> None:
        """Offer a service that notes what it is requested."""

        def answer(request: Any, response: Any) -> Any:
            self.asked.append(f'{name} {getattr(request, "data", "")}'.strip())
            response.success, response.message = success, 'no, thank you'
            return response

        self.create_service(kind, name, answer)

    def speeds(self) -> list[float]:
        """Return the speeds that were asked for, without repetitions."""
        return [v for v, _ in itertools.groupby(m.twist.linear.x for m in self.commands)]


class Bench:
    """The viewer and a robot in one process."""

    def __init__(self) -> None:
        nodes = ('scout_emulator', 'scout_driver', 'scout_wander')
        self.graph = Composition(
            'scout',
            {'viewer': {'port': 8474}},
            without=nodes,
            # What is latched in one test must not be heard in the next.
            domain=private_domain(),
            namespace=NAMESPACE,
        )
        self.viewer = self.graph.nodes['viewer']
        self.robot: Robot = self.graph.add('robot', Robot)

    @property
    def view(self) -> ScoutView:
        return self.viewer.page._state

    @property
    def controls(self) -> ScoutControls:
        return self.viewer._controls()

    def until(self, done: Callable[[], Any]) -> None:
        wait_until(done, spin=self.graph.spin)

    def wait(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        self.graph.spin(lambda: time.monotonic() > end)


@pytest.fixture
def bench() -> Iterator[Bench]:
    bench = Bench()
    robot = bench.robot
    bench.until(lambda: robot.count_publishers('cmd_vel_teleop') and bench.viewer.page._state)
    yield bench
    bench.graph.close()


def odometry(x: float, heading: float = 0.0, frame: str = 'odom') -> Odometry:
    found = Odometry()
    found.header.frame_id = frame
    found.pose.pose.position.x = x
    found.pose.pose.orientation.z = math.sin(heading / 2.0)
    found.pose.pose.orientation.w = math.cos(heading / 2.0)
    found.twist.twist.linear.x = 0.2
    return found


def news() -> dict[str, Any]:
    """Return one message of every topic."""
    place = TransformStamped()
    place.header.frame_id, place.child_frame_id = 'map', 'odom'
    place.transform.translation.x, place.transform.translation.y = 1.0, 2.0
    place.transform.rotation.z = place.transform.rotation.w = math.sqrt(0.5)
    grid = OccupancyGrid()
    grid.info.resolution, grid.info.width, grid.info.height = 0.5, 3, 2
    grid.info.origin.orientation.w = 1.0
    grid.data = array('b', [100, 0, -1, 0, 49, 50])
    values = [KeyValue(key='link', value='connected'), KeyValue(key='packets ok', value='7')]
    statuses = [
        DiagnosticStatus(name='bob/scout_driver', level=b'\1', message='is slow', values=values),
        DiagnosticStatus(name='alice/scout_driver', values=[KeyValue(key='link', value='lost')]),
    ]
    wheels = JointState(name=['left_wheel_joint'], position=[3.0])
    return {
        '/tf_static': TFMessage(transforms=[place]),
        'world/map': grid,
        'odom': odometry(0.5),
        'ground_truth/odom': odometry(1.0, frame='map'),
        'sonar/range_3': Range(min_range=0.15, max_range=6.5, range=1.25),
        'sonar/range_4': Range(min_range=0.15, max_range=6.5, range=math.inf),
        'bumper': Bumper(switches=[False, True] + [False] * 4),
        'battery_state': BatteryState(voltage=12.0, percentage=0.8, power_supply_status=1),
        'joint_states': wheels,
        '/diagnostics': DiagnosticArray(status=statuses),
    }


def test_all_topics_come_to_the_page(bench: Bench) -> None:
    told = -math.inf

    def tell() -> bool:
        nonlocal told
        # As often as a robot, so that the viewer is not flooded.
        if time.monotonic() > told + 0.1:
            told = time.monotonic()
            for topic, message in news().items():
                bench.robot.out[topic].publish(message)
        view = bench.view
        reported = view.velocity and view.truth and view.counters and view.battery and view.joints
        return bool(reported and any(view.bumper) and view.ranges[3] > 1.0 and view.pose.x == 1.0)

    bench.until(tell)
    view = bench.view
    assert view.pose == pytest.approx((1.0, 2.5, math.pi / 2.0)), 'odometry begins at the start'
    assert view.truth == pytest.approx((1.0, 0.0, 0.0))
    assert view.velocity == Twist2(0.2, 0.0)
    assert view.ranges[3:5] == (1.25, math.inf)
    assert math.isnan(view.ranges[5])
    assert view.bumper == (False, True, False, False, False, False)
    assert (view.voltage, view.charge) == pytest.approx((12.0, 0.8))
    assert view.battery == '80%, charging'
    assert view.joints == {'left_wheel_joint': 3.0}
    assert (view.link, view.counters) == ('connected', (('packets ok', '7'),))
    assert view.diagnostic == 'bob/scout_driver is slow'
    found = bench.viewer.page._terrain
    assert found.occupied.tolist() == [[True, False, False], [False, False, True]]
    # Who has fallen silent may have stopped or not.
    bench.until(lambda: bench.view.velocity is None)


def test_nonsense_is_reported_and_dropped(bench: Bench) -> None:
    wrong = odometry(math.nan)
    for topic, message in (
        ('odom', wrong),
        ('bumper', Bumper(switches=[True] * 3)),
        ('sonar/range_3', Range(range=math.nan)),
        ('world/map', OccupancyGrid(data=array('b', [1]))),
    ):
        bench.until(lambda topic=topic: bench.robot.out[topic].get_subscription_count())
        bench.robot.out[topic].publish(message)
    bench.until(lambda: 'drops a message of' in ''.join(bench.viewer._warned_at))
    bench.wait(0.3)
    assert len(bench.viewer._warned_at) == 4
    assert bench.view.pose == Pose2()
    assert bench.view.bumper == (False,) * 6


def test_a_motion_goes_on_until_it_is_stopped(bench: Bench) -> None:
    bench.controls.drive(0.3, 0.0)
    bench.until(lambda: bench.robot.commands)
    bench.robot.commands.clear()
    bench.wait(1.0)
    assert 5 <= len(bench.robot.commands) <= 12
    bench.until(lambda: bench.view.command == Twist2(0.3, 0.0))
    bench.controls.drive(-0.1, 0.0)
    bench.wait(0.3)
    bench.controls.stop()
    bench.wait(0.5)
    assert bench.robot.speeds() == [0.3, -0.1, 0.0]
    assert sum(m.twist.linear.x == 0.0 for m in bench.robot.commands) == 1, 'rest, once'


def test_after_a_stall_the_robot_can_be_stopped_at_once(bench: Bench) -> None:
    bench.viewer._resumed = math.inf
    bench.controls.drive(0.3, 0.0)
    bench.controls.stop()
    bench.until(lambda: bench.robot.commands)
    assert bench.robot.speeds() == [0.0]


def test_driving_ends_wandering_first(bench: Bench) -> None:
    bench.robot.serve(SetBool, 'scout_wander/enable')
    bench.until(lambda: bench.viewer.there('scout_wander/enable'))
    bench.controls.wander(True)
    bench.controls.drive(0.2, 0.0)
    bench.until(lambda: len(bench.robot.asked) == 2 and bench.robot.commands)
    assert bench.robot.asked == ['scout_wander/enable True', 'scout_wander/enable False']
    bench.controls.wander(True)
    bench.until(lambda: bench.robot.speeds()[-1] == 0.0)


def test_what_cannot_be_done_is_said(bench: Bench) -> None:
    bench.controls.inject('nak', 2.0)
    bench.until(lambda: 'scout_emulator/inject_fault is not there' in bench.view.diagnostic)
    bench.robot.serve(Trigger, 'scout_driver/disable_motors', success=False)
    bench.until(lambda: bench.viewer.there('scout_driver/disable_motors'))
    bench.wait(3.2)
    bench.controls.motors(False)
    bench.until(lambda: bench.view.diagnostic == 'no, thank you')


def test_carried_back_to_the_start_odometry_begins_anew(bench: Bench) -> None:
    bench.robot.serve(Trigger, 'scout_emulator/reset')
    bench.robot.serve(Trigger, 'scout_driver/reset_odometry')
    bench.until(lambda: bench.viewer.there('scout_driver/reset_odometry'))
    bench.until(lambda: bench.viewer.there('scout_emulator/reset'))
    bench.controls.drive(0.3, 0.0)
    bench.controls.restart()
    bench.until(lambda: len(bench.robot.asked) == 2)
    assert bench.robot.asked == ['scout_emulator/reset', 'scout_driver/reset_odometry']
    bench.until(lambda: bench.robot.speeds()[-1:] == [0.0])


@pytest.mark.parametrize(
    ('reported', 'found'),
    [(1.0, 1.0), (math.inf, math.inf), (6.5, math.inf), (-math.inf, -math.inf), (0.1, -math.inf)],
)
def test_ranges_are_read_as_rep_117_says(reported: float, found: float) -> None:
    assert range_from_msg(Range(min_range=0.15, max_range=6.5, range=reported)) == pytest.approx(
        found
    )


def test_battery_is_said_in_words_as_far_as_it_is_known() -> None:
    nothing = BatteryState(percentage=math.nan)
    assert battery_text(nothing) == ''
    assert battery_text(BatteryState(percentage=math.nan, power_supply_status=2)) == 'discharging'


def test_messages_without_sense_are_refused() -> None:
    grid = news()['world/map']
    grid.info.resolution = math.nan
    with pytest.raises(ValueError, match='size of a cell'):
        walls_from_msg(grid)
    with pytest.raises(ValueError, match='out of range'):
        planar_pose_from_msg(odometry(1e9).pose.pose)
