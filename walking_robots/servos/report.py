"""How far the driver of a bus is, and what it knows of its servos."""

import math
from dataclasses import dataclass
from enum import Enum


class BusPhase(Enum):
    """How far the driver is, in words for the diagnostics."""

    CLOSED = 'port closed'
    CHECKING = 'looks at the servos'
    HOLDING = 'holds its posture'
    MOVING = 'follows commands'
    HALTED = 'halted'
    ENDED = 'ended'


@dataclass(frozen=True)
class ServoReading:
    """What a servo reported last; angles in rad, load as a share of the stall torque, V, °C.

    missed: requests in a row that it did not answer; lags: it does not follow its goal.
    """

    joint: str
    servo: int
    position: float = math.nan
    velocity: float = math.nan
    load: float = math.nan
    voltage: float = math.nan
    temperature: float = math.nan
    errors: tuple[str, ...] = ()
    missed: int = 0
    lags: bool = False


@dataclass(frozen=True)
class BusReport:
    """What the driver knows; ``count`` grows with every look at the servos.

    trouble: what is wrong, empty while all is well; latency: s from the last command to its
    packet on the bus.
    """

    phase: BusPhase = BusPhase.CLOSED
    count: int = 0
    servos: tuple[ServoReading, ...] = ()
    trouble: str = ''
    latency: float = math.nan

    @property
    def complete(self) -> bool:
        """Return whether every servo has told its position."""
        return bool(self.servos) and not any(math.isnan(one.position) for one in self.servos)
