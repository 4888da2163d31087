"""Cut a text into words and signs (mdle.md §4.3, the last lines)."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from lark import Token

from walking_robots.mdle.language.ast import Comment, Place
from walking_robots.mdle.language.limits import MOST_DEPTH, MOST_TOKENS
from walking_robots.mdle.language.quantities import UNITS

BROKEN = 'BROKEN'
"""Type of a character that is no part of the language."""

UNENDED = 'UNENDED'
"""Type of a string without its second quotation mark."""

TOO_DEEP = 'TOO_DEEP'
"""Type of the bracket that opens one level too many; nothing follows it."""

TOO_MANY = 'TOO_MANY'
"""Type of the token that is one too many; nothing follows it."""

TOO_LONG = 'TOO_LONG'
"""Type of the only token of a text that is too long to be read."""

START = Place(1, 1)
"""Where a text begins."""

FILTERS = frozenset(['hold', 'debounce', 'edge', 'latch', 'stale'])
"""Words that are keywords where a filter begins and nowhere else: ``hold`` is an atom, too."""

_UNIT = '|'.join(re.escape(unit) for unit in sorted(UNITS, key=len, reverse=True))
_NUMBER = r'[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?'
_PATTERN = re.compile(
    rf"""
    (?P<blank>[ \t\r\ufeff]+)
    |(?P<line>\n)
    |(?P<NAME>[A-Za-z_][A-Za-z0-9_]*)
    |(?P<QTY>{_NUMBER}[ \t]*(?:{_UNIT})(?![A-Za-z0-9_]))
    |(?P<NUM>{_NUMBER})
    |(?P<COMPARE><=|>=|==|!=|<|>)
    |(?P<sign>=>|->|\.\.|[][(){{}};:,.@=+\-*/^])
    |(?P<STRING>"(?:[^"\\\n]|\\.)*")
    |(?P<comment>\#[^\r\n]*)
    |(?P<UNENDED>"[^\n]*)
    |(?P<BROKEN>.)
    """,
    re.VERBOSE,
)


class Words(NamedTuple):
    """A text in pieces; the comments stand apart."""

    tokens: list[Token]
    comments: tuple[Comment, ...]


def place_of(token: Token) -> Place:
    """Give the place of the first character of a token."""
    return Place(token.line or 0, token.column or 0)


def cut(
    source: str, types: Mapping[str, str], start: Place = START, filters: bool = False
) -> Words:
    """Cut a text, the first character of which stands at ``start`` of its file.

    types: from keywords and signs to the grammar's names of them; filters: the text is what
    stands behind ``with``. What is wrong becomes a token
    of a type that no grammar knows, so that whoever parses stumbles over it in its order.
    """
    tokens: list[Token] = []
    comments: list[Comment] = []
    line, origin = start.line, 1 - start.column
    fresh, depth, reserved = True, 0, True
    # Brackets that are open around the filters, and whether a filter can begin here.
    around, filters_here = (0 if filters else -1), filters
    for match in _PATTERN.finditer(source):
        kind = match.lastgroup or ''
        if kind == 'blank':
            continue
        at = match.start()
        if kind == 'line':
            line, origin, fresh = line + 1, at + 1, True
            continue
        text = match.group()
        column = at - origin + 1
        if len(tokens) + len(comments) >= MOST_TOKENS:
            tokens.append(Token(TOO_MANY, text, at, line, column))
            break
        if kind == 'comment':
            comments.append(Comment(text.rstrip(), fresh, Place(line, column)))
            continue
        fresh = False
        if kind == 'NAME':
            # A keyword names a part like any other word behind a point or an at sign.
            if reserved and (filters_here or text not in FILTERS):
                kind = types.get(text, 'NAME')
            reserved = True
            filters_here = kind == 'WITH'
            around = depth if filters_here else around
        elif kind == 'sign':
            kind = types[text]
            reserved = text not in ('.', '@')
            filters_here = text == ',' and depth == around
            around = -1 if text == ';' else around
            if text in '([{':
                depth += 1
                kind = kind if depth <= MOST_DEPTH else TOO_DEEP
            elif text in ')]}':
                depth -= 1
        else:
            reserved, filters_here = True, False
        tokens.append(Token(kind, text, at, line, column))
        if kind == TOO_DEEP:
            break
    return Words(tokens, tuple(comments))
