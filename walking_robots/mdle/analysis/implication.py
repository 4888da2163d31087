"""Whether one condition is true whenever another is (mdle.md §7, W603).

Conditions are taken apart into comparisons of something with constants, joined by ``and`` and
``or``; all else is a thing of its own, of which nothing is known but that it equals itself.
"""

import math
from collections.abc import Hashable, Mapping
from itertools import count
from typing import NamedTuple

from walking_robots.mdle.analysis.ranges import inside, key_of, value_of
from walking_robots.mdle.analysis.scopes import Scope, number, remembered
from walking_robots.mdle.knowledge.names import spelled
from walking_robots.mdle.language.ast import Binary, Expression, Filter, Interrupt, Truth, Unary

__all__ = ['Clauses', 'clauses_of', 'implies']

MOST_CLAUSES = 32
_UNIQUE = count()


class Span(NamedTuple):
    """A range of numbers whose ends may be left out."""

    low: float = -math.inf
    high: float = math.inf
    low_open: bool = False
    high_open: bool = False

    def within(self, other: 'Span') -> bool:
        """Tell whether all of it is in another."""
        above = self.low > other.low or (
            self.low == other.low and (self.low_open or not other.low_open)
        )
        below = self.high < other.high or (
            self.high == other.high and (self.high_open or not other.high_open)
        )
        return above and below

    def meet(self, other: 'Span') -> 'Span':
        """Give what is in both."""
        low, low_open = max((self.low, self.low_open), (other.low, other.low_open))
        high, high_closed = min((self.high, not self.high_open), (other.high, not other.high_open))
        return Span(low, high, low_open, not high_closed)


YES, NO = Span(1.0, 1.0), Span(0.0, 0.0)
Clause = Mapping[Hashable, Span]
Clauses = list[Clause]
"""Alternatives; of each, all must hold."""

_SPANS = {
    '<': lambda c: [Span(high=c, high_open=True)],
    '<=': lambda c: [Span(high=c)],
    '>': lambda c: [Span(low=c, low_open=True)],
    '>=': lambda c: [Span(low=c)],
    '==': lambda c: [Span(c, c)],
    '!=': lambda c: [Span(high=c, high_open=True), Span(low=c, low_open=True)],
}
_OPPOSITE = {'<': '>=', '<=': '>', '>': '<=', '>=': '<', '==': '!=', '!=': '=='}
_MIRRORED = {'<': '>', '<=': '>=', '>': '<', '>=': '<=', '==': '==', '!=': '!='}


def implies(inner: Clauses, outer: Clauses) -> bool:
    """Tell whether the outer condition certainly holds whenever the inner one does."""
    return bool(inner) and all(
        any(
            all(key in one and one[key].within(span) for key, span in other.items())
            for other in outer
        )
        for one in inner
    )


def clauses_of(condition: Expression, scope: Scope, given: bool, holds: bool = True) -> Clauses:
    """Give a condition as alternatives.

    given: whether it is what implies (then filters may be passed over, as a filtered condition
    is true only where the condition is) or what is implied; holds: False for its opposite.
    """
    if isinstance(condition, Truth):
        return [{}] if condition.value == holds else []
    if isinstance(condition, Unary) and condition.operator == 'not':
        return clauses_of(condition.operand, scope, given, not holds)
    if isinstance(condition, Binary) and condition.operator in ('and', 'or'):
        left = clauses_of(condition.left, scope, given, holds)
        right = clauses_of(condition.right, scope, given, holds)
        both = (condition.operator == 'and') == holds
        return _both(left, right) if both else _limited(left + right)
    if isinstance(condition, Binary) and condition.operator in _SPANS:
        return _compared(condition, scope, holds)
    parts = spelled(condition)
    called = scope.names.find(*parts) if parts and parts[0] not in scope.variables else None
    if called and isinstance(called.element, Interrupt) and not scope.too_deep:
        within = inside(called, condition, scope)
        filters = [item for item in called.element.filters if item.kind != 'stale']
        trusting = any(item.policy == 'true' for item in called.element.filters)
        key = _key_of_interrupt(called.element, within, filters)
        inner = called.element.condition
        plain = all(item.kind in ('hold', 'edge') for item in filters) and not trusting
        if (not filters and plain) or (given and holds and plain):
            raw = remembered(
                within,
                called.element,
                lambda: clauses_of(inner, within, given, holds),
                *('clauses', given, holds, scope.frame),
            )
            return _both(raw, [{key: YES}]) if filters else raw
        return [{key: YES if holds else NO}]
    key = key_of(condition, scope) or ('?', next(_UNIQUE))
    return [{key: YES if holds else NO}]


def _key_of_interrupt(interrupt: Interrupt, scope: Scope, filters: list[Filter]) -> Hashable:
    """Give a key of a filtered interrupt; ``debounce`` depends on when it began to look."""
    keys = [bound.key for bound in scope.variables.values()]
    if None in keys or any(item.kind == 'debounce' for item in filters):
        return ('?', next(_UNIQUE))
    return ('filtered', id(interrupt), *keys)


def _compared(condition: Binary, scope: Scope, holds: bool) -> Clauses:
    symbol, left, right = condition.operator, condition.left, condition.right
    limit = number(value_of(right, scope))
    if not limit.known:
        symbol, left, right = _MIRRORED[symbol], right, left
        limit = number(value_of(right, scope))
    if not holds:
        symbol = _OPPOSITE[symbol]
    key = key_of(left, scope)
    if key is None or not limit.known:
        whole = key_of(condition, scope) or ('?', next(_UNIQUE))
        return [{whole: YES if holds else NO}]
    return [{key: span} for span in _SPANS[symbol](limit.low)]


def _both(left: Clauses, right: Clauses) -> Clauses:
    if len(left) * len(right) > MOST_CLAUSES:
        return [{('?', next(_UNIQUE)): YES}]
    joined: Clauses = []
    for one in left:
        for other in right:
            clause = dict(one)
            for key, span in other.items():
                clause[key] = clause[key].meet(span) if key in clause else span
            joined.append(clause)
    return joined


def _limited(clauses: Clauses) -> Clauses:
    return clauses if len(clauses) <= MOST_CLAUSES else [{('?', next(_UNIQUE)): YES}]
