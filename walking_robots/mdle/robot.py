"""The virtual robot: all that a program knows of the robot it runs on (mdle.md §2.3).

A robot offers control spaces and observation channels. Nothing here waits, and nothing here
knows a particular robot.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Protocol

StopMode = Literal['brake', 'coast', 'hold']
LIMITS = ('limit.v', 'limit.w')
"""Channels of the greatest speed ahead, m/s, and the greatest rate of turning, rad/s."""
Value = Any
"""Of a channel: bool, float (SI), str, Pose2, point (x, y), or a tuple of floats."""


class Channel(NamedTuple):
    """One input of a control space; limits in SI, ``rate`` per second (inf: unlimited)."""

    name: str
    unit: str
    low: float
    high: float
    rate: float = float('inf')


@dataclass(frozen=True, slots=True)
class SpaceSpec:
    """A control space.

    driftless: zero input keeps the robot where it is; symmetric: every input can be negated;
    resources: what an atom on this space holds while it runs, empty for computing atoms.
    """

    name: str
    channels: tuple[Channel, ...]
    driftless: bool = True
    symmetric: bool = True
    resources: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class OutputSpec:
    """An observation channel.

    type: of the language, 'm', 'bool', 'pose' ...; low, high: range in SI; size: values in a
    list, 0 for one value; period: seconds between fresh values; latency: age of a value at worst
    when it arrives, s; stale: age from which it must not be trusted, s; safety: such a channel
    faults when it is stale, unless the guard says otherwise; directions: of the values of a
    list, rad.
    """

    type: str
    low: float = float('-inf')
    high: float = float('inf')
    size: int = 0
    period: float = 0.05
    latency: float = 0.05
    stale: float = 0.5
    safety: bool = True
    directions: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class RobotSpec:
    """All that the checker knows of a robot.

    braking: deceleration, m/s^2; stop_time: within which it rests, s; sway: speed, m/s, of one
    that rests by stepping on the spot; front_guard, rear_guard:
    contact channels by direction; real: whether something can be run into (a simulation for
    figures is not). ``outputs`` also get the limits of ``body2``, which every run knows; a robot
    that cannot turn has no ``limit.w``.
    """

    name: str
    spaces: Mapping[str, SpaceSpec]
    outputs: Mapping[str, OutputSpec]
    braking: float = 0.5
    front_guard: str = 'bumper.front'
    rear_guard: str = 'bumper.rear'
    contact: str = 'bumper.any'
    separation: float = 0.0
    real: bool = True
    stop_time: float = 0.0
    sway: float = 0.0

    def __post_init__(self) -> None:
        """Offer the limits of ``body2`` as channels."""
        channels = self.spaces['body2'].channels if 'body2' in self.spaces else ()
        limits = {
            name: OutputSpec(channel.unit, low=channel.high, high=channel.high)
            for name, channel in zip(LIMITS, channels, strict=False)
            if channel.high
        }
        object.__setattr__(self, 'outputs', {**self.outputs, **limits})

    def limits(self) -> dict[str, float]:
        """Return the values of the channels ``limit.v`` and ``limit.w``."""
        return {name: self.outputs[name].high for name in LIMITS if name in self.outputs}


@dataclass(frozen=True, slots=True)
class Observation:
    """A snapshot of all channels, each with the instant it was measured, ns.

    values: by dotted path, 'bumper.any', 'pose'; a partner's as '@alpha.pose'. It is never
    changed after it was given.
    """

    values: Mapping[str, Value]
    stamps: Mapping[str, int]


class VirtualRobot(Protocol):
    """A robot as the executor drives it; one caller, one thread, except ``stop``."""

    @property
    def spec(self) -> RobotSpec:
        """What this robot offers; never changes."""

    def read(self, now: int) -> Observation:
        """Return what is known at ``now`` (ns of the program's clock); never waits."""

    def apply(self, space: str, control: tuple[float, ...], valid_for: float) -> None:
        """Take a control, to be held ``valid_for`` s at most; then the robot stops itself."""

    def stop(self, mode: StopMode = 'brake') -> None:
        """Stop; may be called again, and from any thread."""

    def stopped(self) -> bool:
        """Return whether the robot rests, by measurement."""
