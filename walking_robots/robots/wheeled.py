"""The data that describe a robot on wheels; the numbers live in one module a robot. All SI."""

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class SonarModel:
    """A ring of ultrasonic sensors at equal angles, number 0 ahead, counter-clockwise.

    ``near`` and ``far`` bound a reading; readings at ``unit`` steps; ``period`` lies
    between two firings, in the given ``order``; ``radius`` and ``height`` place the ring,
    ``field_of_view`` is the full width of a beam.
    """

    count: int
    near: float
    far: float
    unit: float
    period: float
    order: tuple[int, ...]
    radius: float
    height: float
    field_of_view: float

    def bearing(self, number: int) -> float:
        """Return the direction of a sensor, rad, counter-clockwise from ahead."""
        return 2.0 * math.pi * number / self.count


@dataclass(frozen=True)
class BumperModel:
    """Switches round the body: bit i of the word stands for ``bearings[i]``, rad."""

    bearings: tuple[float, ...]
    sector: float

    @property
    def mask(self) -> int:
        """Return the bits of the word that stand for a switch."""
        return (1 << len(self.bearings)) - 1


@dataclass(frozen=True)
class BatteryModel:
    """Voltages, V: of a full and an empty battery, and the ranges of both converters."""

    full: float
    empty: float
    cpu_range: float
    motor_range: float


@dataclass(frozen=True)
class WheeledModel:
    """A round robot on two driven wheels; lengths m, speeds m/s and rad/s."""

    name: str
    title: str
    radius: float
    height: float
    mass: float
    wheel_separation: float
    wheel_radius: float
    wheel_width: float
    top_speed: float
    top_acceleration: float
    default_speed: float
    default_turn: float
    default_acceleration: float
    sonar: SonarModel
    bumper: BumperModel
    battery: BatteryModel
