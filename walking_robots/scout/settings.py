"""What an owner can set on the driver of a Scout, checked."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.robots.wheeled import WheeledModel

LIMITS: Mapping[str, tuple[float, float]] = {
    'rate': (1.0, 20.0),
    'reply_timeout': (0.06, 10.0),
    'probe_timeout': (0.06, 10.0),
    'reconnect_interval': (0.1, 60.0),
    'command_timeout': (0.05, 10.0),
    'watchdog': (0, 255),
    'max_linear_speed': (0.0, SUPER_SCOUT.top_speed),
    'max_angular_speed': (0.0, 10.0),
    'max_wheel_speed': (0.0, SUPER_SCOUT.top_speed),
    'linear_acceleration': (0.01, SUPER_SCOUT.top_acceleration),
    'wheel_separation': (0.1, 1.0),
    'odometry_scale': (0.5, 2.0),
    'sonar_rate': (1, 255),
    'sonar_near': (0.0, 10.0),
    'sonar_far': (0.1, 10.0),
    'bumper_mask': (0, 0xFFFFFF),
    'cpu_voltage_range': (1.0, 100.0),
    'motor_voltage_range': (1.0, 100.0),
}
"""Least and greatest value of each number that can be set."""


@dataclass(frozen=True)
class DriverSettings:
    """Settings of the driver core; SI units, sources in scout_protocol.md.

    rate: exchanges a second; reply_timeout, probe_timeout: s to wait for an answer;
    reconnect_interval: s between two attempts to open the port; command_timeout: s after which a
    velocity that is not repeated ends; watchdog: whole s after which the robot itself stops
    (§7.2), 0 never; sonar_rate: units of 4 ms between two firings; odometry_scale: true way over
    reported distance; swap_wheels: right and left come and go the other way round (§3.3);
    mirror_odometry: the controller's own pose turns the other way; bumper_invert: a switch
    reads 0 when pressed (§4.6); status_bits: how the status byte is read (§4.7).

    Raises ValueError with one sentence for a value that makes no sense.
    """

    model: WheeledModel = SUPER_SCOUT
    rate: float = 10.0
    reply_timeout: float = 0.2
    probe_timeout: float = 1.0
    reconnect_interval: float = 2.0
    command_timeout: float = 0.5
    watchdog: int = 1
    max_linear_speed: float = SUPER_SCOUT.default_speed
    max_angular_speed: float = SUPER_SCOUT.default_turn
    max_wheel_speed: float = SUPER_SCOUT.top_speed
    linear_acceleration: float = SUPER_SCOUT.default_acceleration
    wheel_separation: float = SUPER_SCOUT.wheel_separation
    odometry_scale: float = 1.0
    swap_wheels: bool = False
    mirror_odometry: bool = False
    reset_odometry_on_start: bool = False
    limp_at_end: bool = False
    sonar_rate: int = 15
    sonar_order: tuple[int, ...] = SUPER_SCOUT.sonar.order
    sonar_near: float = SUPER_SCOUT.sonar.near
    sonar_far: float = SUPER_SCOUT.sonar.far
    bumper_mask: int = SUPER_SCOUT.bumper.mask
    bumper_invert: bool = False
    bumper_bearings: tuple[float, ...] = SUPER_SCOUT.bumper.bearings
    stop_on_bumper: bool = False
    status_bits: Literal['scout', 'none'] = 'scout'
    cpu_voltage_range: float = SUPER_SCOUT.battery.cpu_range
    motor_voltage_range: float = SUPER_SCOUT.battery.motor_range

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        for name, (low, high) in LIMITS.items():
            value = getattr(self, name)
            if not (math.isfinite(value) and low <= value <= high):
                raise ValueError(f'{name} is {value!r} and must be from {low:g} to {high:g}')
        if self.reply_timeout > self.command_timeout:
            raise ValueError('reply_timeout must not be longer than the timeout of commands')
        if self.sonar_near >= self.sonar_far:
            raise ValueError('sonar_near must be less than sonar_far')
        count = self.model.sonar.count
        if len(set(self.sonar_order)) != len(self.sonar_order) or any(
            not 0 <= sensor < count for sensor in self.sonar_order
        ):
            raise ValueError(f'sonar_order must name sensors 0 to {count - 1}, each at most once')
        if len(self.bumper_bearings) > 24 or not all(map(math.isfinite, self.bumper_bearings)):
            raise ValueError('bumper_bearings must be at most 24 angles in rad')
