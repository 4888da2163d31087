"""What goes wrong with the emulated Scout when it is reported to."""

import math

import numpy as np
import pytest

from walking_robots.geometry.se2 import Pose2
from walking_robots.scout import protocol
from walking_robots.scout.framing import Packet, PacketReader, frame
from walking_robots.scout.protocol import Op, State, decode_state, plain
from walking_robots.simulation.scout.emulator import Emulator
from walking_robots.simulation.scout.faults import FAULTS
from walking_robots.worlds.world import World

FIELD = World(
    'field', 1.0, np.zeros((40, 40), bool), np.full((40, 40), -1), np.zeros((40, 40)), (),
    (-20.0, -20.0),
)  # fmt: skip
GET_STATE = frame(plain(Op.GET_STATE))
BEGIN = b'\x01\x2c\x00\x07'
REPLY_TIME = 0.002 + 54 * 10 / 38400


def driving() -> Emulator:
    """Return a robot that has been driving for a while and knows where it is."""
    robot = Emulator(FIELD)
    for packet in (
        protocol.define_position(1000, 500),
        protocol.sonar_order(15, [0]),
        protocol.velocities(100, 100),
    ):
        robot.feed(frame(packet))
        robot.advance(0.05)
    robot.advance(2.0)
    robot.take()
    return robot


def hear(robot: Emulator, patience: float = 0.05, request: bytes = GET_STATE) -> bytes:
    robot.take()
    robot.feed(request)
    robot.advance(patience)
    return robot.take()


def state(robot: Emulator) -> State:
    [reply] = PacketReader().feed(hear(robot))
    return decode_state(reply.payload)


@pytest.mark.parametrize('fault', FAULTS)
def test_a_fault_is_reported_ends_by_itself_and_can_be_ended(fault: str) -> None:
    robot = driving()
    assert robot.inject(fault, 2.0) == f'{fault} for 2 s: {FAULTS[fault]}'
    assert robot.state.faults == (fault,)
    robot.advance(1.99)
    assert robot.state.faults == (fault,)
    robot.advance(0.02)
    assert robot.state.faults == ()
    robot.advance(1.0)
    assert state(robot).clock > 0
    robot.inject(fault, math.inf)
    robot.advance(5.0)
    assert robot.inject(fault, 0.0) == f'{fault} has ended'
    assert robot.state.faults == ()
    robot.advance(1.0)
    assert state(robot).clock > 0


def test_a_fault_that_is_none_is_refused_with_those_that_are() -> None:
    with pytest.raises(ValueError, match=r'fire.*cut_cable.*estop'):
        driving().inject('fire', 1.0)
    for duration in (-1.0, math.nan):
        with pytest.raises(ValueError, match='duration'):
            driving().inject('nak', duration)


def test_nothing_gets_through_a_cut_cable() -> None:
    robot = driving()
    robot.feed(GET_STATE)
    robot.advance(0.01)
    robot.inject('cut_cable', 1.0)
    assert not robot.connected and robot.powered
    assert robot.take() == b''
    assert hear(robot, 0.5, frame(plain(Op.STOP))) == b''
    assert robot.state.wheels.left > 0.0
    robot.advance(0.5)
    assert robot.connected
    assert state(robot).clock > 2000


def test_a_cut_cable_does_not_feed_the_watchdog() -> None:
    robot = driving()
    hear(robot, 0.05, frame(protocol.watchdog(1)))
    robot.inject('cut_cable', 3.0)
    for _ in range(15):
        hear(robot, 0.1)
    assert robot.state.wheels == (0.0, 0.0)


def test_half_packets_are_the_beginning_of_a_reply() -> None:
    robot = driving()
    whole = hear(robot)
    robot.inject('half_packets', 9.0)
    lengths = set()
    for _ in range(20):
        half = hear(robot)
        assert 0 < len(half) < len(whole) and whole.startswith(half[:19])
        lengths.add(len(half))
    assert len(lengths) > 5


def test_wrong_checksums_are_wrong_in_nothing_else() -> None:
    robot = driving()
    robot.inject('wrong_checksums', 9.0)
    for _ in range(20):
        wire = hear(robot)
        assert PacketReader().feed(wire) == []
        right = wire[:-2] + bytes((sum(wire[:-2]) & 0xFF,)) + wire[-1:]
        assert len(PacketReader().feed(right)) == 1


def test_a_silent_robot_follows_commands() -> None:
    robot = driving()
    robot.inject('silence', 1.0)
    assert hear(robot, 0.9, frame(plain(Op.STOP))) == b''
    assert robot.state.wheels == (0.0, 0.0)


def test_a_refusing_robot_follows_no_command() -> None:
    robot = driving()
    robot.inject('nak', 1.0)
    assert hear(robot, 0.9, frame(plain(Op.STOP))) == frame(Packet(Op.NAK))
    assert robot.state.wheels.left > 0.0


def test_garbage_comes_before_inside_and_between_replies() -> None:
    robot = driving()
    robot.inject('garbage', 60.0)
    robot.advance(2.0)
    assert robot.take() != b''
    whole, broken = 0, 0
    for _ in range(200):
        wire = hear(robot, 0.1)
        assert len(wire) > 48 and not wire.startswith(b'\x01\x2c\x00\x07')
        found = [
            b'\x01\x2c\x00\x07' in wire
            and PacketReader().feed(wire[wire.index(b'\x01\x2c\x00\x07') :])
        ]
        whole += any(found)
        broken += not any(found)
    assert whole > 20 and broken > 20


def test_slow_replies_are_whole_and_late() -> None:
    robot = driving()
    robot.inject('slow_replies', 1.0)
    assert hear(robot, 0.6 + REPLY_TIME - 0.001)[:4] == BEGIN
    robot.advance(0.002)
    assert len(robot.take()) > 0
    robot.feed(GET_STATE)
    robot.advance(0.6)
    assert robot.take() == b''
    robot.advance(REPLY_TIME - 0.6 + 0.6)
    assert len(PacketReader().feed(robot.take())) == 1


def test_a_robot_that_is_switched_off_forgets_everything() -> None:
    robot = driving()
    robot.feed(GET_STATE)
    robot.advance(0.008)
    x = robot.state.pose.x
    robot.inject('power_off', 3.0)
    assert not robot.powered and robot.connected
    assert robot.state.wheels == (0.0, 0.0)
    robot.advance(0.2)
    assert len(robot.take()) < 48
    assert hear(robot, 2.0) == b''
    robot.advance(1.0)
    assert robot.powered
    reported = state(robot)
    assert robot.state.pose.x == x
    assert reported[2:5] == (0, 0, 0)
    assert reported.clock < 300
    assert (reported.right, reported.left, reported.sonar) == (0, 0, (255,) * 16)


def test_the_emergency_stop_stops_is_reported_and_forgets_the_motion() -> None:
    robot = driving()
    robot.inject('estop', 2.0)
    robot.advance(0.5)
    assert robot.state.wheels == (0.0, 0.0)
    for motion in (
        protocol.velocities(100, 100),
        protocol.relative_move(100, 100),
        protocol.mixed_motion((protocol.Mode.VELOCITY, 9), (protocol.Mode.RELATIVE, 9)),
    ):
        assert hear(robot, 0.3, frame(motion))[3] == motion.op
        assert robot.state.wheels == (0.0, 0.0)
    assert state(robot).status & 0x43 == 0x40
    robot.advance(1.0)
    assert state(robot).status & 0x43 == 0
    assert robot.state.wheels == (0.0, 0.0)
    hear(robot, 0.3, frame(protocol.velocities(100, 100)))
    assert robot.state.wheels.right > 0.0


def test_faults_overlap() -> None:
    robot = driving()
    robot.inject('estop', 1.0)
    robot.inject('nak', 2.0)
    robot.inject('wrong_checksums', 3.0)
    assert robot.state.faults == ('wrong_checksums', 'nak', 'estop')
    wire = hear(robot)
    assert wire[3] == Op.NAK and PacketReader().feed(wire) == []
    robot.advance(1.0)
    assert robot.state.faults == ('wrong_checksums', 'nak')
    robot.place(Pose2(1.0, 2.0, 0.0))
    assert robot.state.pose == (1.0, 2.0, 0.0)
