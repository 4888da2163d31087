"""Types of literals, of operations and of the functions of the language (E301-E303)."""

from collections.abc import Sequence

from walking_robots.mdle.analysis.fitting import applied, fits, is_free, unit_mismatch
from walking_robots.mdle.analysis.typist import Typist
from walking_robots.mdle.analysis.words import check_compared
from walking_robots.mdle.knowledge.functions import FUNCTIONS, ArgumentError
from walking_robots.mdle.language.ast import (
    Argument,
    Binary,
    Expression,
    Number,
    Text,
    Truth,
    Unary,
)
from walking_robots.mdle.language.types import BOOL, NUM, STR, Type, quantity, type_named

__all__ = [
    'type_of_binary',
    'type_of_function',
    'type_of_number',
    'type_of_text',
    'type_of_truth',
    'type_of_unary',
]

COMPARISONS = ('<', '<=', '>', '>=', '==', '!=')


def type_of_number(typist: Typist, expression: Number) -> Type:
    """Give the unit of a number."""
    return type_named(expression.unit) if expression.unit else NUM


def type_of_text(typist: Typist, expression: Text) -> Type:
    """Give the type of words."""
    return STR


def type_of_truth(typist: Typist, expression: Truth) -> Type:
    """Give the type of truth values."""
    return BOOL


def type_of_function(
    typist: Typist, expression: Expression, name: str, arguments: Sequence[Argument]
) -> Type | None:
    """Type a call of a function of the language."""
    function = FUNCTIONS[name]
    types = [typist.of(argument.value) for argument in arguments]
    named = next((argument for argument in arguments if argument.name), None)
    text = f"'{name}' takes {function.signature}"
    if named:
        typist.tell('E301', named.place, text, 'functions take no names of arguments')
        return None
    if any(given is None for given in types):
        return None
    known = [given for given in types if given]
    free = [is_free(argument.value) for argument in arguments]
    try:
        return applied(function.typed, known, free)
    except ArgumentError as error:
        if error.index < 0 or error.index >= len(arguments):
            typist.tell('E301', expression.place, text, f'it takes {error.wanted}')
            return None
        wrong, found = arguments[error.index].value, known[error.index]
        wanted = type_named(error.wanted)
        if found.kind == 'quantity' == wanted.kind:
            typist.tell('E303', wrong.place, *unit_mismatch(found, wanted, wrong))
        else:
            typist.tell('E302', wrong.place, f'expected {error.wanted}, found {found}', text)
        return None


def type_of_unary(typist: Typist, expression: Unary) -> Type | None:
    """Type a sign, or a negation."""
    if expression.operator == 'not':
        typist.expect(expression.operand, BOOL)
        return BOOL
    given = typist.of(expression.operand)
    if given is not None and given.kind != 'quantity':
        typist.tell('E302', expression.operand.place, f'expected a quantity, found {given}')
        return None
    return given


def type_of_binary(typist: Typist, expression: Binary) -> Type | None:
    """Type two operands and what joins them."""
    symbol = expression.operator
    if symbol in ('and', 'or'):
        typist.expect(expression.left, BOOL)
        typist.expect(expression.right, BOOL)
        return BOOL
    left, right = typist.of(expression.left), typist.of(expression.right)
    result = BOOL if symbol in COMPARISONS else None
    if left is None or right is None:
        return result
    if symbol in ('==', '!=') and left.kind != 'quantity':
        if not fits(expression.right, right, left):
            typist.tell('E302', expression.right.place, f'expected {left}, found {right}')
        check_compared(typist, expression, left, right)
        return BOOL
    for side, given in ((expression.left, left), (expression.right, right)):
        if given.kind != 'quantity':
            typist.tell('E302', side.place, f'expected a quantity, found {given}')
            return result
    if symbol in ('*', '/'):
        combine = left.dimension.times if symbol == '*' else left.dimension.over
        return quantity(combine(right.dimension))
    if is_free(expression.left):
        return result or right
    if not fits(expression.right, right, left):
        text, hint = unit_mismatch(right, left, expression.right)
        typist.tell('E303', expression.right.place, text, hint)
    return result or left
