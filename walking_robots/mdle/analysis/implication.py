"""Whether one condition is true whenever another is (mdle.md §7, W603).

Conditions are taken apart into comparisons of something with a constant, joined by ``and`` and
``or``. Anything else is opaque: it implies only what is equal.
"""

from collections.abc import Mapping
from itertools import count
from math import inf
from typing import Any, NamedTuple

from walking_robots.mdle.analysis.inlining import UNKNOWN, Filtered
from walking_robots.mdle.analysis.values import as_number, value_of
from walking_robots.mdle.language.ast import Binary, Name, Truth, Unary, walk
from walking_robots.mdle.robot import RobotSpec

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


Clause = Mapping[Any, OpenInterval]
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


class ClauseBuilder(NamedTuple):
    """Takes conditions apart; ``frame`` keeps ``t`` and ``y0`` of elements apart."""

    robot: RobotSpec | None
    frame: int = 0

    def clauses(self, condition: Any, holds: bool = True) -> Clauses:
        """Return a condition, or its opposite where it does not hold, as alternatives."""
        match condition:
            case Truth(value):
                return [{}] if value == holds else []
            case Unary('not', operand):
                return self.clauses(operand, not holds)
            case Binary('and' | 'or' as operator, left, right):
                parts = self.clauses(left, holds), self.clauses(right, holds)
                found = _both(*parts) if (operator == 'and') == holds else parts[0] + parts[1]
                return found if len(found) <= MOST_CLAUSES else self._opaque(UNKNOWN)
            case Binary(operator) if operator in _OPPOSITE:
                return self._compared(condition, holds)
        return self._opaque(condition, holds)

    def _opaque(self, condition: Any, holds: bool = True) -> Clauses:
        return [{self._key(condition): OpenInterval(float(holds), float(holds))}]

    def _key(self, expression: Any) -> Any:
        """Return a key that is equal only for expressions that are always equal."""
        mark = 0
        for part in walk(expression):
            # When a filtered condition is true depends on when it began to look.
            if part == UNKNOWN or isinstance(part, Filtered):
                return next(_UNIQUE)
            if isinstance(part, Name) and part.name in ('t', 'y0'):
                mark = self.frame
        return mark, expression

    def _compared(self, condition: Binary, holds: bool) -> Clauses:
        symbol, measured, limit = condition.operator, condition.left, condition.right
        value = as_number(value_of(limit, self.robot))
        if not value.known:
            symbol, measured, limit = _MIRRORED[symbol], limit, measured
            value = as_number(value_of(limit, self.robot))
        if not value.known:
            return self._opaque(condition, holds)
        key, at = self._key(measured), value.low
        below, above = OpenInterval(high=at, high_open=True), OpenInterval(low=at, low_open=True)
        found = {
            '<': [below],
            '<=': [OpenInterval(high=at)],
            '>': [above],
            '>=': [OpenInterval(low=at)],
            '==': [OpenInterval(at, at)],
            '!=': [below, above],
        }
        return [{key: values} for values in found[symbol if holds else _OPPOSITE[symbol]]]


def _both(left: Clauses, right: Clauses) -> Clauses:
    joined: Clauses = []
    for one in left:
        for other in right:
            clause = dict(one)
            for key, values in other.items():
                clause[key] = clause[key].meet(values) if key in clause else values
            joined.append(clause)
    return joined
