"""Arithmetic of intervals, for what the value of an expression can be.

An interval holds both its ends. A truth value is an interval too: [0, 0] is false, [1, 1] true,
[0, 1] unknown. A list is one interval, which holds each of its values.
"""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from walking_robots.geometry.se2 import wrap

__all__ = [
    'ANYTHING',
    'EITHER',
    'FALSE',
    'FUNCTION_RANGES',
    'OPERATOR_RANGES',
    'TRUE',
    'Interval',
    'hull',
    'negated',
    'point',
    'product',
]


class Interval(NamedTuple):
    """All numbers from ``low`` to ``high``."""

    low: float
    high: float

    @property
    def known(self) -> bool:
        """Tell whether it is one number."""
        return self.low == self.high

    @property
    def largest(self) -> float:
        """The greatest magnitude in it."""
        return max(abs(self.low), abs(self.high))


Ranges = Sequence[Interval]

ANYTHING = Interval(-math.inf, math.inf)
FALSE, TRUE, EITHER = Interval(0.0, 0.0), Interval(1.0, 1.0), Interval(0.0, 1.0)
UP = Interval(0.0, math.inf)
TURN = Interval(-math.pi, math.pi)
UNIT = Interval(-1.0, 1.0)


def point(value: float) -> Interval:
    """Give the interval of one number; of NaN, which is nothing, that of all."""
    return Interval(value, value) if value == value else ANYTHING


def hull(*parts: Interval) -> Interval:
    """Give the smallest interval around intervals."""
    return Interval(min(p.low for p in parts), max(p.high for p in parts))


def _around(values: Sequence[float]) -> Interval:
    """Give the interval of some numbers; one that is undefined makes it unknown."""
    if any(value != value for value in values):
        return ANYTHING
    return Interval(min(values), max(values))


def _sum(a: Interval, b: Interval) -> Interval:
    low, high = a.low + b.low, a.high + b.high
    return Interval(low if low == low else -math.inf, high if high == high else math.inf)


def negated(a: Interval) -> Interval:
    """Give -a."""
    return Interval(-a.high, -a.low)


def product(a: Interval, b: Interval) -> Interval:
    """Give a * b; zero times infinity is zero, as an end of an interval is never reached."""
    return _around([x * y if x and y else 0.0 for x in a for y in b])


def _quotient(a: Interval, b: Interval) -> Interval:
    if b == FALSE and (a.low > 0.0 or a.high < 0.0):
        # Whatever the sign of the zero, as the executor divides.
        return point(math.copysign(math.inf, a.low))
    if b.low <= 0.0 <= b.high:
        return ANYTHING
    return product(a, Interval(1.0 / b.high, 1.0 / b.low)) if not b.known else _scaled(a, b.low)


def _scaled(a: Interval, divisor: float) -> Interval:
    # As the executor divides, so that equal numbers stay equal.
    return _around([a.low / divisor, a.high / divisor])


def _truth(yes: bool, no: bool) -> Interval:
    return TRUE if yes else FALSE if no else EITHER


def _less(a: Interval, b: Interval) -> Interval:
    return _truth(a.high < b.low, a.low >= b.high)


def _not_above(a: Interval, b: Interval) -> Interval:
    return _truth(a.high <= b.low, a.low > b.high)


def _equal(a: Interval, b: Interval) -> Interval:
    return _truth(a.known and a == b, a.high < b.low or b.high < a.low)


def _different(a: Interval, b: Interval) -> Interval:
    same = _equal(a, b)
    return Interval(1.0 - same.high, 1.0 - same.low)


OPERATOR_RANGES: dict[str, Callable[[Interval, Interval], Interval]] = {
    '+': _sum,
    '-': lambda a, b: _sum(a, negated(b)),
    '*': product,
    '/': _quotient,
    '<': _less,
    '<=': _not_above,
    '>': lambda a, b: _less(b, a),
    '>=': lambda a, b: _not_above(b, a),
    '==': _equal,
    '!=': _different,
    'and': lambda a, b: Interval(min(a.low, b.low), min(a.high, b.high)),
    'or': lambda a, b: Interval(max(a.low, b.low), max(a.high, b.high)),
}


def _magnitude(a: Interval) -> Interval:
    if a.low <= 0.0 <= a.high:
        return Interval(0.0, a.largest)
    return Interval(*sorted((abs(a.low), abs(a.high))))


def _least(ranges: Ranges) -> Interval:
    return Interval(min(r.low for r in ranges), min(r.high for r in ranges))


def _most(ranges: Ranges) -> Interval:
    return Interval(max(r.low for r in ranges), max(r.high for r in ranges))


def _rising(function: Callable[[float], float]) -> Callable[[Ranges], Interval]:
    """Give the range of a function that never falls."""
    return lambda ranges: Interval(function(ranges[0].low), function(ranges[0].high))


def _at_points(
    function: Callable[..., float], otherwise: Interval
) -> Callable[[Ranges], Interval]:
    """Give the range of a function whose value is taken only where its arguments are known."""

    def ranged(ranges: Ranges) -> Interval:
        if all(r.known and math.isfinite(r.low) for r in ranges):
            return point(function(*[r.low for r in ranges]))
        return otherwise

    return ranged


def _hypotenuse(ranges: Ranges) -> Interval:
    a, b = (_magnitude(r) for r in ranges)
    return Interval(math.hypot(a.low, b.low), math.hypot(a.high, b.high))


def _wrapped(ranges: Ranges) -> Interval:
    if ranges[0].known and math.isfinite(ranges[0].low):
        return point(wrap(ranges[0].low))
    inside = -math.pi < ranges[0].low and ranges[0].high <= math.pi
    return ranges[0] if inside else TURN


FUNCTION_RANGES: dict[str, Callable[[Ranges], Interval]] = {
    'abs': lambda ranges: _magnitude(ranges[0]),
    'min': _least,
    'max': _most,
    'sat': _rising(lambda x: min(1.0, max(-1.0, x))),
    'sign': _rising(lambda x: math.copysign(1.0, x) if x else 0.0),
    'sqrt': _rising(lambda x: math.sqrt(max(0.0, x))),
    'hypot': _hypotenuse,
    'sin': _at_points(math.sin, UNIT),
    'cos': _at_points(math.cos, UNIT),
    'tan': _at_points(math.tan, ANYTHING),
    'atan2': _at_points(math.atan2, TURN),
    'wrap': _wrapped,
    'dist': lambda ranges: UP,
    'bearing': lambda ranges: TURN,
    'deviation': lambda ranges: UP,
    'sector': lambda ranges: ranges[0],
}
"""Ranges of the functions of expressions by those of their arguments; of others nothing is known.

An argument that is not a quantity counts as anything.
"""
