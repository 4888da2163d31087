"""Whether one condition is true whenever another is (mdle.md §7, W603).

Conditions are taken apart at ``and``, ``or`` and ``not`` down to comparisons of something with
a constant. Anything else implies only what is equal to it.
"""

from math import inf
from typing import Any, NamedTuple

from walking_robots.mdle.analysis.inlining import UNKNOWN, Filtered
from walking_robots.mdle.analysis.values import as_number, value_of
from walking_robots.mdle.language.ast import Binary, Name, Truth, Unary, walk
from walking_robots.mdle.language.limits import excess
from walking_robots.mdle.robot import RobotSpec

LARGEST = 200
"""Parts of a condition that is still taken apart."""

_OPPOSITE = {'<': '>=', '<=': '>', '>': '<=', '>=': '<', '==': '!=', '!=': '=='}
_MIRRORED = {'<': '>', '<=': '>=', '>': '<', '>=': '<=', '==': '==', '!=': '!='}
_DUAL = {'and': 'or', 'or': 'and'}


class Within(NamedTuple):
    """Something that is from ``low`` to ``high``, each with -1 for just below it, 1 for above."""

    measured: Any
    low: tuple[float, int]
    high: tuple[float, int]


def implies(inner: Any, outer: Any) -> bool:
    """Return whether the outer condition certainly holds whenever the inner one does.

    Both are made by `normal`.
    """
    match inner, outer:
        case Within(), Within():
            inside = inner.low >= outer.low and inner.high <= outer.high
            return inside and bool(inner.measured == outer.measured)
        case _, Truth(value):
            return value
        case Binary('or', left, right), _:
            return implies(left, outer) and implies(right, outer)
        case _, Binary('and', left, right):
            return implies(inner, left) and implies(inner, right)
        case Binary('and', left, right), _ if implies(left, outer) or implies(right, outer):
            return True
        case _, Binary('or', left, right):
            return implies(inner, left) or implies(inner, right)
    return False


def normal(condition: Any, robot: RobotSpec | None, frame: int = 0) -> Any:
    """Return a condition as comparisons joined by ``and`` and ``or``.

    frame: keeps ``t`` and ``y0`` of elements apart.
    """
    if excess(condition, LARGEST):
        return Truth(False)
    return _normal(condition, robot, frame, True)


def _normal(condition: Any, robot: RobotSpec | None, frame: int, holds: bool) -> Any:
    match condition:
        case Truth(value):
            return Truth(value == holds)
        case Unary('not', operand):
            return _normal(operand, robot, frame, not holds)
        case Binary('and' | 'or' as symbol, left, right):
            parts = (_normal(part, robot, frame, holds) for part in (left, right))
            return Binary(symbol if holds else _DUAL[symbol], *parts)
        case Binary(symbol, left, right) if symbol in _OPPOSITE:
            limit = as_number(value_of(right, robot))
            if not limit.known:
                symbol, left, limit = _MIRRORED[symbol], right, as_number(value_of(left, robot))
            if limit.known:
                symbol = symbol if holds else _OPPOSITE[symbol]
                return _compared(_marked(left, frame), symbol, limit.low)
    return _compared(_marked(condition, frame), '==', float(holds))


def _compared(measured: Any, symbol: str, limit: float) -> Any:
    if symbol == '!=':
        return Binary('or', *(_compared(measured, side, limit) for side in '<>'))
    low = (-inf, 0) if '<' in symbol else (limit, int(symbol == '>'))
    high = (inf, 0) if '>' in symbol else (limit, -int(symbol == '<'))
    return Within(measured, low, high)


def _marked(measured: Any, frame: int) -> Any:
    """Return what is measured so that it is equal only to what always is."""
    mark = 0
    for part in walk(measured):
        # When a filtered condition is true depends on when its element was entered.
        if part == UNKNOWN or isinstance(part, Filtered):
            return object()
        if isinstance(part, Name) and part.name in ('t', 'y0'):
            mark = frame
    return mark, measured
