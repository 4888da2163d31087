"""What values expressions can have, by the ranges of the robot's channels (mdle.md §7).

An interval holds both its ends. A truth value is an interval too: [0, 0] is false, [1, 1] true,
[0, 1] unknown. A list is one interval, which holds each of its values.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from walking_robots.mdle.analysis.inlining import AtEntry, Filtered, Scope
from walking_robots.mdle.analysis.references import arguments_of, channel_read
from walking_robots.mdle.knowledge.elements import PythonLaw
from walking_robots.mdle.knowledge.functions import FASTEST_TURN, FUNCTIONS
from walking_robots.mdle.language import ast
from walking_robots.mdle.robot import RobotSpec


class ValueInterval(NamedTuple):
    """All numbers from ``low`` to ``high``."""

    low: float
    high: float

    @property
    def known(self) -> bool:
        """Whether it is one number."""
        return self.low == self.high

    @property
    def largest(self) -> float:
        """The greatest magnitude in it."""
        return max(abs(self.low), abs(self.high))


Ranges = Sequence[ValueInterval]

ANYTHING = ValueInterval(-math.inf, math.inf)
FALSE, TRUE, EITHER = ValueInterval(0.0, 0.0), ValueInterval(1.0, 1.0), ValueInterval(0.0, 1.0)
UP = ValueInterval(0.0, math.inf)
TURN = ValueInterval(-math.pi, math.pi)
UNIT = ValueInterval(-1.0, 1.0)


def point(value: float) -> ValueInterval:
    """Return the interval of one number; NaN gives the interval of all numbers."""
    return ValueInterval(value, value) if value == value else ANYTHING


def hull(*parts: ValueInterval) -> ValueInterval:
    """Return the smallest interval around intervals."""
    return ValueInterval(min(p.low for p in parts), max(p.high for p in parts))


def _around(values: Sequence[float]) -> ValueInterval:
    """Return the interval of some numbers; NaN among them gives that of all numbers."""
    if any(value != value for value in values):
        return ANYTHING
    return ValueInterval(min(values), max(values))


def _sum(a: ValueInterval, b: ValueInterval) -> ValueInterval:
    low, high = a.low + b.low, a.high + b.high
    return ValueInterval(low if low == low else -math.inf, high if high == high else math.inf)


def negated(a: ValueInterval) -> ValueInterval:
    """Return -a."""
    return ValueInterval(-a.high, -a.low)


def product(a: ValueInterval, b: ValueInterval) -> ValueInterval:
    """Return a * b; zero times infinity is zero, as an infinite end is never reached."""
    return _around([x * y if x and y else 0.0 for x in a for y in b])


def _quotient(a: ValueInterval, b: ValueInterval) -> ValueInterval:
    if b == FALSE and (a.low > 0.0 or a.high < 0.0):
        # Whatever the sign of the zero, as the executor divides.
        return point(math.copysign(math.inf, a.low))
    return ANYTHING if b.low <= 0.0 <= b.high else _around([x / y for x in a for y in b])


def _truth(yes: bool, no: bool) -> ValueInterval:
    return TRUE if yes else FALSE if no else EITHER


def _less(a: ValueInterval, b: ValueInterval) -> ValueInterval:
    return _truth(a.high < b.low, a.low >= b.high)


def _not_above(a: ValueInterval, b: ValueInterval) -> ValueInterval:
    return _truth(a.high <= b.low, a.low > b.high)


def _equal(a: ValueInterval, b: ValueInterval) -> ValueInterval:
    return _truth(a.known and a == b, a.high < b.low or b.high < a.low)


def _different(a: ValueInterval, b: ValueInterval) -> ValueInterval:
    same = _equal(a, b)
    return ValueInterval(1.0 - same.high, 1.0 - same.low)


def _rising(function: Callable[[float], float]) -> Callable[[Ranges], ValueInterval]:
    """Return the range of a monotonic function."""
    return lambda ranges: ValueInterval(function(ranges[0].low), function(ranges[0].high))


OPERATOR_RANGES: dict[str, Callable[[ValueInterval, ValueInterval], ValueInterval]] = {
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
    'and': lambda a, b: ValueInterval(min(a.low, b.low), min(a.high, b.high)),
    'or': lambda a, b: ValueInterval(max(a.low, b.low), max(a.high, b.high)),
}


def _magnitude(a: ValueInterval) -> ValueInterval:
    if a.low <= 0.0 <= a.high:
        return ValueInterval(0.0, a.largest)
    return ValueInterval(*sorted((abs(a.low), abs(a.high))))


FUNCTION_RANGES: dict[str, Callable[[Ranges], ValueInterval] | ValueInterval] = {
    'abs': lambda ranges: _magnitude(ranges[0]),
    'min': lambda ranges: ValueInterval(min(r.low for r in ranges), min(r.high for r in ranges)),
    'max': lambda ranges: ValueInterval(max(r.low for r in ranges), max(r.high for r in ranges)),
    'sector': lambda ranges: ranges[0],
    **{name: _rising(FUNCTIONS[name].apply) for name in ('sat', 'sign', 'sqrt')},
    **dict.fromkeys(('dist', 'deviation', 'hypot'), UP),
    **dict.fromkeys(('atan2', 'bearing', 'wrap'), TURN),
    **dict.fromkeys(('sin', 'cos'), UNIT),
    'tan': ANYTHING,
}
"""Ranges of functions by those of their arguments; of others nothing is known.

A function with one range has it unless its arguments are known. An argument that is not a
quantity counts as anything.
"""


def _function_range(name: str, ranges: Ranges) -> ValueInterval | None:
    ranged = FUNCTION_RANGES[name]
    try:
        if not isinstance(ranged, ValueInterval):
            return ranged(ranges)
        if all(r.known and math.isfinite(r.low) for r in ranges):
            return point(FUNCTIONS[name].apply(*[r.low for r in ranges]))
        return ranged
    except (IndexError, TypeError, ValueError, OverflowError):
        # Arguments that the types already forbid.
        return None


Value = ValueInterval | str | None
"""Of a quantity, truth value or list; of a string; of anything else."""


def as_number(value: Value) -> ValueInterval:
    """Return a value as an interval; what is no number is anything."""
    return value if isinstance(value, ValueInterval) else ANYTHING


def truth(value: Value) -> ValueInterval:
    """Return a value as a truth value; what is unknown may be either."""
    return value if isinstance(value, ValueInterval) and value in (FALSE, TRUE) else EITHER


def number(expression: ast.Expression, scope: Scope) -> ValueInterval:
    """Return what a quantity can be."""
    if isinstance(expression, ast.Number):
        return point(expression.si)
    return as_number(value_of(scope.inlined(expression), scope.robot))


def value_of(expression: Any, robot: RobotSpec | None) -> Value:
    """Return what an expression can be, of which the names are replaced."""
    match expression:
        case ast.Number():
            return point(expression.si)
        case ast.Binary(symbol, left, right):
            return _binary(symbol, value_of(left, robot), value_of(right, robot))
        case ast.Member():
            return _channel(expression, robot)
        case ast.Call(ast.Name(name), arguments) if name in FUNCTION_RANGES:
            values = [as_number(value_of(argument.value, robot)) for argument in arguments]
            return _function_range(name, values)
        case ast.Unary('not', operand):
            return _opposite(truth(value_of(operand, robot)))
        case ast.Unary(_, operand):
            return negated(as_number(value_of(operand, robot)))
        case ast.Index(base) | ast.Slice(base) | AtEntry(base):
            return value_of(base, robot)
        case ast.Text(value):
            return value
        case ast.Truth(value):
            return TRUE if value else FALSE
        case Filtered():
            return _filtered(truth(value_of(expression.condition, robot)), expression.filters)
        case ast.Name('t'):
            return UP
    return None


def vector_of(
    vector: Sequence[ast.Expression] | ast.Expression, scope: Scope
) -> tuple[ValueInterval, ...] | None:
    """Return what a control can be, channel by channel; None where that is not known."""
    if isinstance(vector, Sequence):
        return tuple(number(expression, scope) for expression in vector)
    arguments, found = arguments_of(vector), scope.called(vector)
    if found is None:
        if not isinstance(vector, ast.Call) or vector.base != ast.Name('pursue'):
            return None
        speed = number(arguments[2].value, scope) if len(arguments) == 3 else ANYTHING
        turn = ValueInterval(-FASTEST_TURN, FASTEST_TURN)
        return product(speed, ValueInterval(0.0, 1.0)), turn
    inner = Scope(found.names, scope.robot, scope.bound(found, arguments), scope.frame)
    law = found.element
    if isinstance(law, ast.Law) and law.vector is not None:
        return vector_of(law.vector, inner)
    if not isinstance(law, PythonLaw):
        return None
    limits = (
        number(ast.Name(limit), inner).largest if isinstance(limit, str) else limit
        for limit in law.fastest
    )
    return tuple(ValueInterval(-limit, limit) for limit in limits) or None


def _opposite(true: ValueInterval) -> ValueInterval:
    return ValueInterval(1.0 - true.high, 1.0 - true.low)


def _filtered(true: ValueInterval, filters: Sequence[ast.Filter]) -> ValueInterval:
    """Return what the filters leave of a condition: ``hold`` waits, ``edge`` wants a change."""
    kinds = {item.kind for item in filters}
    if true == TRUE:
        return FALSE if 'edge' in kinds else EITHER if kinds & {'hold', 'debounce'} else TRUE
    return EITHER if any(item.policy == 'true' for item in filters) else true


def _channel(expression: ast.Member, robot: RobotSpec | None) -> Value:
    read = channel_read(expression, (), robot)
    if read is None or read.spec is None or read.parts or read.kind == 'partner':
        return None
    if read.spec.type == 'bool':
        return EITHER
    if read.spec.type in ('str', 'pose', 'point', 'path'):
        return None
    return ValueInterval(read.spec.low, read.spec.high)


def _binary(symbol: str, left: Value, right: Value) -> Value:
    if symbol in ('and', 'or'):
        return OPERATOR_RANGES[symbol](truth(left), truth(right))
    if symbol in ('==', '!='):
        if isinstance(left, str) and isinstance(right, str):
            return TRUE if (left == right) == (symbol == '==') else FALSE
        if not (isinstance(left, ValueInterval) and isinstance(right, ValueInterval)):
            return EITHER
    return OPERATOR_RANGES[symbol](as_number(left), as_number(right))
