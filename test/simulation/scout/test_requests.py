"""Every request of the emulated Scout, and the state it tells (scout_protocol.md §3, §4)."""

import math
import struct
from typing import NamedTuple

import numpy as np
import pytest

from walking_robots.geometry.se2 import Pose2
from walking_robots.robots.super_scout import SUPER_SCOUT, TENTH_INCH
from walking_robots.scout import protocol
from walking_robots.scout.framing import Packet, PacketReader, frame
from walking_robots.scout.protocol import ACCEPTED, Mode, Op, State, decode_state, plain
from walking_robots.simulation.scout.emulator import Emulator
from walking_robots.simulation.scout.settings import EmulatorSettings
from walking_robots.worlds.world import World

ORDER = SUPER_SCOUT.sonar.order
FIELD = World(
    'field', 1.0, np.zeros((40, 40), bool), np.full((40, 40), -1), np.zeros((40, 40)), (),
    (-20.0, -20.0),
)  # fmt: skip
PAYLOADS = {
    Op.ACCELERATIONS: protocol.accelerations(100, 100),
    Op.SPEEDS: protocol.speeds(100, 100),
    Op.RELATIVE_MOVE: protocol.relative_move(0, 0),
    Op.VELOCITIES: protocol.velocities(0, 0),
    Op.DEFINE_POSITION: protocol.define_position(0, 0),
    Op.SONAR: protocol.sonar_order(15, ORDER),
    Op.WATCHDOG: protocol.watchdog(0),
    Op.DEFINE_HEADING: protocol.define_heading(0),
    Op.WAIT_FOR_STOP: protocol.wait_for_stop(1),
    Op.SERIAL: Packet(Op.SERIAL, b'\0\x80\x25'),
    Op.MIXED_MOTION: protocol.mixed_motion((Mode.IGNORE, 0), (Mode.IGNORE, 0)),
}


class Bench(NamedTuple):
    """An emulator and what a host does with it."""

    robot: Emulator

    def ask(self, packet: Packet, patience: float = 0.05) -> Packet | None:
        """Return the only reply that comes in time."""
        self.robot.feed(frame(packet))
        self.robot.advance(patience)
        replies = PacketReader().feed(self.robot.take())
        assert len(replies) <= 1
        return replies[0] if replies else None

    def state(self, packet: Packet | None = None, patience: float = 0.05) -> State:
        """Return the state that answers a request."""
        reply = self.ask(packet or plain(Op.GET_STATE), patience)
        assert reply is not None and reply.op == (packet.op if packet else Op.GET_STATE)
        return decode_state(reply.payload)


def bench(**settings: object) -> Bench:
    return Bench(Emulator(FIELD, EmulatorSettings(**settings)))


def drive(at: Bench, right: int, left: int, seconds: float) -> None:
    """Drive and stop."""
    at.ask(protocol.velocities(right, left))
    at.robot.advance(seconds)
    at.ask(plain(Op.STOP))
    at.robot.advance(1.0)


@pytest.mark.parametrize('op', sorted(ACCEPTED))
def test_what_a_scout_knows_is_answered_by_its_own_type(op: Op) -> None:
    reply = bench().ask(PAYLOADS.get(op, plain(op)))
    assert reply is not None and reply.op == op
    assert (len(reply.payload) == 42) == (op in protocol.STATE_REPLIES)


@pytest.mark.parametrize('op', sorted(set(range(256)) - ACCEPTED))
def test_what_it_does_not_know_is_refused_without_a_payload(op: int) -> None:
    assert bench().ask(Packet(op)) == Packet(Op.NAK)


@pytest.mark.parametrize(
    'packet',
    [
        Packet(Op.GET_STATE, b'\0'),
        Packet(Op.VELOCITIES, b'\1\0\1\0'),
        Packet(Op.SONAR, bytes((15, *range(10, 26)))),
        Packet(Op.MIXED_MOTION, struct.pack('<6H', 1, 100, 7, 100, 0, 0)),
    ],
)
def test_what_cannot_be_meant_so_is_refused_and_nothing_moves(packet: Packet) -> None:
    at = bench()
    assert at.ask(packet) == Packet(Op.NAK)
    assert not at.state().right


@pytest.mark.parametrize('place', [0, 1, 4, -2, -1])
def test_a_malformed_packet_is_not_answered(place: int) -> None:
    at = bench()
    wire = bytearray(frame(protocol.velocities(100, 100)))
    wire[place] ^= 0x21
    at.robot.feed(bytes(wire))
    at.robot.advance(0.2)
    assert at.robot.take() == b''
    assert at.robot.state.wheels == (0.0, 0.0)
    assert at.state().clock == 201


def test_noise_that_looks_like_a_beginning_is_forgotten_after_a_pause() -> None:
    at = bench()
    at.robot.feed(b'\x01\x00\x03')
    at.robot.advance(0.1)
    assert at.state().clock == 101


def test_place_and_heading_are_reported_in_whole_steps() -> None:
    at = bench()
    drive(at, 123, 57, 3.0)
    state = at.state()
    pose = at.robot.state.pose
    assert state.x == round(pose.x / TENTH_INCH)
    assert state.y == round(pose.y / TENTH_INCH)
    assert state.heading == round(math.degrees(pose.heading) * 10.0) % 3600
    for _ in range(50):
        assert at.state()[2:5] == state[2:5]


def test_quantisation_does_not_add_up() -> None:
    at = bench()
    for _ in range(40):
        drive(at, 1, 1, 1.01)
    assert at.robot.state.pose.x > 10 * TENTH_INCH
    assert abs(at.state().x * TENTH_INCH - at.robot.state.pose.x) <= TENTH_INCH


def test_the_heading_grows_counter_clockwise_from_0_to_3599() -> None:
    at = bench()
    drive(at, -20, 20, 0.5)
    assert 3500 < at.state().heading < 3600
    drive(at, 40, -40, 0.5)
    assert 0 < at.state().heading < 100


@pytest.mark.parametrize(('overflow', 'x'), [('wrap', -32767), ('saturate', 32767)])
@pytest.mark.parametrize('sign', [1, -1])
def test_beyond_the_numbers_of_the_wire_as_chosen(overflow: str, x: int, sign: int) -> None:
    at = bench(overflow=overflow)
    at.ask(protocol.define_position(sign * 32767, -sign * 32767))
    at.ask(protocol.relative_move(sign, sign))
    at.robot.advance(1.0)
    assert at.robot.state.pose.x == pytest.approx(sign * TENTH_INCH)
    assert at.state()[2:4] == (sign * x, -sign * 32767)


def test_dp_and_da_do_not_touch_one_another_and_forget_nothing_else() -> None:
    at = bench()
    assert at.state(protocol.define_position(-700, 800))[2:5] == (-700, 800, 0)
    assert at.state(protocol.define_heading(-90))[2:5] == (-700, 800, 3510)
    assert at.state(protocol.define_position(10, 20))[2:5] == (10, 20, 3510)
    assert at.robot.state.pose == (0.0, 0.0, 0.0)
    at.ask(protocol.define_heading(900))
    drive(at, 100, 100, 1.0)
    state = at.state()
    assert state.x == 10 and state.y > 100


@pytest.mark.parametrize(('zeroing', 'reported'), [('reset', (0, 0, 0)), ('nothing', (5, 6, 70))])
def test_zr_does_as_chosen_and_answers_at_once(zeroing: str, reported: tuple[int, ...]) -> None:
    at = bench(zeroing=zeroing)
    at.ask(protocol.define_position(5, 6))
    at.ask(protocol.define_heading(70))
    assert at.state(plain(Op.ZERO), 0.017)[2:5] == reported


def test_the_watchdog_stops_after_a_second_of_silence_and_any_packet_feeds_it() -> None:
    at = bench()
    at.ask(protocol.watchdog(1))
    at.ask(protocol.velocities(100, 100))
    for _ in range(30):
        at.ask(plain(Op.GET_BUMPER))
        at.robot.advance(0.05)
    assert at.robot.state.wheels.left == pytest.approx(0.254)
    at.robot.advance(0.9)
    assert at.robot.state.wheels.left == pytest.approx(0.254)
    at.robot.advance(0.25)
    assert at.robot.state.wheels == (0.0, 0.0)
    assert not at.state().status & 3
    at.robot.advance(1.0)
    assert at.robot.state.wheels == (0.0, 0.0)


def test_without_a_watchdog_it_goes_on() -> None:
    at = bench()
    at.ask(protocol.velocities(50, 50))
    at.robot.advance(20.0)
    assert at.robot.state.wheels.right == pytest.approx(0.127)


def test_ws_answers_when_both_wheels_rest() -> None:
    at = bench()
    at.ask(protocol.speeds(100, 100))
    at.ask(protocol.relative_move(300, 200))
    assert at.ask(protocol.wait_for_stop(20), 2.0) is None
    at.robot.advance(4.0)
    [reply] = PacketReader().feed(at.robot.take())
    state = decode_state(reply.payload)
    assert reply.op == Op.WAIT_FOR_STOP
    assert (state.right, state.left, state.status & 3) == (0, 0, 0)
    assert state.clock < 5000


def test_ws_of_one_wheel_waits_for_that_one_only() -> None:
    at = bench()
    at.ask(protocol.relative_move(10, 1000))
    reply = at.ask(Packet(Op.WAIT_FOR_STOP, bytes((1, 0, 0, 9))), 1.0)
    assert reply is not None and decode_state(reply.payload).status & 3 == 1


def test_ws_answers_after_its_time_and_is_given_up_for_another_request() -> None:
    at = bench()
    at.ask(protocol.velocities(50, 50))
    assert at.ask(protocol.wait_for_stop(2), 1.95) is None
    assert at.state(patience=0.1) is not None
    assert at.ask(protocol.wait_for_stop(2), 1.95) is None
    at.robot.advance(0.1)
    assert [reply.op for reply in PacketReader().feed(at.robot.take())] == [Op.WAIT_FOR_STOP]


def test_mv_moves_each_wheel_in_its_own_mode() -> None:
    at = bench()
    at.ask(protocol.mixed_motion((Mode.ACCELERATION, 500), (Mode.SPEED, 40)))
    at.ask(protocol.mixed_motion((Mode.VELOCITY, 80), (Mode.RELATIVE, -100)))
    at.robot.advance(1.0)
    state = at.state()
    assert (state.right, state.left) == (80, -40)
    reply = at.ask(plain(Op.GET_ACCELERATIONS))
    assert reply == Packet(Op.GET_ACCELERATIONS, struct.pack('<3H', 500, 197, 0))
    at.robot.advance(3.0)
    assert (at.state().right, at.state().left) == (80, 0)
    at.ask(protocol.mixed_motion((Mode.LIMP, 0), (Mode.IGNORE, 0)))
    assert at.robot.state.wheels == (0.0, 0.0)


def test_limp_wheels_rest_until_the_next_motion() -> None:
    at = bench()
    at.ask(protocol.velocities(100, 100))
    at.robot.advance(1.0)
    at.ask(plain(Op.LIMP))
    assert at.robot.state.wheels == (0.0, 0.0)
    at.robot.advance(1.0)
    assert at.robot.state.wheels == (0.0, 0.0)
    at.ask(protocol.velocities(100, 100))
    at.robot.advance(1.0)
    assert at.robot.state.wheels.left == pytest.approx(0.254)


def test_the_parts_of_the_state_can_be_requested() -> None:
    at = bench()
    at.ask(protocol.define_position(-3, 4))
    at.ask(protocol.velocities(50, -30))
    at.robot.advance(1.0)
    reply = at.ask(plain(Op.GET_VELOCITIES))
    assert reply is not None and reply.payload == struct.pack('<3H', 50, 0x801E, 0)
    assert protocol.decode_velocities(reply.payload) == (50, -30)
    at.ask(plain(Op.STOP))
    state = at.state()
    reply = at.ask(plain(Op.GET_CONFIGURATION))
    assert reply is not None
    x, y, heading = protocol.decode_configuration(reply.payload)
    assert (x, y) == pytest.approx((state.x, state.y), abs=20) and heading == state.heading
    for op, read, reported in (
        (Op.GET_SONAR, protocol.decode_sonar, state.sonar),
        (Op.GET_BUMPER, protocol.decode_bumper, state.bumper),
    ):
        reply = at.ask(plain(op))
        assert reply is not None
        found, clock = read(reply.payload)
        assert found == reported
        assert clock == pytest.approx(at.robot.state.time * 1000, abs=51)


def test_conf_ser_changes_nothing() -> None:
    at = bench()
    before = at.state(PAYLOADS[Op.SERIAL])
    assert at.state()._replace(clock=0) == before._replace(clock=0)


@pytest.mark.parametrize(
    ('settings', 'status'),
    [
        ({'battery_start': 12.6}, 0x08),
        ({'battery_start': 12.0}, 0x04),
        ({'battery_start': 11.0}, 0x00),
        ({'battery_start': 12.0, 'plugged': True}, 0x34),
        ({'battery_start': 12.6, 'plugged': True}, 0x18),
    ],
)
def test_the_status_byte_shows_battery_and_power(settings: dict[str, float], status: int) -> None:
    assert bench(**settings).state().status == status


def test_the_status_byte_shows_which_wheel_moves() -> None:
    at = bench()
    at.ask(protocol.velocities(50, 0))
    assert at.state().status & 3 == 2
    at.ask(protocol.velocities(0, 50))
    at.robot.advance(1.0)
    assert at.state().status & 3 == 1


def test_voltages_are_reported_as_the_formula_has_them() -> None:
    state = bench(battery_start=11.0).state()
    for raw, span in ((state.cpu, 12.0), (state.motor, 12.85)):
        assert (2.0 + 3.0 * raw / 255.0) * span / 5.0 == pytest.approx(11.0, abs=0.02)


def test_the_battery_runs_down() -> None:
    at = bench(battery_drain=0.01)
    before = at.state().motor
    at.robot.advance(60.0)
    assert at.state().motor < before
    assert at.robot.state.battery == pytest.approx(11.9, abs=0.01)


def test_the_clock_counts_milliseconds() -> None:
    at = bench()
    first = at.state().clock
    at.robot.advance(0.95)
    assert at.state().clock == first + 1000


@pytest.mark.parametrize(
    ('setting', 'value'),
    [
        ('slip', 1.0), ('slip', -0.1), ('latency', math.nan), ('beam_rays', 0), ('baud', 0),
        ('wheel_separation', 0.0), ('overflow', 'bounce'), ('zeroing', 'maybe'),
        ('specular_angle', 2.0), ('rough_probability', 1.5),
    ],
)  # fmt: skip
def test_settings_that_cannot_be_are_refused_in_one_sentence(setting: str, value: object) -> None:
    with pytest.raises(ValueError, match=setting):
        EmulatorSettings(**{setting: value})


def test_time_passes_forward_only() -> None:
    with pytest.raises(ValueError, match='time passes'):
        bench().robot.advance(-0.1)
    assert bench().robot.state.pose == Pose2()
