"""How large a program may be: texts come from anywhere, and reading one has to stay cheap."""

from walking_robots.mdle.language.ast import Node, children
from walking_robots.mdle.language.diagnostics import Diagnostic

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


def excess(whole: Node, most: int = MOST_NODES) -> Diagnostic | None:
    """Return what is wrong where a tree has more than ``most`` nodes or is too deep, or None.

    Works without recursion: this is what makes recursion safe everywhere else.
    """
    count, depth, level = 0, 0, [whole]
    while level:
        count += len(level)
        if depth > MOST_DEPTH:
            text, hint = (
                f'this nests deeper than {MOST_DEPTH} levels',
                'name a part of it and use the name',
            )
            return Diagnostic(level[0].place, 'E101', text, hint=hint)
        if count > most:
            place = level[most - count].place
            text, hint = f'this has more than {most} parts', 'split it into files and import them'
            return Diagnostic(place, 'E101', text, hint=hint)
        level = [child for node in level for child in children(node)]
        depth += 1
    return None
