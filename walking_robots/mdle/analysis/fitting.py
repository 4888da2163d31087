"""Whether an expression fits where a type is wanted, and what is written in it."""

from collections.abc import Callable, Sequence

from walking_robots.mdle.knowledge.functions import ArgumentError
from walking_robots.mdle.language.ast import Expression, Number, Unary
from walking_robots.mdle.language.quantities import ANGLE, RATE, SPEED, Dimension
from walking_robots.mdle.language.types import NUM, Type, type_named

__all__ = ['VECTORS', 'applied', 'constant_value', 'fits', 'is_free', 'unit_mismatch', 'whole']

VECTORS: dict[str, tuple[Dimension, ...]] = {
    'wheels2': (SPEED, SPEED),
    'body2': (SPEED, RATE),
    'body3': (SPEED, SPEED, RATE),
    'none': (),
}
"""Units of the control spaces that every robot understands alike (mdle.md §4.4)."""


def constant_value(expression: Expression) -> float | None:
    """Give the number that is written, None where something else is."""
    if isinstance(expression, Unary) and expression.operator == '-':
        inner = constant_value(expression.operand)
        return None if inner is None else -inner
    if isinstance(expression, Number) and not expression.unit and abs(expression.value) < 1e9:
        return expression.value
    return None


def whole(expression: Expression) -> int | None:
    """Give the whole number that is written, None where something else is."""
    value = constant_value(expression)
    return int(value) if value is not None and value == int(value) else None


def is_free(expression: Expression) -> bool:
    """Tell whether a literal is of any unit: 0 and inf, with or without a sign."""
    while isinstance(expression, Unary) and expression.operator == '-':
        expression = expression.operand
    if not isinstance(expression, Number) or expression.unit:
        return False
    return expression.value in (0.0, float('inf'))


def fits(expression: Expression, given: Type | None, wanted: Type | None) -> bool:
    """Tell whether an expression can stand where a type is wanted."""
    if given is None or wanted is None or given == wanted:
        return True
    if wanted.kind == 'quantity':
        return given.kind == 'quantity' and is_free(expression)
    if wanted.kind == 'point':
        return given.kind == 'pose'
    # The values of types of the user's own are words.
    return {given.kind, wanted.kind} == {'str', 'other'}


def unit_mismatch(given: Type, wanted: Type, expression: Expression) -> tuple[str, str]:
    """Give text and remedy for a quantity of the wrong unit."""
    text = f'cannot use {given} where {wanted} is required'
    if given == NUM and isinstance(expression, Number):
        unit = 'deg or rad' if wanted.dimension == ANGLE else str(wanted)
        return text, f'write the unit behind the number: {expression.value:g} {unit}'
    if wanted == NUM:
        return text, f'divide by a unit, as in 2 {given} / 1 {given}'
    return text, f'write a value in {wanted}'


def applied(
    typed: Callable[[Sequence[Type]], Type], types: list[Type], free: Sequence[bool]
) -> Type:
    """Type a function; literals that are of any unit take the one that is wanted of them.

    Raises ArgumentError where nothing fits.
    """
    types, open_ = list(types), {index for index, is_open in enumerate(free) if is_open}
    while True:
        try:
            return typed(types)
        except ArgumentError as error:
            if not open_ or error.index < 0:
                raise
            if error.index in open_:
                types[error.index] = type_named(error.wanted)
                open_.discard(error.index)
            else:
                for index in open_:
                    types[index] = types[error.index]
                open_.clear()
