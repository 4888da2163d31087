"""The driver core against hand-made robots and against noise: nothing moves by itself."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walking_robots.geometry.se2 import Twist2
from walking_robots.scout import protocol
from walking_robots.scout.driver import ScoutDriver
from walking_robots.scout.framing import Packet, PacketReader, frame
from walking_robots.scout.protocol import Op, State, encode_state, plain
from walking_robots.scout.report import LinkPhase
from walking_robots.scout.settings import DriverSettings


class Robot:
    """Answers every request at once, by rules that a test can bend."""

    def __init__(self, driver: ScoutDriver) -> None:
        self.driver = driver
        self.time = 0.0
        self.state = State()
        self.refuses: set[int] = set()
        self.heard: list[Packet] = []
        self._said = b''
        self.clock_lag = 0.0

    def step(self, count: int = 1) -> None:
        """Let so many exchanges or cycles pass."""
        for _ in range(count):
            out = self.driver.step(self.time, self._said)
            self._said = b''
            for packet in PacketReader().feed(out):
                self.heard.append(packet)
                self.state = self.state._replace(clock=round((self.time - self.clock_lag) * 1000))
                reply = Packet(packet.op, encode_state(self.state))
                self._said += frame(Packet(Op.NAK) if packet.op in self.refuses else reply)
            self.time += 0.02

    def ops(self) -> list[int]:
        return [packet.op for packet in self.heard]


def started(settings: DriverSettings | None = None, **refuses: set[int]) -> Robot:
    robot = Robot(ScoutDriver(settings))
    robot.refuses = refuses.get('refuses', set())
    robot.driver.opened()
    robot.step(12)
    assert robot.driver.report().phase is LinkPhase.RUNNING
    return robot


def test_the_start_is_that_of_the_specification() -> None:
    """Probe, stop, watchdog, limits, sonars; zr never, dp and da only when asked for (§1.3)."""
    robot = started()
    assert robot.heard[:6] == [
        plain(Op.GET_STATE),
        plain(Op.STOP),
        protocol.watchdog(1),
        protocol.accelerations(197, 197),
        protocol.speeds(197, 197),
        protocol.sonar_order(15, (0, 2, 15, 1, 14, 3, 13, 4, 12, 5, 11, 6, 10, 7, 9, 8)),
    ]
    assert set(robot.ops()[6:]) == {Op.GET_STATE}
    resets = started(DriverSettings(reset_odometry_on_start=True))
    assert resets.ops()[6:8] == [Op.DEFINE_POSITION, Op.DEFINE_HEADING]


def test_the_end_is_that_of_the_specification() -> None:
    robot = started(DriverSettings(limp_at_end=True))
    robot.heard.clear()
    robot.driver.end()
    robot.step(8)
    assert robot.heard == [
        protocol.velocities(0, 0),
        plain(Op.STOP),
        protocol.sonar_order(15),
        plain(Op.LIMP),
    ]
    assert robot.driver.report().phase is LinkPhase.ENDED
    assert not robot.driver.wants_port


def test_a_motion_takes_the_place_of_asking_for_the_state() -> None:
    robot = started()
    robot.heard.clear()
    for _ in range(20):
        robot.driver.command(Twist2(0.2, 0.0), robot.time)
        robot.step(5)
    assert set(robot.ops()) == {Op.VELOCITIES}
    assert 18 <= len(robot.heard) <= 22


def test_a_robot_that_refuses_a_setting_is_driven_all_the_same() -> None:
    robot = started(refuses={Op.SONAR})
    assert 'sonar' in robot.driver.report().trouble
    robot.driver.command(Twist2(0.1, 0.0), robot.time)


def test_a_new_origin_that_is_refused_is_not_requested_again() -> None:
    robot = started()
    robot.refuses = {Op.DEFINE_POSITION}
    robot.state = robot.state._replace(x=31000)
    robot.step(40)
    assert robot.ops().count(Op.DEFINE_POSITION) == 1
    assert robot.driver.report().phase is LinkPhase.RUNNING


def test_a_robot_goes_limp_when_it_rests_and_stays_so() -> None:
    robot = started()
    robot.driver.command(Twist2(0.2, 0.0), robot.time)
    robot.state = robot.state._replace(right=79, left=79)
    robot.step(8)
    robot.driver.disable_motors()
    robot.heard.clear()
    robot.step(30)
    assert set(robot.ops()) == {Op.STOP, Op.GET_STATE}
    robot.state = robot.state._replace(right=0, left=0)
    robot.step(12)
    assert robot.ops()[-1] == Op.GET_STATE and Op.LIMP in robot.ops()
    assert robot.driver.report().limp
    # Somebody may be pushing it: a hiccup of the line does not switch the motors on for good.
    robot.driver.lost('a hiccup', robot.time)
    robot.driver.opened()
    robot.step(20)
    assert robot.driver.report().limp


def test_a_robot_that_refuses_to_go_limp_is_stopped_and_can_be_driven() -> None:
    robot = started()
    robot.refuses = {Op.LIMP}
    robot.driver.disable_motors()
    robot.heard.clear()
    robot.step(20)
    assert robot.ops()[:3] == [Op.STOP, Op.LIMP, Op.STOP]
    assert not robot.driver.report().limp
    robot.driver.command(Twist2(0.2, 0.0), robot.time)


def test_a_robot_that_rolls_without_a_command_is_stopped() -> None:
    robot = started()
    robot.state = robot.state._replace(right=100, left=100)
    robot.heard.clear()
    robot.step(30)
    assert robot.ops().count(Op.STOP) >= 3


def test_a_refused_stop_is_said_again_before_anything_else_is_set_up() -> None:
    robot = Robot(ScoutDriver())
    robot.refuses = {Op.STOP}
    robot.driver.opened()
    robot.step(3)
    assert robot.ops() == [Op.GET_STATE, Op.STOP, Op.STOP]
    robot.step(3)
    assert robot.driver.report().phase is LinkPhase.CLOSED
    assert not robot.driver.may_open(robot.time + 1.4), 'silence lets the watchdog bite'


def test_moving_the_origin_keeps_from_neither_stopping_nor_driving() -> None:
    """As of a robot that answers dp and leaves x as it is."""
    robot = started()
    robot.state = robot.state._replace(x=32500, right=150, left=150)
    robot.driver.command(Twist2(0.4, 0.0), robot.time)
    robot.step(10)
    robot.heard.clear()
    robot.step(60)
    assert robot.ops()[0] in (Op.VELOCITIES, Op.DEFINE_POSITION)
    assert Op.STOP in robot.ops() and robot.ops().count(Op.DEFINE_POSITION) <= 1


def test_the_end_says_stop_whenever_the_port_is_open() -> None:
    robot = Robot(ScoutDriver())
    robot.driver.opened()
    robot.step(1)
    robot.driver.end()
    robot.step(5)
    assert Op.STOP in robot.ops()
    assert robot.driver.report().phase is LinkPhase.ENDED
    robot.driver.opened()
    assert robot.driver.report().phase is LinkPhase.ENDED, 'what has ended does not rise again'


def test_the_end_says_all_it_has_to_say_to_who_does_not_answer() -> None:
    robot = started()
    said = []
    robot.driver.end()
    for tick in range(100):
        said += PacketReader().feed(robot.driver.step(robot.time + 0.02 * tick))
    assert [packet.op for packet in said] == [Op.VELOCITIES, Op.STOP, Op.SONAR]
    assert robot.driver.report().phase is LinkPhase.ENDED


def test_a_robot_is_not_let_go_at_the_end_while_it_rolls() -> None:
    robot = started(DriverSettings(limp_at_end=True))
    robot.state = robot.state._replace(right=100, left=100)
    robot.step(5)
    robot.heard.clear()
    robot.driver.end()
    robot.step(60)
    assert Op.LIMP not in robot.ops() and Op.STOP in robot.ops()
    assert robot.driver.report().phase is LinkPhase.ENDED


def test_a_restart_while_being_set_up_begins_anew() -> None:
    robot = Robot(ScoutDriver())
    robot.driver.opened()
    robot.time = 100.0
    robot.step(4)
    robot.clock_lag = 99.0
    robot.step(12)
    assert robot.ops().count(Op.WATCHDOG) == 2 and robot.driver.report().restarts == 1


def test_what_cannot_be_done_without_a_link_is_one_sentence() -> None:
    driver = ScoutDriver()
    for act in (driver.enable_motors, driver.disable_motors):
        with pytest.raises(ValueError, match='no link'):
            act()
    with pytest.raises(ValueError, match='no link'):
        driver.command(Twist2(), 0.0)
    driver.lost('the port is on fire', 0.0)
    with pytest.raises(ValueError, match='on fire'):
        driver.request(plain(Op.STOP))
    driver.end()
    assert driver.report().phase is LinkPhase.ENDED


def test_reading_begins_again_two_seconds_after_the_port_was_lost() -> None:
    driver = ScoutDriver()
    driver.lost('gone', 10.0)
    assert not driver.may_open(11.9) and driver.may_open(12.0)
    assert driver.due() == 12.0


def moves(packet: Packet) -> bool:
    """Return whether a request makes a robot move."""
    if packet.op in (Op.RELATIVE_MOVE, Op.MIXED_MOTION, Op.ABSOLUTE_MOVE):
        return True
    return packet.op == Op.VELOCITIES and packet != protocol.velocities(0, 0)


words = st.integers(-32767, 32767)
states = st.builds(
    lambda sonar, bumper, words, status, clock, volts: State(
        tuple(sonar), bumper, *words, status, clock, *volts
    ),
    st.binary(min_size=16, max_size=16),
    st.integers(0, 0xFFFFFF),
    st.tuples(*[words] * 8),
    st.integers(0, 255),
    st.integers(0, 2**32 - 1),
    st.tuples(st.integers(0, 255), st.integers(0, 255)),
)
replies = st.builds(
    lambda op, state: frame(Packet(op, encode_state(state))),
    st.sampled_from([Op.GET_STATE, Op.STOP, Op.VELOCITIES, Op.WATCHDOG, Op.SONAR, Op.SPEEDS]),
    states,
)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """Return replies of which some bytes were changed, lost or added."""
    wire = bytearray(draw(replies))
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(wire) - 1))
        change = draw(st.sampled_from(['change', 'lose', 'add', 'cut']))
        if change == 'change':
            wire[at] = draw(st.integers(0, 255))
        elif change == 'lose' and len(wire) > 1:
            del wire[at]
        elif change == 'add':
            wire.insert(at, draw(st.integers(0, 255)))
        elif len(wire) > 1:
            del wire[at + 1 :]
    return bytes(wire)


streams = st.lists(
    st.tuples(
        st.sampled_from([0.0, 0.01, 0.05, 0.3, 1.1]),
        st.one_of(st.binary(max_size=80), mutated(), st.just(b'')),
        st.sampled_from(['', '', '', '', 'open', 'lose', 'limp', 'hold', 'end']),
    ),
    max_size=20,
)


@given(streams)
def test_whatever_comes_nothing_crashes_and_nothing_moves(
    stream: list[tuple[float, bytes, str]],
) -> None:
    driver = ScoutDriver()
    driver.opened()
    now = 0.0
    for pause, data, event in stream:
        now += pause
        try:
            if event == 'open' and driver.may_open(now):
                driver.opened()
            elif event == 'lose':
                driver.lost('lost', now)
            elif event == 'limp':
                driver.disable_motors()
            elif event == 'hold':
                driver.enable_motors()
            elif event == 'end':
                driver.end()
        except ValueError:
            pass
        for packet in PacketReader().feed(driver.step(now, data)):
            assert not moves(packet), packet
        report = driver.report()
        assert all(map(math.isfinite, report.pose)) and all(map(math.isfinite, report.travel))
        assert math.isfinite(driver.due())


@given(streams, st.floats(-1.0, 1.0), st.floats(-3.0, 3.0))
def test_a_motion_is_said_only_while_it_is_valid(
    stream: list[tuple[float, bytes, str]], v: float, w: float
) -> None:
    robot = started()
    driver, now = robot.driver, robot.time
    driver.command(Twist2(v, w), now)
    requested = now
    for pause, data, _ in stream:
        now += pause
        for packet in PacketReader().feed(driver.step(now, data)):
            assert not moves(packet) or now - requested < 0.5
