"""Controls of atoms: open-loop segments, vectors of expressions, laws (mdle.md §4.6.5, §4.10)."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

from walking_robots.mdle.execution.faults import RunError
from walking_robots.mdle.execution.frame import Surroundings
from walking_robots.mdle.execution.live import Live, Reading, Values
from walking_robots.mdle.execution.reading import bind, bind_all, bind_parameters
from walking_robots.mdle.knowledge.elements import PythonLaw
from walking_robots.mdle.language.ast import Call, Control, Expression, Segments
from walking_robots.mdle.robot import SpaceSpec

__all__ = ['Player', 'Stretch', 'law_of', 'player_of', 'ticks_of']

Law = Callable[[Values, int], tuple[float, ...]]

LEAST = 1e-6
"""Share of a tick below which none is driven (mdle.md §4.6.5)."""


class Stretch(NamedTuple):
    """A segment as it is driven: the control, and for how long, s."""

    control: Law
    duration: float


class Player:
    """Drives segments one after the other, each to its exact length.

    Full ticks first, then one tick of a control that is shortened to what remains: so the
    integral of the control does not depend on the period (mdle.md §4.6.5).
    """

    __slots__ = ('_begun', '_index', '_period', '_shorten', '_stretches', 'share')

    def __init__(self, stretches: tuple[Stretch, ...], period: float, shorten: bool) -> None:
        """Take the segments, and the period of the ticks, s."""
        self._stretches = stretches
        self._period = period
        self._shorten = shorten
        self._index = 0
        self._begun = -1
        self.share = 1.0

    def over(self, now: int) -> bool:
        """Go to the segment of this instant, ns; tells whether there is none left."""
        if self._begun < 0:
            self._begun = now
        while self._index < len(self._stretches):
            left = self._stretches[self._index].duration - (now - self._begun) * 1e-9
            share = left / self._period
            if share >= LEAST:
                self.share = min(share, 1.0) if self._shorten else 1.0
                return False
            self._index += 1
            self._begun = now
        return True

    def control(self, y: Values, now: int) -> tuple[float, ...]:
        """Give the control of this tick, already shortened."""
        vector = self._stretches[self._index].control(y, now)
        share = self.share
        return vector if share == 1.0 else tuple(share * u for u in vector)


def ticks_of(duration: float, period: float) -> int:
    """Give how many ticks a segment takes, both in s: the last one may be shortened."""
    return max(math.ceil(duration / period - LEAST), 0)


def player_of(control: Segments, around: Surroundings, now: int, y: Values) -> Player:
    """Make the player of an open-loop control; durations are fixed here.

    Raises RunError where a duration is not positive and finite.
    """
    settings = around.core.settings
    stretches = []
    for segment in control.segments:
        duration = float(around.value(segment.duration)) * around.beta
        if not (duration >= 0.0 and math.isfinite(duration)):
            raise RunError(
                'E406', f'a segment of {duration:g} s', segment.duration.place, around.path
            )
        readings = bind_all(segment.vector, around.scope(now, y, around.beta))
        stretches.append(Stretch(_vector(readings), duration))
    return Player(tuple(stretches), settings.tick_period, settings.last_tick_rule)


def _vector(readings: tuple[Reading, ...]) -> Law:
    """Give a law from bound expressions, one a channel."""
    if not any(isinstance(reading, Live) for reading in readings):
        fixed = tuple(readings)
        return lambda y, now: fixed
    readers: tuple[Callable[[Values, int], Any], ...] = tuple(
        reading.read if isinstance(reading, Live) else _fixed(reading) for reading in readings
    )
    return lambda y, now: tuple([read(y, now) for read in readers])


def _fixed(value: Any) -> Callable[[Values, int], Any]:
    return lambda y, now: value


def law_of(
    control: Control, around: Surroundings, now: int, y: Values, space: SpaceSpec
) -> tuple[Law, frozenset[str]]:
    """Give the law of a control that is no list of segments, and the channels it reads."""
    scope = around.scope(now, y, around.beta)
    if isinstance(control, tuple):
        readings = bind_all(control, scope)
        return _vector(readings), _read_by(*readings)
    assert not isinstance(control, Segments)
    found = around.names.called(control.call)
    if found and isinstance(found.element, PythonLaw):
        return _python_law(found.element, control.call, around, now, y)
    reading = bind(control.call, scope)
    if not isinstance(reading, Live):
        vector = tuple(reading)
        return lambda y, now: vector, frozenset()
    return reading.read, _read_by(reading)


def _read_by(*readings: Reading) -> frozenset[str]:
    return frozenset(
        name for reading in readings if isinstance(reading, Live) for name, _ in reading.channels
    )


def _python_law(
    law: PythonLaw, call: Expression, around: Surroundings, now: int, y: Values
) -> tuple[Law, frozenset[str]]:
    arguments = call.arguments if isinstance(call, Call) else ()
    found = around.names.called(call)
    assert found
    scope = around.scope(now, y, around.beta)
    given = bind_parameters(law.parameters, arguments, scope, found.names)
    function, rate = law.function, 1e-9 / around.beta if around.beta else 0.0
    channels = law.reads | _read_by(*given.values())
    if any(isinstance(value, Live) for value in given.values()):

        def live(y: Values, tick: int) -> tuple[float, ...]:
            values = {
                name: value.read(y, tick) if isinstance(value, Live) else value
                for name, value in given.items()
            }
            return function((tick - now) * rate, y, **values)

        return live, channels
    return lambda y, tick: function((tick - now) * rate, y, **given), channels
