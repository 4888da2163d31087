"""What is said on the wire: requests, and the state a Scout answers (scout_protocol.md §3, §4).

Units here are those of the robot: 0.1 inch, 0.1 inch/s, 0.1 degree, inches for sonars. Wheels
come right first. :mod:`walking_robots.scout.readings` gives the same in SI.
"""

import struct
from collections.abc import Sequence
from enum import IntEnum
from typing import Any, NamedTuple

from walking_robots.scout.framing import Packet, from_sign_magnitude, to_sign_magnitude

SONARS = 16
NO_SENSOR = 255
"""Ends the firing order."""


class Op(IntEnum):
    """Types of packets (§3.1)."""

    ACCELERATIONS = 1
    SPEEDS = 2
    RELATIVE_MOVE = 3
    ABSOLUTE_MOVE = 4
    VELOCITIES = 5
    REPLY_MASK = 6
    GET_STATE = 7
    NAK = 8
    STOP = 9
    LIMP = 10
    TALK = 11
    DEFINE_POSITION = 12
    ZERO = 13
    INFRARED = 14
    SONAR = 15
    COMPASS = 16
    LASER = 17
    WATCHDOG = 18
    GET_INFRARED = 19
    GET_SONAR = 20
    GET_CONFIGURATION = 21
    GET_VELOCITIES = 22
    GET_ACCELERATIONS = 23
    GET_COMPASS = 24
    GET_LASER = 25
    SET_UP_LASER = 26
    GET_BUMPER = 27
    SEGMENTS = 28
    GET_SEGMENTS = 29
    DEFINE_HEADING = 30
    WAIT_FOR_STOP = 31
    SERIAL = 35
    MIXED_MOTION = 43
    SPECIAL = 128


ACCEPTED = frozenset(
    {
        Op.ACCELERATIONS, Op.SPEEDS, Op.RELATIVE_MOVE, Op.VELOCITIES, Op.GET_STATE, Op.STOP,
        Op.LIMP, Op.DEFINE_POSITION, Op.ZERO, Op.SONAR, Op.WATCHDOG, Op.GET_SONAR,
        Op.GET_CONFIGURATION, Op.GET_VELOCITIES, Op.GET_ACCELERATIONS, Op.GET_BUMPER,
        Op.DEFINE_HEADING, Op.WAIT_FOR_STOP, Op.SERIAL, Op.MIXED_MOTION,
    }
)  # fmt: skip
"""What a Scout answers with anything but a refusal."""

STATE_REPLIES = ACCEPTED - {
    Op.GET_SONAR,
    Op.GET_CONFIGURATION,
    Op.GET_VELOCITIES,
    Op.GET_ACCELERATIONS,
    Op.GET_BUMPER,
}
"""Requests that are answered by the whole state."""

NOT_REPEATABLE = frozenset({Op.RELATIVE_MOVE, Op.MIXED_MOTION})
"""Requests that would move the robot twice if they were sent again after a lost reply (§2.4)."""


class Mode(IntEnum):
    """What an axis does in a mixed motion (§3.2)."""

    IGNORE = 0
    VELOCITY = 1
    RELATIVE = 2
    LIMP = 3
    ACCELERATION = 4
    SPEED = 5


class State(NamedTuple):
    """The state packet of a Scout (§4.3), in its own units and order.

    sonar: 16 readings, whole inches, 255 no echo; bumper: 24 bits; x, y: 0.1 inch; heading:
    0.1 degree, counter-clockwise; right, left: speeds of the wheels, 0.1 inch/s; clock: ms; cpu
    and motor: raw voltages.
    """

    sonar: tuple[int, ...] = (NO_SENSOR,) * SONARS
    bumper: int = 0
    x: int = 0
    y: int = 0
    heading: int = 0
    turret: int = 0
    right: int = 0
    left: int = 0
    turret_speed: int = 0
    compass: int = 0
    status: int = 0
    clock: int = 0
    cpu: int = 0
    motor: int = 0


_STATE = struct.Struct('<16s3s8HBIBB')


def decode_state(payload: bytes) -> State:
    """Read a state packet; what follows its 42 bytes is left aside.

    Raises ValueError when it is shorter.
    """
    if len(payload) < _STATE.size:
        raise ValueError(f'a state has {_STATE.size} bytes, and these are {len(payload)}')
    sonar, bumper, *words, status, clock, cpu, motor = _STATE.unpack_from(payload)
    pressed = int.from_bytes(bumper, 'little')
    numbers = (from_sign_magnitude(word) for word in words)
    return State._make((tuple(sonar), pressed, *numbers, status, clock, cpu, motor))


def encode_state(state: State) -> bytes:
    """Return the payload of a state packet; raises ValueError for what does not fit."""
    words = (to_sign_magnitude(number) for number in state[2:10])
    bumper = state.bumper.to_bytes(3, 'little')
    return _STATE.pack(bytes(state.sonar), bumper, *words, *state[10:])


def decode_sonar(payload: bytes) -> tuple[tuple[int, ...], int]:
    """Read the reply to ``get_sn``: 16 readings, inches, and the clock, ms."""
    sonar, clock = _unpack('<16sI', payload)
    return tuple(sonar), clock


def decode_bumper(payload: bytes) -> tuple[int, int]:
    """Read the reply to ``get_bp``: the word of the switches, and the clock, ms."""
    word, clock = _unpack('<3sI', payload)
    return int.from_bytes(word, 'little'), clock


def decode_configuration(payload: bytes) -> tuple[int, int, int]:
    """Read the reply to ``get_rc``: x and y, 0.1 inch, and the heading, 0.1 degree."""
    x, y, heading, _ = map(from_sign_magnitude, _unpack('<4H', payload))
    return x, y, heading


def decode_velocities(payload: bytes) -> tuple[int, int]:
    """Read the reply to ``get_rv``: speeds of the right and left wheel, 0.1 inch/s."""
    right, left, _ = map(from_sign_magnitude, _unpack('<3H', payload))
    return right, left


def plain(op: Op) -> Packet:
    """Return a request without payload."""
    return Packet(op)


def accelerations(right: int, left: int) -> Packet:
    """Set the accelerations, 0.1 inch/s² (``ac``)."""
    return Packet(Op.ACCELERATIONS, _unsigned(right, left, 0))


def speeds(right: int, left: int) -> Packet:
    """Set the speeds of relative moves, 0.1 inch/s (``sp``)."""
    return Packet(Op.SPEEDS, _unsigned(right, left, 0))


def velocities(right: int, left: int) -> Packet:
    """Drive with these speeds, 0.1 inch/s, until the next command (``vm``)."""
    return Packet(Op.VELOCITIES, _signed(right, left, 0))


def relative_move(right: int, left: int) -> Packet:
    """Move the wheels by these ways, 0.1 inch (``pr``); never send it twice."""
    return Packet(Op.RELATIVE_MOVE, _signed(right, left, 0))


def define_position(x: int, y: int) -> Packet:
    """Define where the robot is, 0.1 inch (``dp``)."""
    return Packet(Op.DEFINE_POSITION, _signed(x, y))


def define_heading(heading: int) -> Packet:
    """Define where the robot points, 0.1 degree (``da``), taken into 0 ... 3599."""
    return Packet(Op.DEFINE_HEADING, _signed(heading % 3600, 0))


def watchdog(seconds: int) -> Packet:
    """Stop the robot when it has heard nothing for so long; 0 for never (``conf_tm``)."""
    return Packet(Op.WATCHDOG, bytes((seconds,)))


def sonar_order(rate: int, order: Sequence[int] = ()) -> Packet:
    """Fire these sensors in turn, ``rate`` times 4 ms apart; none: switch off (``conf_sn``)."""
    if len(order) > SONARS or any(not 0 <= sensor < SONARS for sensor in order):
        raise ValueError('a firing order names at most 16 sensors, 0 to 15')
    filled = bytes(order) + bytes((NO_SENSOR,) * (SONARS - len(order)))
    return Packet(Op.SONAR, bytes((rate,)) + filled)


def wait_for_stop(timeout: int) -> Packet:
    """Answer when both wheels rest, or after ``timeout`` seconds (``ws``)."""
    return Packet(Op.WAIT_FOR_STOP, bytes((1, 1, 0, timeout)))


def mixed_motion(right: tuple[Mode, int], left: tuple[Mode, int]) -> Packet:
    """Move each wheel in a mode of its own (``mv``)."""
    words = (right[0], to_sign_magnitude(right[1]), left[0], to_sign_magnitude(left[1]), 0, 0)
    return Packet(Op.MIXED_MOTION, struct.pack('<6H', *words))


def _unpack(layout: str, payload: bytes) -> tuple[Any, ...]:
    """Read a payload; raises ValueError for one of another length."""
    if len(payload) != struct.calcsize(layout):
        raise ValueError(f'this reply has {struct.calcsize(layout)} bytes, not {len(payload)}')
    return struct.unpack(layout, payload)


def _signed(*numbers: int) -> bytes:
    return struct.pack(f'<{len(numbers)}H', *(to_sign_magnitude(number) for number in numbers))


def _unsigned(*numbers: int) -> bytes:
    return struct.pack(f'<{len(numbers)}H', *numbers)
