"""The driver of a Nomad Super Scout: a serial port on one side, standard topics on the other."""

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from nav_msgs.msg import Odometry
from sensor_msgs.msg import BatteryState, JointState, PointCloud2, Range
from std_msgs.msg import Bool
from std_srvs.srv import Trigger
from tf2_msgs.msg import TFMessage
from walking_robots_interfaces.msg import Bumper

from walking_robots.geometry.pose import Rates
from walking_robots.geometry.se2 import Twist2
from walking_robots.nodes.common.conversions import transform_to_msg
from walking_robots.nodes.common.health import ERROR, OK, WARN, Health
from walking_robots.nodes.common.node import GraphNode
from walking_robots.nodes.common.running import run_node
from walking_robots.nodes.common.velocity_subscriber import VelocitySubscriber
from walking_robots.nodes.scout.conversions import (
    battery_to_msg,
    bumper_to_msg,
    bumper_to_points,
    odometry_to_msg,
    wheels_to_msg,
)
from walking_robots.nodes.scout.parameters import ScoutParameters
from walking_robots.scout.driver import ScoutDriver
from walking_robots.scout.port import SerialRunner
from walking_robots.scout.readings import BatteryLevel
from walking_robots.scout.report import DriverReport, LinkPhase

LATE = 10
"""Depth of the topics."""


class ScoutDriverNode(GraphNode):
    """Publishes what the robot reports, and drives it while commands arrive."""

    def __init__(self, **options: Any) -> None:
        """Look for the robot; raise ConfigurationError for a wrong parameter."""
        super().__init__('scout_driver', **options)
        self._own = own = ScoutParameters(self)
        self._sonars = own.sonars()
        self._driver = ScoutDriver(own.settings)
        self._said = ''
        self._outbox: dict[str, Any] = {}
        for kind, topic in (
            (Odometry, 'odom'),
            (JointState, 'joint_states'),
            (Bumper, 'bumper'),
            (PointCloud2, 'bumper/points'),
            (BatteryState, 'battery_state'),
            (Bool, 'emergency_stop'),
            (PointCloud2, 'sonar/points'),
            *((Range, f'sonar/range_{sensor}') for sensor in own.settings.sonar_order),
        ):
            self._outbox[topic] = self.create_publisher(kind, topic, LATE)
        self._tf = self.create_publisher(TFMessage, '/tf', 100) if own.publish_tf else None
        VelocitySubscriber(
            self,
            own.settings.command_timeout,
            self._drive,
            stamped=own.cmd_vel_stamped,
            frame=own.base_frame,
        )
        self.expect_single('odom', 'joint_states')
        for name, act in (
            ('reset_odometry', self._driver.reset_odometry),
            ('enable_motors', self._driver.enable_motors),
            ('disable_motors', self._driver.disable_motors),
        ):
            self.provide(Trigger, f'~/{name}', partial(self._request, act))
        self.create_timer(0.2, self._say, clock=self.steady)
        self._runner = SerialRunner(self._driver, own.port, self._publish, own.baud)
        self._runner.start()

    # Commands

    def _drive(self, rates: Rates, commanded: float) -> None:
        with self._runner.lock:
            self._driver.command(Twist2(rates.vx, rates.wz), commanded)

    def _request(self, act: Callable[[], None], *_: Any) -> str:
        with self._runner.lock:
            act()
        return 'the request was sent to the robot'

    # Reports, in the thread of the port

    def _publish(self, report: DriverReport) -> None:
        found = report.readings
        if found is None or not self.context.ok():
            return
        own = self._own
        stamp = self.get_clock().now().nanoseconds
        frames = (own.odom_frame, own.base_frame)
        bearings = own.settings.bumper_bearings
        send = self._send
        send('odom', odometry_to_msg(stamp, frames, report.pose, found.twist, own.covariances))
        if self._tf is not None:
            self._tf.publish(transform_to_msg(stamp, frames, report.pose))
        send('joint_states', wheels_to_msg(stamp, report.travel, found, own.wheel_radius))
        send('bumper', bumper_to_msg(stamp, own.base_frame, found.bumper, bearings))
        send('battery_state', battery_to_msg(stamp, found))
        send('emergency_stop', Bool(data=found.emergency_stop))
        for sensor, message in self._sonars.ranges(stamp, found.ranges).items():
            send(f'sonar/range_{sensor}', message)
        if self._heard('sonar/points'):
            send('sonar/points', self._sonars.points(stamp, own.base_frame, found.ranges))
        if self._heard('bumper/points'):
            model = own.settings.model
            cloud = bumper_to_points(stamp, own.base_frame, found.bumper, bearings, model)
            send('bumper/points', cloud)

    def _send(self, topic: str, message: Any) -> None:
        self._outbox[topic].publish(message)

    def _heard(self, topic: str) -> bool:
        return bool(self._outbox[topic].get_subscription_count())

    # Health

    def _say(self) -> None:
        """Log it when the link comes or goes."""
        report = self._look()
        connected = report.phase is LinkPhase.RUNNING
        sentence = f'talks to the robot on {self._own.port}' if connected else report.trouble
        if sentence == self._said or report.phase not in (LinkPhase.RUNNING, LinkPhase.CLOSED):
            return
        self._said = sentence
        # One call for each severity: rclpy holds every line of code to its first.
        if connected:
            self.get_logger().info(sentence)
        else:
            self.get_logger().warning(sentence)

    def _look(self) -> DriverReport:
        with self._runner.lock:
            return self._driver.report()

    def _sentence(self, report: DriverReport) -> str:
        if report.phase is LinkPhase.RUNNING and not report.trouble:
            return f'talks to the robot on {self._own.port}'
        return f'{report.phase.value}: {report.trouble}' if report.trouble else report.phase.value

    def health(self) -> Health:
        """Return how the link, the motors and the battery are."""
        report = self._look()
        found = report.readings
        if report.phase is not LinkPhase.RUNNING or found is None:
            return ERROR, self._sentence(report)
        if report.trouble:
            return WARN, report.trouble
        if found.emergency_stop:
            return WARN, 'the emergency stop is pressed'
        if report.limp:
            return WARN, 'the motors are off'
        if found.level is BatteryLevel.LOW and not found.plugged:
            return WARN, 'the battery is low'
        return OK, self._sentence(report)

    def figures(self) -> Mapping[str, object]:
        """Return counters and raw values, which show what an unknown robot does."""
        with self._runner.lock:
            report, counters = self._driver.report(), self._driver.counters
        figures: dict[str, object] = {
            'port': self._own.port,
            'link': report.phase.value,
            'packets sent': counters.sent,
            'packets ok': counters.answered,
            'packets refused (NAK)': counters.refused,
            'timeouts': counters.silent,
            'packets unasked for': counters.unasked,
            'bytes of noise': counters.noise,
            'reply after, ms': f'{1e3 * report.delay:.1f}',
            'odometry jumps ignored': report.jumps,
            'robot restarts': report.restarts,
            'motors': 'off' if report.limp else 'on',
        }
        found = report.readings
        if found is not None:
            cpu = 'unknown' if math.isnan(found.cpu_voltage) else f'{found.cpu_voltage:.2f}'
            figures |= {
                'battery level': found.level.name.lower(),
                'cpu voltage, V': cpu,
                'status byte': f'0x{found.status:02X}',
                'bumper word': f'0x{found.bumper.raw:06X}',
                'emergency stop': 'pressed' if found.emergency_stop else 'released',
            }
        return figures

    def rest(self, why: str) -> None:
        """Forget the commanded motion and stop the robot."""
        with self._runner.lock:
            self._driver.stop()

    def halt(self) -> None:
        """Bring the robot to rest and close the port."""
        self._runner.end()


def main() -> int:
    """Run the node as a process."""
    return run_node(ScoutDriverNode)
