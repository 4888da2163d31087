"""The bus of real servos in the graph, against an emulated bus on a pseudo-terminal."""

import math
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from benchmarks.own_clock import PATIENCE, Stopwatch, time_to_end, wait_until
from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.servos.report import BusPhase
from walking_robots.simulation.servos.bus import EmulatedBus, emulated_robot
from walking_robots.simulation.terminal import PseudoTerminal

pytestmark = pytest.mark.graph

ROBOT = 'insect18'
NODES = ('terrain', 'periodic_gait', 'leg_servo', 'hexapod_sim')
NAMES = list(find_hexapod(ROBOT).joint_names())


class Scene:
    """A servo bus, perhaps with a simulation that it follows, and a person."""

    def __init__(self, graph: Any, folder: Path, walks: bool, **values: Any) -> None:
        from sensor_msgs.msg import BatteryState, JointState
        from std_srvs.srv import Trigger
        from walking_robots_interfaces.msg import FootContacts

        from walking_robots.nodes.common.composition import Composition
        from walking_robots.nodes.common.qos import LOOP

        self.terminal: PseudoTerminal[EmulatedBus] = PseudoTerminal(
            emulated_robot(ROBOT), folder / 'servos'
        )
        self.terminal.start()
        overrides: dict[str, Any] = {
            name: {'robot': ROBOT, 'gait': 'tripod'} for name in NODES[1:]
        }
        states = 'servos/joint_states' if walks else 'joint_states'
        overrides['servo_bus'] = {
            'robot': ROBOT, 'port': str(self.terminal.path), 'soft_start': 0.5,
            # Here all share one process: a busy machine may keep the emulated bus waiting.
            'reply_timeout': 0.2, 'reconnect_interval': 0.2, 'states_topic': states, **values,
        }  # fmt: skip
        self.graph = Composition(
            'hexapod',
            overrides,
            without=('viewer', 'free_gait', *(() if walks else NODES)),
            also=('servo_bus',),
            domain=graph.private_domain(),
            namespace=f'/servos_{os.getpid()}',
        )
        self.node: Any = self.graph.nodes['servo_bus']
        self.person = self.graph.add('person', graph.Person)
        self.states: list[Any] = []
        self.contacts: list[Any] = []
        self.batteries: list[Any] = []
        listen = self.person.create_subscription
        listen(JointState, values.get('states_topic', states), self.states.append, LOOP)
        listen(FootContacts, 'foot_contacts', self.contacts.append, LOOP)
        listen(BatteryState, 'battery_state', self.batteries.append, LOOP)
        self.services = {
            name: self.person.create_client(Trigger, f'servo_bus/{name}')
            for name in ('resume', 'relax')
        }

    @property
    def phase(self) -> BusPhase:
        """Return how far the driver is."""
        phase: BusPhase = self.node._driver.report().phase
        return phase

    def until(self, done: Callable[[], Any], what: str, limit: float = PATIENCE) -> None:
        def why() -> str:
            return f'{what}; {self.node._driver.report()}; {self.person.news}'

        wait_until(done, why, limit, spin=self.graph.spin)

    def call(self, name: str) -> Any:
        from std_srvs.srv import Trigger

        asked = self.services[name].call_async(Trigger.Request())
        self.until(asked.done, name)
        return asked.result()

    def angles(self) -> list[float]:
        """Return where the servos are, rad."""
        with self.terminal.emulator_lock:
            return [servo.angle for servo in self.terminal.emulator.servos]

    def moves(self) -> bool:
        with self.terminal.emulator_lock:
            return max(abs(servo.speed) for servo in self.terminal.emulator.servos) > 0.1

    def inject(self, fault: str, duration: float = math.inf) -> None:
        with self.terminal.emulator_lock:
            self.terminal.emulator.inject(fault, duration)


@contextmanager
def scene(graph: Any, folder: Path, walks: bool = False, **values: Any) -> Iterator[Scene]:
    found = Scene(graph, folder, walks, **values)
    try:
        found.until(lambda: found.states, 'the first state')
        yield found
    finally:
        found.graph.close()
        found.terminal.close()


def test_a_robot_follows_its_simulation_until_its_cable_is_cut(graph: Any, tmp_path: Path) -> None:
    with scene(graph, tmp_path, walks=True) as found:
        found.person.hold = (0.05, 0.0, 0.0)
        found.until(lambda: found.phase is BusPhase.MOVING and found.moves(), 'a walk')
        found.until(lambda: found.person.here > 0.1, 'a way')

        def near() -> bool:
            wanted = found.person.commands[-1].position
            return max(abs(a - b) for a, b in zip(wanted, found.angles(), strict=True)) < 0.25

        found.until(near, 'servos at their commands')
        found.until(lambda: found.batteries, 'the battery')
        assert 11.0 < found.batteries[-1].voltage <= 12.0
        found.until(lambda: 'servo_bus: servo 8 leg3_lift' in found.person.news, 'diagnostics')

        found.inject('cut_cable')
        found.until(lambda: not found.moves(), 'rest')
        found.until(lambda: found.phase is BusPhase.CLOSED, 'the loss')
        assert not found.call('resume').success
        found.inject('cut_cable', 0.0)
        found.until(lambda: found.phase is BusPhase.HALTED, 'the bus again')
        before, count = found.angles(), len(found.person.commands)
        found.until(lambda: len(found.person.commands) > count + 50, 'commands')
        assert found.angles() == pytest.approx(before, abs=0.01)
        found.until(lambda: 'resume' in found.person.news['servo_bus'][1], 'the sentence')
        assert found.call('resume').success
        found.until(lambda: found.phase is BusPhase.MOVING and found.moves(), 'the walk again')


def test_a_trajectory_is_followed_point_by_point(graph: Any, tmp_path: Path) -> None:
    from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

    with scene(graph, tmp_path, input='joint_trajectory') as found:
        publisher = found.person.create_publisher(JointTrajectory, 'joint_trajectory', 10)
        found.until(publisher.get_subscription_count, 'a subscriber')
        found.until(lambda: found.phase is BusPhase.HOLDING, 'the start')
        message = JointTrajectory(joint_names=NAMES)
        for place, goal in enumerate((0.3, -0.2), start=1):
            point = JointTrajectoryPoint(positions=[goal] * 18)
            point.time_from_start.sec = place
            message.points.append(point)
        publisher.publish(message)
        highest = [-math.inf]

        def at_the_end() -> bool:
            angles = found.angles()
            highest.append(min(angles))
            return max(abs(angle + 0.2) for angle in angles) < 0.02

        found.until(at_the_end, 'the last point')
        assert max(highest) > 0.2
        found.until(lambda: found.phase is BusPhase.HOLDING, 'the end')


def test_ros2_control_moves_it_by_topics(graph: Any, tmp_path: Path) -> None:
    from sensor_msgs.msg import JointState

    topics = {'command_topic': 'robot_joint_commands', 'states_topic': 'robot_joint_states'}
    with scene(graph, tmp_path, input='ros2_control', **topics) as found:
        publisher = found.person.create_publisher(JointState, 'robot_joint_commands', 10)
        found.until(publisher.get_subscription_count, 'a subscriber')

        wanted = JointState(name=NAMES[::-1], position=[0.1] * 17 + [0.4])
        found.person.create_timer(0.02, lambda: publisher.publish(wanted))
        found.until(lambda: abs(found.angles()[0] - 0.4) < 0.02, 'the first joint')
        assert found.states[-1].name == NAMES
        assert found.states[-1].position[0] == pytest.approx(found.angles()[0], abs=0.1)


def test_feet_stand_where_lift_servos_press(graph: Any, tmp_path: Path) -> None:
    with scene(graph, tmp_path, contact_load=0.1) as found:
        found.until(lambda: found.phase is BusPhase.HOLDING and found.contacts, 'the start')
        assert not any(found.contacts[-1].contact)
        with found.terminal.emulator_lock:
            for leg in (1, 4, 5):
                servo = found.terminal.emulator.servo(3 * leg - 1)
                # The ground pushes the femur up; lift servos of right legs are mirrored.
                servo.burden = 0.4 * (1.0 if leg % 2 else -1.0)
        wanted = [True, False, False, True, True, False]
        found.until(lambda: list(found.contacts[-1].contact) == wanted, 'three feet')


def test_relaxed_servos_take_no_command_until_told_to(graph: Any, tmp_path: Path) -> None:
    with scene(graph, tmp_path) as found:
        found.until(lambda: found.phase is BusPhase.HOLDING, 'the start')
        assert found.call('relax').success
        found.until(lambda: found.phase is BusPhase.HALTED, 'limp servos')
        found.until(lambda: not any(s.holds for s in found.terminal.emulator.servos), 'no torque')
        assert found.call('resume').success
        found.until(lambda: found.phase is BusPhase.HOLDING, 'the posture')
        assert all(servo.holds for servo in found.terminal.emulator.servos)


@pytest.mark.parametrize('at_end', ['hold', 'relax'])
def test_a_signal_ends_it_within_a_second(at_end: str, graph: Any, tmp_path: Path) -> None:
    terminal: PseudoTerminal[EmulatedBus] = PseudoTerminal(emulated_robot(ROBOT), tmp_path / 's')
    terminal.start()
    words = (f'robot:={ROBOT}', f'port:={terminal.path}', f'at_end:={at_end}')
    given = [word for value in (*words, 'reply_timeout:=0.2') for word in ('-p', value)]
    command = (sys.executable, '-m', 'walking_robots.nodes', 'servo_bus', '--ros-args', *given)
    process = graph.run_alone(*command)
    try:
        assert 'holds its posture, 18 servos' in process.stderr.readline()
        watch = Stopwatch(process.pid)
        process.send_signal(signal.SIGTERM)
        assert time_to_end(process, watch) < 1.0
        assert process.wait() == 0
        servos = terminal.emulator.servos
        wait_until(lambda: all(one.holds == (at_end == 'hold') for one in servos), 'the end')
    finally:
        process.kill()
        process.communicate()
        terminal.close()
