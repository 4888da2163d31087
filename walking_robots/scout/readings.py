"""What a Scout says of itself, in SI (scout_protocol.md §4, §5)."""

import math
from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from walking_robots.geometry.differential_drive import Wheels, body_twist
from walking_robots.geometry.se2 import Pose2, Twist2
from walking_robots.robots.super_scout import TENTH_INCH
from walking_robots.scout.protocol import State
from walking_robots.scout.settings import DriverSettings

NO_ECHO = 255
_LEFT_MOVES, _RIGHT_MOVES, _PLUGGED, _CHARGING, _STOPPED = 1, 2, 16, 32, 64


class BatteryLevel(Enum):
    """The three levels in the status byte (§4.7)."""

    LOW = 0
    MEDIUM = 1
    HIGH = 2
    UNKNOWN = 3


class Bumper(NamedTuple):
    """Switches, after mask and polarity, in the order of their bearings; the word as it came."""

    switches: tuple[bool, ...]
    raw: int
    pressed: bool


class Readings(NamedTuple):
    """One state of the robot.

    clock: s since the controller was switched on; pose: where the controller thinks it is, not
    scaled; wheels: speeds at the rim, m/s; ranges: m from the ring, by REP-117, NaN for a sensor
    that is not fired; voltages: V, NaN when unknown.
    """

    clock: float
    pose: Pose2
    wheels: Wheels
    twist: Twist2
    ranges: tuple[float, ...]
    bumper: Bumper
    status: int
    moving: bool
    level: BatteryLevel
    plugged: bool
    charging: bool
    emergency_stop: bool
    cpu_voltage: float
    motor_voltage: float


def read(state: State, settings: DriverSettings) -> Readings:
    """Return a state packet in SI."""
    unit = TENTH_INCH * settings.odometry_scale
    right, left = state.right * unit, state.left * unit
    side = -1.0 if settings.mirror_odometry else 1.0
    wheels = Wheels(right, left) if settings.swap_wheels else Wheels(left, right)
    known = settings.status_bits == 'scout'
    bits = state.status if known else 0
    moving = bool(bits & (_LEFT_MOVES | _RIGHT_MOVES)) or wheels != Wheels(0.0, 0.0)
    return Readings(
        clock=state.clock * 1e-3,
        pose=Pose2(
            state.x * TENTH_INCH,
            side * state.y * TENTH_INCH,
            side * math.radians(0.1 * (state.heading % 3600)),
        ),
        wheels=wheels,
        twist=body_twist(wheels, settings.wheel_separation),
        ranges=sonar_ranges(state.sonar, settings),
        bumper=_bumper(state.bumper, settings),
        status=state.status,
        moving=moving,
        level=BatteryLevel(bits >> 2 & 3) if known else BatteryLevel.UNKNOWN,
        plugged=bool(bits & _PLUGGED),
        charging=bool(bits & _CHARGING),
        emergency_stop=bool(bits & _STOPPED),
        cpu_voltage=voltage(state.cpu, settings.cpu_voltage_range),
        motor_voltage=voltage(state.motor, settings.motor_voltage_range),
    )


def sonar_ranges(raw: Sequence[int], settings: DriverSettings) -> tuple[float, ...]:
    """Return distances, m: +inf without echo, -inf when too near, NaN for a sensor not fired."""
    fired = set(settings.sonar_order)
    return tuple(
        _range(value, settings) if sensor in fired else math.nan
        for sensor, value in enumerate(raw)
    )


def _range(value: int, settings: DriverSettings) -> float:
    distance = value * settings.model.sonar.unit
    if value == NO_ECHO or distance > settings.sonar_far:
        return math.inf
    return distance if distance >= settings.sonar_near else -math.inf


def _bumper(raw: int, settings: DriverSettings) -> Bumper:
    word = (~raw if settings.bumper_invert else raw) & settings.bumper_mask
    switches = tuple(bool(word >> bit & 1) for bit in range(len(settings.bumper_bearings)))
    return Bumper(switches, raw, word != 0)


def voltage(raw: int, full_range: float) -> float:
    """Return the volts of a raw voltage, NaN where the robot does not fill it in (§4.8)."""
    if raw in (0, 255):
        return math.nan
    return (2.0 + 3.0 * raw / 255.0) * full_range / 5.0
