"""Values that an operator gives to a program while it runs."""

import math
from collections.abc import Mapping
from typing import Any

from walking_robots.mdle.language.ast import Expression, Name, Number, Text, Truth, Unary
from walking_robots.mdle.language.diagnostics import ProgramError
from walking_robots.mdle.language.parser import parse_fragment
from walking_robots.mdle.language.quantities import UNITS
from walking_robots.mdle.language.types import BOOL, CHOICES, NUM, STR, Type, quantity
from walking_robots.mdle.program_store import SHOWN, parse_arguments

Scalar = float | bool | str
KINDS = {bool: 'bool', str: 'str', float: 'quantity', int: 'quantity'}


def board_value(
    name: str, text: str, board: Mapping[str, Any], types: Mapping[str, Type | None]
) -> Scalar:
    """Read what is to be ``bb.name``: one value, of the kind and the unit that it has there.

    ``types``: those that the program gives to names of its blackboard, as far as they are known.
    Raises ValueError for anything else.
    """
    if not _is_name(name):
        raise ValueError('this is no name; give that of a value of the blackboard, without bb.')
    written = parse_arguments({name: text})[name]
    value, given = _value_of(written, text)
    wanted = types.get(name)
    if wanted is not None:
        fits = _fits(value, given, wanted)
    elif name in board:
        # Of a value that is there without a type only its kind is known.
        wanted = Type('other', name=_called(board[name]))
        fits = KINDS.get(type(board[name])) == given.kind
    else:
        fits = True
    if not fits:
        raise ValueError(f'bb.{name} is a {wanted}, and this is a {given}')
    return value


def _fits(value: Scalar, given: Type, wanted: Type) -> bool:
    """Return whether a value is of a type: 0 is of every unit, a word may be one of a few."""
    if given == NUM and value == 0.0:
        return wanted.kind == NUM.kind
    if given == STR and wanted.kind == 'other':
        return value in CHOICES.get(wanted.name, (value,))
    return wanted == given


def _is_name(text: str) -> bool:
    try:
        found = parse_fragment('expression', text)
    except ProgramError:
        return False
    return isinstance(found, Name) and found.name == text


def _value_of(written: Expression, text: str) -> tuple[Scalar, Type]:
    negative = isinstance(written, Unary) and written.operator == '-'
    inner = written.operand if isinstance(written, Unary) and negative else written
    if isinstance(inner, Number) and math.isfinite(inner.si):
        given = quantity(UNITS[inner.unit].dimension) if inner.unit else NUM
        return (-inner.si if negative else inner.si), given
    if isinstance(inner, Truth) and not negative:
        return inner.value, BOOL
    if isinstance(inner, Text) and not negative:
        return inner.value, STR
    raise ValueError(f'\'{text[:SHOWN]}\' is not one value such as 0.5 m, true or "left"')


def _called(value: Any) -> str:
    """Return a word for what a value is."""
    if isinstance(value, bool):
        return 'bool'
    if isinstance(value, str):
        return 'str'
    return 'number' if isinstance(value, (int, float)) else 'value of several parts'
