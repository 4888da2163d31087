"""What values expressions can have, by the ranges of the robot's channels (mdle.md §7)."""

from collections.abc import Sequence
from math import inf
from typing import Any

from walking_robots.mdle.analysis.inlining import AtEntry, Filtered, Scope
from walking_robots.mdle.analysis.intervals import (
    ANYTHING,
    EITHER,
    FALSE,
    FUNCTION_RANGES,
    OPERATOR_RANGES,
    TRUE,
    ValueInterval,
    negated,
    point,
    product,
)
from walking_robots.mdle.analysis.references import arguments_of, channel_read
from walking_robots.mdle.knowledge.elements import PythonLaw
from walking_robots.mdle.knowledge.functions import FASTEST_TURN
from walking_robots.mdle.language import ast
from walking_robots.mdle.robot import RobotSpec

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
            try:
                return FUNCTION_RANGES[name](values)
            except (IndexError, ValueError, OverflowError):
                # Arguments that the types already forbid.
                return None
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
            return ValueInterval(0.0, inf)
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
