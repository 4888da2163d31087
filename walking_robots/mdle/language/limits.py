"""How large a program may be: texts come from anywhere, and reading one has to stay cheap."""

from collections.abc import Iterator
from dataclasses import fields

from walking_robots.mdle.language import expressions, program
from walking_robots.mdle.language.diagnostics import Diagnostic
from walking_robots.mdle.language.expressions import NOWHERE, Expression, Place
from walking_robots.mdle.language.program import Program

__all__ = [
    'LARGEST_SOURCE',
    'MOST_DEPTH',
    'MOST_NODES',
    'MOST_REPETITIONS',
    'MOST_TOKENS',
    'excess',
    'walk',
]

LARGEST_SOURCE = 1_000_000
"""Characters of a source text."""

MOST_TOKENS = 100_000
"""Words, signs and comments of a source text."""

MOST_NODES = 100_000
"""Parts of a program, expressions included."""

MOST_DEPTH = 64
"""Levels of nesting: every part that holds another counts, and so does every open bracket."""

MOST_REPETITIONS = 1_000_000
"""Of ``times``, ``loop`` and ``retry``."""

_OWN = {
    kind
    for module in (expressions, program)
    for kind in vars(module).values()
    if isinstance(kind, type) and hasattr(kind, '__dataclass_fields__')
}
_LEAVES = {'str', 'int', 'float', 'bool', 'Place'}
_PARTS = {
    kind: tuple(
        item.name
        for item in fields(kind)
        if item.name not in ('place', 'source', 'comments') and item.type not in _LEAVES
    )
    for kind in _OWN
}


def excess(whole: Program | Expression, most: int = MOST_NODES) -> Diagnostic | None:
    """Tell where something is larger than ``most`` parts or too deep, None where it is not.

    Works without recursion: this is what makes recursion safe for everyone else.
    """
    for count, (depth, part) in enumerate(walk(whole), 1):
        if depth > MOST_DEPTH:
            return Diagnostic(
                getattr(part, 'place', NOWHERE),
                'E101',
                f'this nests deeper than {MOST_DEPTH} levels',
                hint='name a part of it and use the name',
            )
        if count > most:
            return Diagnostic(
                getattr(part, 'place', Place(1, 1)),
                'E101',
                f'this has more than {most} parts',
                hint='split it into files and import them',
            )
    return None


def walk(root: object) -> Iterator[tuple[int, object]]:
    """Give every part with its depth, in the order written."""
    waiting: list[tuple[int, object]] = [(0, root)]
    parts = _PARTS
    while waiting:
        depth, part = waiting.pop()
        if type(part) is tuple:
            waiting.extend((depth, item) for item in reversed(part))
            continue
        names = parts.get(type(part))
        if names is None:
            continue
        yield depth, part
        for name in reversed(names):
            value = getattr(part, name)
            if value is not None and value != ():
                waiting.append((depth + 1, value))
