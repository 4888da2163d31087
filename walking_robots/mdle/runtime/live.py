"""Values that are read in every tick, and pure functions of them."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

__all__ = [
    'Live',
    'Reader',
    'Reading',
    'Values',
    'channels_of',
    'is_stateful',
    'live',
    'mapped',
    'now_of',
]

Values = Mapping[str, Any]
Reader = Callable[[Values, int], Any]


class Live(NamedTuple):
    """A value that may change from tick to tick.

    read: gives it from the channels and the program's clock, ns; channels: those it reads, each
    with the policy for the case that it is stale ('' for the channel's own); stateful: it must
    be read in every tick, because it remembers.
    """

    read: Reader
    channels: frozenset[tuple[str, str]] = frozenset()
    stateful: bool = False


Reading = Any
"""A Live, or the value itself."""


def live(reading: Reading) -> Live:
    """Give a Live of whatever it is."""
    return reading if isinstance(reading, Live) else Live(lambda y, now: reading)


def now_of(reading: Reading, y: Values, now: int) -> Any:
    """Give the value in this tick."""
    return reading.read(y, now) if isinstance(reading, Live) else reading


def channels_of(*readings: Reading) -> frozenset[tuple[str, str]]:
    """Give the channels that any of them reads."""
    return frozenset().union(*(r.channels for r in readings if isinstance(r, Live)))


def is_stateful(*readings: Reading) -> bool:
    """Tell whether any of them remembers."""
    return any(r.stateful for r in readings if isinstance(r, Live))


def mapped(function: Callable[..., Any], *readings: Reading) -> Reading:
    """Apply a pure function now where all is known, else in every tick."""
    if not any(isinstance(reading, Live) for reading in readings):
        return function(*readings)
    channels, stateful = channels_of(*readings), is_stateful(*readings)
    if len(readings) == 1:
        read = readings[0].read
        return Live(lambda y, now: function(read(y, now)), channels, stateful)
    if len(readings) == 2:
        first, second = readings
        if not isinstance(second, Live):
            left = first.read
            return Live(lambda y, now: function(left(y, now), second), channels, stateful)
        if not isinstance(first, Live):
            right = second.read
            return Live(lambda y, now: function(first, right(y, now)), channels, stateful)
    readers = [live(reading).read for reading in readings]
    return Live(lambda y, now: function(*[read(y, now) for read in readers]), channels, stateful)
