"""The effect of each request on the controller, and its reply (scout_protocol.md §3)."""

import struct
from collections.abc import Callable, Mapping

from walking_robots.robots.super_scout import TENTH_INCH
from walking_robots.scout.framing import Packet, from_sign_magnitude, to_sign_magnitude
from walking_robots.scout.protocol import NO_SENSOR, SONARS, Mode, Op, encode_state
from walking_robots.simulation.scout.axis import Axis
from walking_robots.simulation.scout.controller import Controller

REFUSAL = Packet(Op.NAK)
"""Answer to what is not understood; without payload, a choice (§2.4)."""

Deed = Callable[..., bytes | None]
"""Carries out a request and returns the payload of the reply, None for the whole state."""


def answer(robot: Controller, request: Packet, now: int) -> Packet | None:
    """Carry out a request at a time, microseconds, and return the reply, None for later.

    A payload of another length than the table of §3.1 has it is refused, a choice.
    """
    robot.hear(now)
    layout, deed = _DEEDS.get(request.op, (_EMPTY, None))
    if deed is None or len(request.payload) != layout.size:
        return REFUSAL
    try:
        reply = deed(robot, now, *layout.unpack(request.payload))
    except ValueError:
        return REFUSAL
    if robot.waiting:
        return None
    return Packet(request.op, encode_state(robot.state(now)) if reply is None else reply)


def _accelerations(robot: Controller, now: int, right: int, left: int, _: int) -> None:
    # A slope of 0 could never stop what is moving: it counts as the least there is, a choice.
    robot.right.set_acceleration(max(right, 1) * TENTH_INCH)
    robot.left.set_acceleration(max(left, 1) * TENTH_INCH)


def _speeds(robot: Controller, now: int, right: int, left: int, _: int) -> None:
    robot.right.set_cruise(right * TENTH_INCH)
    robot.left.set_cruise(left * TENTH_INCH)


def _velocities(robot: Controller, now: int, right: int, left: int, _: int) -> None:
    if not robot.halted:
        robot.right.drive(_length(right))
        robot.left.drive(_length(left))


def _relative_move(robot: Controller, now: int, right: int, left: int, _: int) -> None:
    if not robot.halted:
        robot.right.move(_length(right))
        robot.left.move(_length(left))


def _mixed_motion(robot: Controller, now: int, *words: int) -> None:
    """Move each wheel in its own mode; all is refused where one mode is none of a Scout."""
    modes = [Mode(mode) for mode in words[::2]]
    values = [_length(value) for value in words[1::2]]
    for axis, mode, value in zip((robot.right, robot.left), modes, values, strict=False):
        _move_axis(axis, mode, value, halted=robot.halted)


def _move_axis(axis: Axis, mode: Mode, value: float, *, halted: bool) -> None:
    match mode:
        case Mode.LIMP:
            axis.release()
        case Mode.ACCELERATION:
            axis.set_acceleration(max(abs(value), TENTH_INCH))
        case Mode.SPEED:
            axis.set_cruise(abs(value))
        case Mode.VELOCITY if not halted:
            axis.drive(value)
        case Mode.RELATIVE if not halted:
            axis.move(value)


def _stop(robot: Controller, now: int) -> None:
    robot.stop()


def _limp(robot: Controller, now: int) -> None:
    robot.right.release()
    robot.left.release()


def _define_position(robot: Controller, now: int, x: int, y: int) -> None:
    robot.odometry.define_position(from_sign_magnitude(x), from_sign_magnitude(y))


def _define_heading(robot: Controller, now: int, heading: int, turret: int) -> None:
    robot.odometry.define_heading(from_sign_magnitude(heading))


def _zero(robot: Controller, now: int) -> None:
    if robot.settings.zeroing == 'reset':
        robot.odometry.zero()


def _watchdog(robot: Controller, now: int, seconds: int) -> None:
    robot.watch(seconds)


def _sonar(robot: Controller, now: int, rate: int, filled: bytes) -> None:
    order = filled.partition(bytes((NO_SENSOR,)))[0]
    if any(sensor >= SONARS for sensor in order):
        raise ValueError('there is no such sensor')
    robot.ring.configure(rate, order, now)


def _wait_for_stop(
    robot: Controller, now: int, right: int, left: int, turret: int, timeout: int
) -> None:
    chosen = [axis for axis, flag in ((robot.right, right), (robot.left, left)) if flag]
    if timeout and any(axis.busy for axis in chosen):
        robot.wait(tuple(chosen), timeout, now)


def _nothing(robot: Controller, now: int, *words: int) -> None:
    pass


def _get_sonar(robot: Controller, now: int) -> bytes:
    return bytes(robot.ring.readings) + _time(robot, now)


def _get_configuration(robot: Controller, now: int) -> bytes:
    return _words(*robot.odometry.reported(), 0)


def _get_velocities(robot: Controller, now: int) -> bytes:
    return _words(*robot.speeds(), 0)


def _get_accelerations(robot: Controller, now: int) -> bytes:
    """Return the slopes as ``ac`` takes them, since the layout is not known; a choice."""
    axes = robot.right, robot.left
    return _words(*(round(axis.acceleration / TENTH_INCH) for axis in axes), 0)


def _get_bumper(robot: Controller, now: int) -> bytes:
    return robot.bumper().to_bytes(3, 'little') + _time(robot, now)


def _time(robot: Controller, now: int) -> bytes:
    return struct.pack('<I', robot.clock(now))


def _words(*numbers: int) -> bytes:
    return struct.pack(f'<{len(numbers)}H', *map(to_sign_magnitude, numbers))


def _length(word: int) -> float:
    """Return a signed word of 0.1 inch (a second) in m (a second)."""
    return from_sign_magnitude(word) * TENTH_INCH


_EMPTY = struct.Struct('')
_THREE_WORDS = struct.Struct('<3H')
_TWO_WORDS = struct.Struct('<2H')

_DEEDS: Mapping[int, tuple[struct.Struct, Deed]] = {
    Op.ACCELERATIONS: (_THREE_WORDS, _accelerations),
    Op.SPEEDS: (_THREE_WORDS, _speeds),
    Op.RELATIVE_MOVE: (_THREE_WORDS, _relative_move),
    Op.VELOCITIES: (_THREE_WORDS, _velocities),
    Op.GET_STATE: (_EMPTY, _nothing),
    Op.STOP: (_EMPTY, _stop),
    Op.LIMP: (_EMPTY, _limp),
    Op.DEFINE_POSITION: (_TWO_WORDS, _define_position),
    Op.ZERO: (_EMPTY, _zero),
    Op.SONAR: (struct.Struct('<B16s'), _sonar),
    Op.WATCHDOG: (struct.Struct('<B'), _watchdog),
    Op.GET_SONAR: (_EMPTY, _get_sonar),
    Op.GET_CONFIGURATION: (_EMPTY, _get_configuration),
    Op.GET_VELOCITIES: (_EMPTY, _get_velocities),
    Op.GET_ACCELERATIONS: (_EMPTY, _get_accelerations),
    Op.GET_BUMPER: (_EMPTY, _get_bumper),
    Op.DEFINE_HEADING: (_TWO_WORDS, _define_heading),
    Op.WAIT_FOR_STOP: (struct.Struct('<4B'), _wait_for_stop),
    Op.SERIAL: (struct.Struct('<BH'), _nothing),
    Op.MIXED_MOTION: (struct.Struct('<6H'), _mixed_motion),
}
