"""The packets of scout_protocol.md §2.3, byte for byte, and streams full of noise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.scout import protocol
from walking_robots.scout.framing import (
    Packet,
    PacketReader,
    frame,
    from_sign_magnitude,
    to_sign_magnitude,
)
from walking_robots.scout.protocol import Mode, Op, State, decode_state, encode_state, plain

ORDER = SUPER_SCOUT.sonar.order
VECTORS = {
    'gs': (plain(Op.GET_STATE), '01 02 00 07 0A 5C'),
    'st': (plain(Op.STOP), '01 02 00 09 0C 5C'),
    'lp': (plain(Op.LIMP), '01 02 00 0A 0D 5C'),
    'zr': (plain(Op.ZERO), '01 02 00 0D 10 5C'),
    'conf_tm(1)': (protocol.watchdog(1), '01 03 00 12 01 17 5C'),
    'conf_tm(5)': (protocol.watchdog(5), '01 03 00 12 05 1B 5C'),
    'dp(0,0)': (protocol.define_position(0, 0), '01 06 00 0C 00 00 00 00 13 5C'),
    'da(0,0)': (protocol.define_heading(0), '01 06 00 1E 00 00 00 00 25 5C'),
    'da(900,0)': (protocol.define_heading(900), '01 06 00 1E 84 03 00 00 AC 5C'),
    'ac(300,300,0)': (protocol.accelerations(300, 300), '01 08 00 01 2C 01 2C 01 00 00 64 5C'),
    'sp(200,200,0)': (protocol.speeds(200, 200), '01 08 00 02 C8 00 C8 00 00 00 9B 5C'),
    'vm(100,100,0)': (protocol.velocities(100, 100), '01 08 00 05 64 00 64 00 00 00 D6 5C'),
    'vm(100,-100,0)': (protocol.velocities(100, -100), '01 08 00 05 64 00 64 80 00 00 56 5C'),
    'vm(-300,300,0)': (protocol.velocities(-300, 300), '01 08 00 05 2C 81 2C 01 00 00 E8 5C'),
    'pr(100,100,0)': (protocol.relative_move(100, 100), '01 08 00 03 64 00 64 00 00 00 D4 5C'),
    'ws(1,1,0,255)': (protocol.wait_for_stop(255), '01 06 00 1F 01 01 00 FF 27 5C'),
    'mv': (
        protocol.mixed_motion((Mode.VELOCITY, 50), (Mode.VELOCITY, -50)),
        '01 0E 00 2B 01 00 32 00 01 00 32 80 00 00 00 00 20 5C',
    ),
    'conf_sn(15, usual)': (
        protocol.sonar_order(15, ORDER),
        '01 13 00 0F 0F 00 02 0F 01 0E 03 0D 04 0C 05 0B 06 0A 07 09 08 AA 5C',
    ),
    'conf_sn(15, off)': (protocol.sonar_order(15), '01 13 00 0F 0F' + ' FF' * 16 + ' 22 5C'),
    'vm(113,45,0)': (protocol.velocities(113, 45), '01 08 00 05 71 00 2D 00 00 00 AC 5C'),
    'vm(-68,68,0)': (protocol.velocities(-68, 68), '01 08 00 05 44 80 44 00 00 00 16 5C'),
}
REPLY = (
    '01 2C 00 07 0C 18 24 30 3C 48 54 60 6C 78 84 90 9C A8 B4 FF 01 00 00 64 00 32 80 84 03 00 00 '
    '0A 00 0A 80 00 00 00 00 0B 10 27 00 00 80 40 07 5C'
)
STATE = State(
    sonar=(*range(12, 181, 12), 255),
    bumper=1,
    x=100,
    y=-50,
    heading=900,
    right=10,
    left=-10,
    status=0x0B,
    clock=10000,
    cpu=128,
    motor=64,
)

packets = st.builds(Packet, st.integers(0, 255), st.binary(max_size=60))


@pytest.mark.parametrize('name', VECTORS)
def test_requests_are_those_of_the_specification(name: str) -> None:
    packet, wire = VECTORS[name]
    assert frame(packet) == bytes.fromhex(wire)
    assert PacketReader().feed(bytes.fromhex(wire)) == [packet]


def test_the_reply_to_gs_is_that_of_the_specification() -> None:
    wire = bytes.fromhex(REPLY)
    assert len(wire) == 48
    [packet] = PacketReader().feed(wire)
    assert packet.op == Op.GET_STATE
    assert decode_state(packet.payload) == STATE
    assert frame(Packet(Op.GET_STATE, encode_state(STATE))) == wire


@pytest.mark.parametrize(('number', 'wire'), [(-100, '6480'), (0, '0000'), (32767, 'ff7f')])
def test_integers_are_sign_and_magnitude(number: int, wire: str) -> None:
    bits = int.from_bytes(bytes.fromhex(wire), 'little')
    assert to_sign_magnitude(number) == bits
    assert from_sign_magnitude(bits) == number


def test_minus_zero_is_zero_and_what_does_not_fit_is_refused() -> None:
    assert from_sign_magnitude(0x8000) == 0
    with pytest.raises(ValueError, match='32768'):
        to_sign_magnitude(-32768)
    with pytest.raises(ValueError, match='at most 16'):
        protocol.sonar_order(15, [16])
    with pytest.raises(ValueError, match='too long'):
        frame(Packet(1, bytes(1100)))


def test_a_longer_state_is_read_and_a_shorter_one_refused() -> None:
    assert decode_state(encode_state(STATE) + b'more') == STATE
    with pytest.raises(ValueError, match='42 bytes'):
        decode_state(encode_state(STATE)[:-1])
    for read in (protocol.decode_sonar, protocol.decode_bumper, protocol.decode_velocities):
        with pytest.raises(ValueError, match='bytes'):
            read(bytes(5))


@given(st.lists(packets, max_size=5), st.integers(1, 7))
def test_packets_in_pieces_come_through(sent: list[Packet], piece: int) -> None:
    reader = PacketReader()
    wire = b''.join(frame(packet) for packet in sent)
    got = []
    for at in range(0, len(wire), piece):
        got += reader.feed(wire[at : at + piece])
    assert got == sent
    assert reader.skipped == 0


@given(st.binary(max_size=40), packets)
def test_a_packet_after_noise_is_found(noise: bytes, packet: Packet) -> None:
    noise = noise.replace(b'\x01', b'\x02')
    assert PacketReader().feed(noise + frame(packet)) == [packet]


@given(st.integers(0x20, 0x3FF), packets)
def test_a_false_beginning_is_given_up_when_the_line_is_silent(
    length: int, packet: Packet
) -> None:
    reader = PacketReader()
    pretended = b'\x01' + length.to_bytes(2, 'little')
    found = reader.feed(pretended + frame(packet))
    assert packet in found + reader.settle()


def test_silence_does_not_hurt_a_packet_that_comes_in_two_parts() -> None:
    reader = PacketReader()
    wire = bytes.fromhex(REPLY)
    assert reader.feed(wire[:20]) == reader.settle() == []
    assert reader.feed(wire[20:]) == [Packet(Op.GET_STATE, encode_state(STATE))]


@given(st.binary(max_size=300))
def test_noise_never_costs_more_than_its_length(noise: bytes) -> None:
    reader = PacketReader()
    taken = sum(len(packet.payload) + 6 for packet in reader.feed(noise))
    assert taken + reader.skipped + reader.clear() >= len(noise)
    assert reader.clear() == 0


@given(packets, st.data())
def test_a_changed_bit_is_noticed(packet: Packet, data: st.DataObject) -> None:
    wire = bytearray(frame(packet))
    at = data.draw(st.integers(0, len(wire) - 1))
    wire[at] ^= 1 << data.draw(st.integers(0, 7))
    assert packet not in PacketReader().feed(bytes(wire))
