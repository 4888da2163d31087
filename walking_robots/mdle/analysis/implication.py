"""Whether one condition is true whenever another is (mdle.md §7, W603).

Conditions are taken apart into comparisons of something with a constant, joined by ``and`` and
``or``. Anything else is opaque: it implies only what reads the same.
"""

from collections.abc import Hashable, Mapping
from itertools import count
from math import inf
from typing import NamedTuple

from walking_robots.mdle.analysis.values import ValueScope, callee_scope, key_of, number, value_of
from walking_robots.mdle.language.ast import Binary, Expression, Interrupt, Truth, Unary

MOST_CLAUSES = 32
_UNIQUE = count()


class OpenInterval(NamedTuple):
    """A range of numbers whose ends may be left out."""

    low: float = -inf
    high: float = inf
    low_open: bool = False
    high_open: bool = False

    def within(self, other: 'OpenInterval') -> bool:
        """Return whether all of it is in another."""
        low, high = (self.low, self.low_open), (self.high, not self.high_open)
        return low >= (other.low, other.low_open) and high <= (other.high, not other.high_open)

    def meet(self, other: 'OpenInterval') -> 'OpenInterval':
        """Return what is in both."""
        low, low_open = max((self.low, self.low_open), (other.low, other.low_open))
        high, closed = min((self.high, not self.high_open), (other.high, not other.high_open))
        return OpenInterval(low, high, low_open, not closed)


Clause = Mapping[Hashable, OpenInterval]
Clauses = list[Clause]
"""Alternatives; of each, all must hold."""

_OPPOSITE = {'<': '>=', '<=': '>', '>': '<=', '>=': '<', '==': '!=', '!=': '=='}
_MIRRORED = {'<': '>', '<=': '>=', '>': '<', '>=': '<=', '==': '==', '!=': '!='}


def implies(inner: Clauses, outer: Clauses) -> bool:
    """Return whether the outer condition certainly holds whenever the inner one does."""
    return bool(inner) and all(
        any(
            all(key in one and one[key].within(values) for key, values in other.items())
            for other in outer
        )
        for one in inner
    )


def clauses_of(condition: Expression, scope: ValueScope, holds: bool = True) -> Clauses:
    """Return a condition, or its opposite where it does not hold, as alternatives."""
    match condition:
        case Truth(value=true):
            return [{}] if true == holds else []
        case Unary(operator='not'):
            return clauses_of(condition.operand, scope, not holds)
        case Binary(operator='and' | 'or' as operator):
            left = clauses_of(condition.left, scope, holds)
            right = clauses_of(condition.right, scope, holds)
            return _both(left, right) if (operator == 'and') == holds else _limited(left + right)
        case Binary(operator=operator) if operator in _OPPOSITE:
            return _compared(condition, scope, holds)
    called = scope.called(condition)
    if called and isinstance(called.element, Interrupt) and not scope.too_deep:
        if called.element.filters:
            # When a filtered condition is true depends on when it began to look.
            return _opaque(None, holds)
        inner = callee_scope(called, condition, scope)
        return clauses_of(called.element.condition, inner, holds)
    return _opaque(key_of(condition, scope), holds)


def _opaque(key: Hashable, holds: bool) -> Clauses:
    return [{key or next(_UNIQUE): OpenInterval(float(holds), float(holds))}]


def _compared(condition: Binary, scope: ValueScope, holds: bool) -> Clauses:
    symbol, left, right = condition.operator, condition.left, condition.right
    limit = number(value_of(right, scope))
    if not limit.known:
        symbol, left, right = _MIRRORED[symbol], right, left
        limit = number(value_of(right, scope))
    symbol = symbol if holds else _OPPOSITE[symbol]
    key, at = key_of(left, scope), limit.low
    if key is None or not limit.known:
        return _opaque(key_of(condition, scope), holds)
    below, above = OpenInterval(high=at, high_open=True), OpenInterval(low=at, low_open=True)
    found = {
        '<': [below],
        '<=': [OpenInterval(high=at)],
        '>': [above],
        '>=': [OpenInterval(low=at)],
        '==': [OpenInterval(at, at)],
        '!=': [below, above],
    }
    return [{key: values} for values in found[symbol]]


def _both(left: Clauses, right: Clauses) -> Clauses:
    if len(left) * len(right) > MOST_CLAUSES:
        return _opaque(None, True)
    joined: Clauses = []
    for one in left:
        for other in right:
            clause = dict(one)
            for key, values in other.items():
                clause[key] = clause[key].meet(values) if key in clause else values
            joined.append(clause)
    return joined


def _limited(clauses: Clauses) -> Clauses:
    return clauses if len(clauses) <= MOST_CLAUSES else _opaque(None, True)
