"""The emulated Scout in time: the pace of the line, and the same again from the same seed."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from walking_robots.geometry.se2 import ORIGIN, Pose2
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.scout import protocol
from walking_robots.scout.framing import Packet, PacketReader, frame
from walking_robots.scout.protocol import Op, plain
from walking_robots.simulation.scout.emulator import Emulator, EmulatorState
from walking_robots.simulation.scout.faults import FAULTS
from walking_robots.simulation.scout.settings import EmulatorSettings
from walking_robots.simulation.wire import CAPACITY
from walking_robots.worlds.world import World

ROOM = World(
    'room', 0.1, np.zeros((40, 60), bool), np.full((40, 60), -1), np.zeros((40, 60)), (),
    (-3.0, -2.0),
)  # fmt: skip
GET_STATE = frame(plain(Op.GET_STATE))
BYTE = 10 / 38400
MOTIONS = {Op.VELOCITIES, Op.RELATIVE_MOVE, Op.MIXED_MOTION}
PRANKS = st.sampled_from([fault for fault in FAULTS if fault != 'cut_cable'])

numbers = st.integers(-400, 400)
requests = st.one_of(
    st.builds(protocol.velocities, numbers, numbers),
    st.builds(protocol.relative_move, numbers, numbers),
    st.builds(protocol.define_heading, st.integers(0, 3599)),
    st.builds(protocol.watchdog, st.integers(0, 255)),
    st.builds(protocol.wait_for_stop, st.integers(0, 3)),
    st.builds(protocol.accelerations, st.integers(0, 65535), st.integers(0, 65535)),
    st.just(protocol.sonar_order(15, SUPER_SCOUT.sonar.order)),
    st.sampled_from([Op.GET_STATE, Op.STOP, Op.LIMP, Op.ZERO]).map(plain),
    st.builds(Packet, st.integers(0, 255), st.binary(max_size=30)),
)


def test_a_reply_takes_its_time_on_the_line_byte_by_byte() -> None:
    robot = Emulator(ROOM)
    robot.feed(GET_STATE)
    assert robot.due() == pytest.approx(BYTE, abs=1e-6)
    robot.advance(6 * BYTE + 0.002)
    assert robot.take() == b''
    heard = b''
    for count in range(1, 49):
        robot.advance(BYTE)
        heard += robot.take()
        assert count - 1 <= len(heard) <= count
    robot.advance(BYTE)
    assert len(PacketReader().feed(heard + robot.take())) == 1
    assert robot.due() == np.inf


def test_a_request_counts_when_its_last_byte_has_arrived() -> None:
    robot = Emulator(ROOM)
    wire = frame(protocol.velocities(100, 100))
    robot.feed(wire[:-1])
    robot.advance(0.04)
    robot.feed(wire[-1:])
    robot.advance(0.5 * BYTE)
    assert robot.state.wheels.left == 0.0
    robot.advance(0.02)
    assert robot.state.wheels.left > 0.0


def test_a_slow_line_and_a_slow_robot_are_slow() -> None:
    robot = Emulator(ROOM, EmulatorSettings(baud=9600, latency=0.01))
    robot.feed(GET_STATE)
    robot.advance(0.01 + 54 * 10 / 9600 - 0.001)
    assert PacketReader().feed(robot.take()) == []
    robot = Emulator(ROOM, EmulatorSettings(baud=9600, latency=0.01))
    robot.feed(GET_STATE)
    robot.advance(0.01 + 54 * 10 / 9600 + 0.001)
    assert len(PacketReader().feed(robot.take())) == 1


def test_a_line_holds_so_much_and_no_more() -> None:
    robot = Emulator(ROOM)
    robot.feed(GET_STATE * 1000)
    robot.advance(60.0)
    assert 4000 < len(robot.take()) <= CAPACITY
    robot.feed(GET_STATE)
    robot.advance(0.1)
    assert len(robot.take()) == 48


def trace(
    robot: Emulator, story: Sequence[tuple[Packet, str | None, list[float]]]
) -> tuple[bytes, list[EmulatorState]]:
    """Live through a story: requests, faults, and the pieces of 0.37 s in which time passes."""
    states = []
    heard = b''
    for request, fault, shares in story:
        robot.feed(frame(request))
        if fault:
            robot.inject(fault, 0.5)
        cuts = sorted(0.37 * share for share in shares)
        for begin, end in zip([0.0, *cuts], [*cuts, 0.37], strict=True):
            robot.advance(end - begin)
            heard += robot.take()
        states.append(robot.state)
    return heard, states


@given(
    st.lists(st.tuples(requests, st.none() | PRANKS), min_size=1, max_size=8),
    st.lists(st.floats(0.0, 1.0), max_size=6),
    st.integers(0, 3),
)
@settings(max_examples=60, deadline=None)
def test_the_same_seed_gives_the_same_however_time_is_cut(
    story: list[tuple[Packet, str | None]], shares: list[float], seed: int
) -> None:
    noisy = EmulatorSettings(slip=0.02)
    cut, whole, fine = (
        trace(
            Emulator(ROOM, noisy, seed=seed),
            [(request, fault, pieces) for request, fault in story],
        )
        for pieces in (shares, [], [share / 370.0 for share in range(370)])
    )
    assert cut == whole == fine


def test_another_seed_gives_something_else() -> None:
    story: list[tuple[Packet, str | None, list[float]]] = [
        (protocol.sonar_order(5, SUPER_SCOUT.sonar.order), None, []),
        (protocol.velocities(100, 90), 'garbage', []),
        (plain(Op.GET_STATE), None, []),
    ]
    choice = EmulatorSettings(slip=0.02)
    first, second = (trace(Emulator(ROOM, choice, seed=seed), story) for seed in (1, 2))
    assert first[0] != second[0]
    assert first[1][-1].pose != second[1][-1].pose


@given(st.lists(st.binary(max_size=80), max_size=6))
@settings(max_examples=80, deadline=None)
def test_noise_never_hurts_and_never_moves_the_robot(noise: list[bytes]) -> None:
    check_stream(noise)


@given(st.lists(requests, min_size=1, max_size=6), st.data())
@settings(max_examples=80, deadline=None)
def test_broken_packets_never_hurt_and_never_move_the_robot(
    packets: list[Packet], data: st.DataObject
) -> None:
    wires = []
    for packet in packets:
        wire = bytearray(frame(packet))
        for _ in range(data.draw(st.integers(0, 2))):
            wire[data.draw(st.integers(0, len(wire) - 1))] = data.draw(st.integers(0, 255))
        wires.append(bytes(wire))
    check_stream(wires)


def check_stream(wires: list[bytes]) -> None:
    """Feed all and see that only a whole motion packet moves the robot."""
    robot = Emulator(ROOM)
    robot.feed(b''.join(wires))
    robot.advance(1.0)
    found = PacketReader().feed(b''.join(wires))
    if not any(packet.op in MOTIONS for packet in found):
        assert robot.state.pose == ORIGIN
    answers = PacketReader().feed(robot.take())
    waits = any(packet.op == Op.WAIT_FOR_STOP for packet in found)
    assert len(answers) == len(found) or waits or len(answers) > 80
    robot.advance(1.0)
    robot.take()
    robot.feed(frame(plain(Op.STOP)))
    robot.advance(1.0)
    assert [packet.op for packet in PacketReader().feed(robot.take())] == [Op.STOP]
    assert robot.state.wheels == (0.0, 0.0)


def test_a_robot_may_start_elsewhere() -> None:
    start = Pose2(1.0, 0.5, 2.0)
    assert Emulator(ROOM, start=start).state.pose == start
    assert Emulator(ROOM).state.pose == ROOM.start
