"""What an expression does with its values: numbers, symbols, truths and substances."""

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from walking_robots.ars_magna.names import normal_name
from walking_robots.ars_magna.quantities import finite, shown
from walking_robots.ars_magna.sensing.attributes import Substance, is_same

ARITHMETIC: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_ORDER: Mapping[type[ast.cmpop], Callable[[float, float], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


class UnfitError(TypeError):
    """Say which values do not go together."""


def compares(op: ast.cmpop) -> bool:
    """Return whether an operator is one that expressions may hold."""
    return isinstance(op, ast.Eq | ast.NotEq) or type(op) in _ORDER


def comparison_of(op: ast.cmpop) -> Callable[[Any, Any], bool]:
    """Return what compares two values."""
    if isinstance(op, ast.Eq):
        return _is_same
    if isinstance(op, ast.NotEq):
        return lambda left, right: not _is_same(left, right)
    order = _ORDER[type(op)]
    return lambda left, right: order(number(left), number(right))


def _is_same(left: Any, right: Any) -> bool:
    """Return whether values are equal; a substance equals the name of its type, and its parameter.

    An attribute that is missing equals nothing.
    """
    if isinstance(right, Substance):
        left, right = right, left
    if isinstance(left, Substance) and not isinstance(right, Substance):
        left = left.type if isinstance(right, str) else left.parameter
    return left is not None and is_same(left, right)


def constant(value: object) -> bool | float | str:
    """Return a constant as it is held: truths, finite numbers, and texts as symbols."""
    if isinstance(value, bool):
        return value
    if isinstance(value, str):
        return normal_name(value)
    if not isinstance(value, int | float):
        raise ValueError('may hold only numbers, symbols in quotes, true and false')
    if not abs(value) < 1.0e300:
        raise ValueError('must hold finite numbers')
    return float(value)


def number(value: Any) -> float:
    """Return a number, or refuse what is none: a symbol times a number could fill the memory."""
    if isinstance(value, Substance):
        return value.parameter
    found = finite(value)
    if found is None:
        wrong = 'an attribute that is missing' if value is None else shown(value)
        raise UnfitError(f'{wrong} is not a number')
    return found
