"""Make the parts of expressions from their tokens; called by the parser, rule by rule."""

import math
import re
from typing import Any

from lark import Token

from walking_robots.mdle.language.ast import (
    Argument,
    Binary,
    Call,
    Expression,
    Index,
    Member,
    Name,
    Number,
    Partner,
    Place,
    Slice,
    Text,
    Truth,
    Unary,
    Vector,
)
from walking_robots.mdle.language.diagnostics import Diagnostic
from walking_robots.mdle.language.limits import MOST_REPETITIONS
from walking_robots.mdle.language.tokens import place_of

Children = list[Any]

_QUANTITY = re.compile(r'([0-9.]+(?:[eE][+-]?[0-9]+)?)[ \t]*(.+)', re.DOTALL)
_ESCAPES = {'n': '\n', 't': '\t', 'r': '\r', '"': '"', '\\': '\\'}
_ESCAPE = re.compile(r'\\(?:u([0-9A-Fa-f]{4})|(.))')


class Misuse(Exception):  # noqa: N818 - it is turned into a ProgramError where the file is known.
    """Words that the grammar allows and the language does not."""

    def __init__(self, place: Place, text: str, hint: str = '') -> None:
        """Keep what there is to say."""
        super().__init__(text)
        self.diagnostic = Diagnostic(place, 'E101', text, hint=hint)


def text_of(token: Token) -> str:
    """Give what a string says, escapes resolved."""

    def resolve(match: re.Match[str]) -> str:
        code, letter = match.groups()
        if code:
            return chr(int(code, 16))
        if letter not in _ESCAPES:
            raise Misuse(
                place_of(token),
                f"a string cannot hold '\\{letter}'",
                'write \\\\ for a backslash, \\" for a quotation mark, \\n for a new line',
            )
        return _ESCAPES[letter]

    inner = token.value[1:-1]
    return _ESCAPE.sub(resolve, inner) if '\\' in inner else inner


def count_of(token: Token) -> int:
    """Give the whole number of ``times``, ``loop`` and ``retry``."""
    value = float(token)
    if not (1 <= value <= MOST_REPETITIONS and value == int(value)):
        raise Misuse(
            place_of(token),
            f"'{token[:20]}' is no count",
            f'write a whole number from 1 to {MOST_REPETITIONS}',
        )
    return int(value)


def _finite(token: Token, digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        text = f"'{token[:20]}' is too large a number"
        raise Misuse(place_of(token), text, "write 'inf' for no limit")
    return value


class Values:
    """Expressions; a child stands where it stands in the rule of its name in grammar.lark."""

    def number(self, children: Children) -> Expression:
        """Take a bare number."""
        token = children[0]
        return Number(_finite(token, token), '', place=place_of(token))

    def quantity(self, children: Children) -> Expression:
        """Take a number with its unit."""
        token = children[0]
        digits, unit = _QUANTITY.fullmatch(token).groups()  # type: ignore[union-attr]
        return Number(_finite(token, digits), unit, place=place_of(token))

    def infinity(self, children: Children) -> Expression:
        """Take ``inf``."""
        return Number(math.inf, '', place=place_of(children[0]))

    def text(self, children: Children) -> Expression:
        """Take a string."""
        return Text(text_of(children[0]), place=place_of(children[0]))

    def truth(self, children: Children) -> Expression:
        """Take ``true`` or ``false``."""
        return Truth(children[0] == 'true', place=place_of(children[0]))

    def parenthesis(self, children: Children) -> Expression:
        """Take what stands in parentheses; they leave no trace."""
        inner: Expression = children[1]
        return inner

    def unary(self, children: Children) -> Expression:
        """Take a sign or a negation."""
        token, operand = children
        return Unary(token.value, operand, place=place_of(token))

    def binary(self, children: Children) -> Expression:
        """Take two operands; the place is that of the left one."""
        left, token, right = children
        return Binary(token.value, left, right, place=left.place)

    def name(self, children: Children) -> Expression:
        """Take a name."""
        return Name(children[0].value, place=place_of(children[0]))

    def member(self, children: Children) -> Expression:
        """Take a name behind a point."""
        return Member(children[0], children[2].value, place=children[0].place)

    def partner(self, children: Children) -> Expression:
        """Take a name behind an at sign."""
        return Partner(children[0], children[2].value, place=children[0].place)

    def index(self, children: Children) -> Expression:
        """Take one index."""
        return Index(children[0], children[2], place=children[0].place)

    def slice(self, children: Children) -> Expression:
        """Take a range of indices."""
        return Slice(children[0], children[2], children[4], place=children[0].place)

    def call(self, children: Children) -> Expression:
        """Take a call; every second child of the rest is a comma."""
        return Call(children[0], tuple(children[2:-1:2]), place=children[0].place)

    def plain_argument(self, children: Children) -> Argument:
        """Take an argument by position."""
        return Argument(children[0], '', place=children[0].place)

    def named_argument(self, children: Children) -> Argument:
        """Take an argument by name."""
        return Argument(children[2], children[0].value, place=place_of(children[0]))

    def vector(self, children: Children) -> Vector:
        """Take the entries of a vector."""
        return tuple(children[1:-1:2])
