"""What an owner can set on the driver of a bus, checked."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from walking_robots.servos.port import REPLY_TIMEOUT

LIMITS: Mapping[str, tuple[float, float]] = {
    'rate': (5.0, 100.0),
    'command_timeout': (0.05, 10.0),
    'soft_start': (0.0, 60.0),
    'max_speed': (0.01, 50.0),
    'torque_limit': (0.05, 1.0),
    'reply_timeout': (0.002, 1.0),
    'reconnect_interval': (0.1, 60.0),
}
"""Least and greatest value of each number that can be set."""


@dataclass(frozen=True)
class BusDriverSettings:
    """Settings of the driver.

    rate: looks at the servos a second; command_timeout: s after which the posture is held;
    soft_start: s in which the first command after a rest takes effect; max_speed: rad/s of a goal;
    torque_limit: greatest torque as a share of the stall torque; relax_at_end: the servos go limp
    at the end; reply_timeout: s by which replies may be later than their bytes need;
    reconnect_interval: s between two attempts to open the port.

    Raises ValueError with one sentence for a value that makes no sense.
    """

    rate: float = 50.0
    command_timeout: float = 0.5
    soft_start: float = 3.0
    max_speed: float = 4.0
    torque_limit: float = 1.0
    relax_at_end: bool = False
    reply_timeout: float = REPLY_TIMEOUT
    reconnect_interval: float = 1.0

    def __post_init__(self) -> None:
        """Refuse what makes no sense."""
        for name, (low, high) in LIMITS.items():
            value = getattr(self, name)
            if not (math.isfinite(value) and low <= value <= high):
                raise ValueError(f'{name} is {value!r} and must be from {low:g} to {high:g}')
