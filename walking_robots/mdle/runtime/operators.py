"""Operators of expressions: arithmetic, comparison, and, or."""

import math
import operator
from collections.abc import Callable
from typing import Any

from walking_robots.mdle.runtime.faults import RunError
from walking_robots.mdle.runtime.live import (
    Live,
    Reader,
    Reading,
    Values,
    channels_of,
    is_stateful,
    mapped,
)

__all__ = ['combined']


def combined(symbol: str, left: Reading, right: Reading) -> Reading:
    """Give what an operator makes of two values."""
    if symbol in ('and', 'or'):
        return _joined(symbol, left, right)
    if symbol in ('+', '-', '*', '/'):
        return mapped(_OPERATORS[symbol], left, right)
    return _compared(symbol, left, right)


def _divided(a: float, b: float) -> float:
    # Division by zero is a value that a guard or a law must not have, not a crash.
    return a / b if b else math.nan if not a else math.copysign(math.inf, a)


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    '+': operator.add,
    '-': operator.sub,
    '*': operator.mul,
    '/': _divided,
    '<': operator.lt,
    '<=': operator.le,
    '>': operator.gt,
    '>=': operator.ge,
    '==': operator.eq,
    '!=': operator.ne,
}


def _compared(symbol: str, left: Reading, right: Reading) -> Reading:
    """Bind a comparison; a NaN on either side is an error, never silently false."""
    compare = _OPERATORS[symbol]
    if not isinstance(right, Live) and isinstance(left, Live) and isinstance(right, float):
        read = left.read
        fast = _FAST[symbol]
        if fast and right == right:
            return Live(fast(read, right), left.channels, left.stateful)

    def checked(a: Any, b: Any) -> bool:
        if a != a or b != b:
            raise RunError('E803', 'a value is not a number')
        return bool(compare(a, b))

    return mapped(checked, left, right)


def _not_a_number() -> RunError:
    return RunError('E803', 'a value is not a number')


def _below(read: Reader, limit: float) -> Reader:
    def test(y: Values, now: int) -> bool:
        value = read(y, now)
        if value < limit:
            return True
        if value >= limit:
            return False
        raise _not_a_number()

    return test


def _not_above(read: Reader, limit: float) -> Reader:
    def test(y: Values, now: int) -> bool:
        value = read(y, now)
        if value <= limit:
            return True
        if value > limit:
            return False
        raise _not_a_number()

    return test


def _above(read: Reader, limit: float) -> Reader:
    def test(y: Values, now: int) -> bool:
        value = read(y, now)
        if value > limit:
            return True
        if value <= limit:
            return False
        raise _not_a_number()

    return test


def _not_below(read: Reader, limit: float) -> Reader:
    def test(y: Values, now: int) -> bool:
        value = read(y, now)
        if value >= limit:
            return True
        if value < limit:
            return False
        raise _not_a_number()

    return test


_FAST: dict[str, Callable[[Reader, float], Reader] | None] = {
    '<': _below,
    '<=': _not_above,
    '>': _above,
    '>=': _not_below,
    '==': None,
    '!=': None,
}
"""Comparisons with a constant, which most guards are: one call less a tick."""


def _joined(symbol: str, left: Reading, right: Reading) -> Reading:
    both = symbol == 'and'
    for known, other in ((left, right), (right, left)):
        if not isinstance(known, Live):
            return other if bool(known) == both else bool(known)
    first, second = left.read, right.read
    channels, stateful = channels_of(left, right), is_stateful(left, right)
    if stateful:
        # A filter has to see every tick, so neither side is passed over.
        if both:
            return Live(lambda y, now: first(y, now) & second(y, now), channels, True)
        return Live(lambda y, now: first(y, now) | second(y, now), channels, True)
    if both:
        return Live(lambda y, now: first(y, now) and second(y, now), channels)
    return Live(lambda y, now: first(y, now) or second(y, now), channels)
