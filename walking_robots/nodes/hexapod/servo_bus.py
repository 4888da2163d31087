"""The servos of a real hexapod: joint commands in, a bus of Dynamixel servos on the other side."""

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

import numpy as np
from rclpy.publisher import Publisher
from sensor_msgs.msg import BatteryState, JointState
from std_srvs.srv import Trigger
from trajectory_msgs.msg import JointTrajectory
from walking_robots_interfaces.msg import FootContacts, JointCommand

from walking_robots.documents.extras import extra_needed
from walking_robots.nodes.common.conversions import (
    array_to_msg,
    fill_header,
    header_to_msg,
    joints_from_msg,
)
from walking_robots.nodes.common.health import ERROR, OK, WARN, Health
from walking_robots.nodes.common.node import ConfigurationError, GraphNode, one_of
from walking_robots.nodes.common.qos import LOOP
from walking_robots.nodes.common.running import run_node
from walking_robots.nodes.hexapod.robot import declare_robot
from walking_robots.robots.articulated import ArticulatedHexapod, ServoWiring
from walking_robots.servos.driver import BusDriver
from walking_robots.servos.model_files import find_model
from walking_robots.servos.port import SerialBusPort
from walking_robots.servos.report import BusPhase, ServoReading
from walking_robots.servos.runner import BusRunner
from walking_robots.servos.settings import LIMITS, BusDriverSettings
from walking_robots.servos.trajectory import JointCourse

INPUTS: Mapping[str, tuple[Any, str]] = {
    'joint_command': (JointCommand, 'joint_command'),
    'joint_trajectory': (JointTrajectory, 'joint_trajectory'),
    'ros2_control': (JointState, '/robot_joint_commands'),
}
"""Message and topic of each kind of command."""

WARM = 10.0
"""How far below its limit the temperature of a servo is worth a warning, K."""

_NUMBERS = {
    'rate': ('looks at the servos a second', 'Hz'),
    'command_timeout': ('time after which the posture is held without a command', 's'),
    'soft_start': ('time in which the first command after a rest takes effect', 's'),
    'torque_limit': ('greatest torque as a share of the stall torque', ''),
    'reply_timeout': ('time by which a reply may be later than its bytes need', 's'),
    'reconnect_interval': ('time between attempts to open the port', 's'),
}


class ServoBusNode(GraphNode):
    """Moves the servos of a hexapod as commanded, and publishes what they measure."""

    def __init__(self, **options: Any) -> None:
        """Look for the servos; raise ConfigurationError for a wrong parameter."""
        super().__init__('servo_bus', **options)
        robot = declare_robot(self)
        port = self.parameter('port', '/dev/ttyUSB0', 'serial port of the bus', fixed=True)
        model = self.parameter(
            'model', '', 'model of the servos, or the file of one; empty: as the robot says',
            fixed=True,
        )  # fmt: skip
        kind = self.parameter(
            'input', 'joint_command', f'what moves the joints: {", ".join(INPUTS)}',
            check=one_of('input', INPUTS), fixed=True,
        )  # fmt: skip
        command_topic = self.parameter(
            'command_topic', '', 'topic of the commands; empty: that of the input', fixed=True
        )
        states_topic = self.parameter(
            'states_topic', 'joint_states', 'topic of the measured joints', fixed=True
        )
        self._contact_load = self.parameter(
            'contact_load', 0.0,
            'load of the lift servo, as a share of its torque, above which a foot is on the '
            'ground; 0: the robot has foot switches', low=0.0, high=1.0, fixed=True,
        )  # fmt: skip
        try:
            if robot is None:
                raise ValueError('the asv has no servos; name a hexapod')
            with extra_needed('servos'):
                import dynamixel_sdk  # noqa: F401
            settings = self._settings(robot.joint_speed)
            self._robot, wiring = robot, _wiring(robot, model)
            self._model = find_model(wiring.model)
        except ValueError as error:
            raise ConfigurationError(f'servo_bus: {str(error).rstrip(".")}.') from None
        self._names = list(robot.joint_names())
        self._stood = [False] * len(robot.legs)
        self._course: tuple[JointCourse, float] | None = None
        self._said = ''
        # By the middleware always: an executor takes no messages from another thread.
        own = {'publisher_class': Publisher}
        self._states = self.create_publisher(JointState, states_topic, LOOP, **own)
        self._contacts = self.create_publisher(FootContacts, 'foot_contacts', LOOP, **own)
        self._battery = self.create_publisher(BatteryState, 'battery_state', 10)
        message, topic = INPUTS[kind]
        takes: Callable[[Any], None] = (
            self._take_trajectory if kind == 'joint_trajectory' else self._take_joints
        )
        self.listen(message, command_topic or topic, takes)
        self.expect_single(command_topic or topic, states_topic)
        self._driver = BusDriver(
            dict(zip(self._names, wiring.ids, strict=True)),
            self._model,
            lambda: SerialBusPort(port, wiring.baud, settings.reply_timeout),
            time.monotonic,
            settings,
        )
        self._runner = BusRunner(self._driver, self._publish)
        self.provide(Trigger, '~/resume', self._resume)
        self.provide(Trigger, '~/relax', self._relax)
        self.create_timer(1.0 / settings.rate, self._go_on, clock=self.steady)
        self.create_timer(1.0, self._publish_battery, clock=self.steady)
        self.create_timer(0.2, self._say, clock=self.steady)
        self._port = port
        self._runner.start()

    def _settings(self, joint_speed: float) -> BusDriverSettings:
        defaults = {each.name: each.default for each in fields(BusDriverSettings)}
        found: dict[str, Any] = {
            name: self.parameter(
                name, defaults[name], words, unit,
                low=LIMITS[name][0], high=LIMITS[name][1], fixed=True,
            )
            for name, (words, unit) in _NUMBERS.items()
        }  # fmt: skip
        found['max_speed'] = self.parameter(
            'max_speed', 0.0, 'limit of the speed of every joint; 0: that of the robot', 'rad/s',
            low=0.0, high=LIMITS['max_speed'][1], fixed=True,
        ) or min(max(joint_speed, LIMITS['max_speed'][0]), LIMITS['max_speed'][1])  # fmt: skip
        at_end = self.parameter(
            'at_end', 'hold', 'what the servos do when the node ends: hold or relax',
            check=one_of('at_end', ('hold', 'relax')), fixed=True,
        )  # fmt: skip
        return BusDriverSettings(**found, relax_at_end=at_end == 'relax')

    # Commands

    def _take_joints(self, message: Any) -> None:
        joints = joints_from_msg(message.name, message.position, self._names)
        self._runner.command(joints.ravel().tolist())

    def _take_trajectory(self, message: Any) -> None:
        names, points = list(message.joint_names), list(message.points)
        wanted = [joints_from_msg(names, point.positions, self._names) for point in points]
        times = [p.time_from_start.sec + 1e-9 * p.time_from_start.nanosec for p in points]
        report = self._driver.report()
        if not report.complete:
            raise ValueError('the joints are not measured yet')
        now = time.monotonic()
        if self._course is None:
            start = [one.position for one in report.servos]
        else:
            start = self._course[0].at(now - self._course[1])
        course = JointCourse(start, times, [each.ravel().tolist() for each in wanted])
        self._course = (course, now)

    def _go_on(self) -> None:
        """Command the next posture of a trajectory, until it has ended."""
        if self._course is None:
            return
        course, begun = self._course
        since = time.monotonic() - begun
        try:
            self._runner.command(course.at(since))
        except ValueError as error:
            self.warn_throttled(f'drops a trajectory: {error}')
            self._course = None
            return
        if since > course.duration + self._driver.settings.soft_start:
            self._course = None

    def _resume(self, *_: Any) -> str:
        self._driver.resume()
        return 'the servos are looked at and hold their posture; the next command moves them'

    def _relax(self, *_: Any) -> str:
        self._driver.relax()
        return 'the servos go limp; call ~/resume to have them hold their posture'

    # Reports, in the thread of the bus

    def _publish(self) -> None:
        """Publish the newest look at the servos."""
        report = self._driver.report()
        if not report.complete or not self.context.ok():
            return
        stamp = self.get_clock().now().nanoseconds
        servos = report.servos
        stall = self._model.stall_torque
        message = JointState(
            name=self._names,
            position=array_to_msg(np.array([one.position for one in servos])),
            velocity=array_to_msg(np.array([one.velocity for one in servos])),
            effort=array_to_msg(np.array([one.load * stall for one in servos])),
        )
        fill_header(message, stamp, '')
        self._states.publish(message)
        if self._contact_load:
            contacts = FootContacts(contact=self._feet(servos))
            fill_header(contacts, stamp, '')
            self._contacts.publish(contacts)

    def _feet(self, servos: tuple[ServoReading, ...]) -> list[bool]:
        """Return which feet stand: their lift servos press down, against the weight.

        A foot that stands does so until its load is half of what it takes to begin.
        """
        for leg, described in enumerate(self._robot.legs):
            press = -described.directions[1] * servos[3 * leg + 1].load
            self._stood[leg] = press > self._contact_load * (0.5 if self._stood[leg] else 1.0)
        return list(self._stood)

    def _publish_battery(self) -> None:
        volts = [one.voltage for one in self._driver.report().servos]
        known = [volt for volt in volts if not math.isnan(volt)]
        if known:
            nan, kind = math.nan, BatteryState
            message = kind(
                header=header_to_msg(self.get_clock().now().nanoseconds, ''),
                voltage=sum(known) / len(known),
                temperature=nan, current=nan, charge=nan, capacity=nan, design_capacity=nan,
                percentage=nan,
                power_supply_status=kind.POWER_SUPPLY_STATUS_DISCHARGING,
                power_supply_technology=kind.POWER_SUPPLY_TECHNOLOGY_UNKNOWN,
                present=True,
            )  # fmt: skip
            self._battery.publish(message)

    # Health

    def _say(self) -> None:
        """Log it when the servos come, halt or go."""
        level, sentence = self.health()
        phase = self._driver.report().phase
        if sentence == self._said or phase is BusPhase.CHECKING:
            return
        self._said = sentence
        # One call for each severity: rclpy holds every line of code to its first.
        if level == OK:
            self.get_logger().info(sentence)
        else:
            self.get_logger().warning(sentence)

    def health(self) -> Health:
        """Return how the bus and its servos are."""
        report = self._driver.report()
        lagging = [one.joint for one in report.servos if one.lags]
        if report.trouble:
            return ERROR, f'{report.phase.value}: {report.trouble}'
        if lagging:
            return WARN, f'{" and ".join(lagging)} do not follow their commands'
        return OK, f'{report.phase.value}, {len(report.servos)} servos on {self._port}'

    def figures(self) -> Mapping[str, object]:
        """Return the counters of the bus."""
        latency = self._driver.report().latency
        return {'port': self._port, 'command to bus, ms': f'{1e3 * latency:.1f}'} | {
            f'requests {name}': count for name, count in self._driver.counters.items()
        }

    def parts(self) -> Mapping[str, tuple[Health, Mapping[str, object]]]:
        """Return how each servo is."""
        return {
            f'servo {one.servo} {one.joint}': (self._servo_health(one), _servo_figures(one))
            for one in self._driver.report().servos
        }

    def _servo_health(self, one: ServoReading) -> Health:
        if one.missed:
            return ERROR, f'has not answered {one.missed} times'
        if one.errors:
            return ERROR, f'reports {" and ".join(one.errors)}'
        if one.temperature > self._model.hottest - WARM:
            return WARN, f'is warm: {one.temperature:.0f} of {self._model.hottest:.0f} °C'
        if one.voltage < self._model.voltage[0]:
            return WARN, f'has {one.voltage:.1f} V, less than its {self._model.voltage[0]:.1f} V'
        return (WARN, 'does not follow its commands') if one.lags else (OK, 'is well')

    def rest(self, why: str) -> None:
        """Hold the joints: trajectories end, and no command is repeated."""
        self._course = None

    def halt(self) -> None:
        """Hold the joints or have them go limp, and close the port."""
        self._runner.end()


def _wiring(robot: ArticulatedHexapod, model: str) -> ServoWiring:
    """Return the wiring of a robot; raises ValueError where nobody says which servos it has."""
    found = robot.servo_bus
    if model:
        return ServoWiring(model) if found is None else ServoWiring(model, found.ids, found.baud)
    if found is None:
        raise ValueError(
            f'the file of {robot.name} does not say which servos drive it; '
            'add servo_bus: {model: XL430-W250} to it, or set the parameter model'
        )
    return found


def _servo_figures(one: ServoReading) -> dict[str, object]:
    return {
        'position, rad': f'{one.position:.4f}',
        'temperature, °C': f'{one.temperature:.0f}',
        'voltage, V': f'{one.voltage:.1f}',
        'load, share of stall torque': f'{one.load:.3f}',
        'errors': ', '.join(one.errors) or 'none',
    }


def main() -> int:
    """Run the node as a process."""
    return run_node(ServoBusNode)
