"""Put the comments of a program back to where they belong when it is laid out afresh."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from walking_robots.mdle.language.ast import NOWHERE, Comment, Place
from walking_robots.mdle.language.parser import START, placed

INDENTATION = '  '

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|#[^\r\n]*|[.@]\s*\w+|\w+|[^\s\ufeff]')


class OutputLine(NamedTuple):
    """A line to be written, and where what it says stood; a ``closing`` one ends a block."""

    depth: int
    text: str
    place: Place = NOWHERE
    closing: bool = False


class SourceLayout:
    """Where a source text had the things that leave no trace in a program."""

    def __init__(self, source: str, comments: Iterable[Comment]) -> None:
        """Read the source; where nothing is to be put back, everything stays unknown."""
        self._comments = sorted(comment.place for comment in comments)
        tokens = [
            (place, token)
            for place, token in placed(_TOKEN, source if self._comments else '')
            if token[0] not in '"#'
        ]
        self.start = tokens[0][0] if tokens else START
        self._irreversible = [place for place, token in tokens if token == 'irreversible']
        self._opens = [place for place, token in tokens if token == '{']
        self._closes: dict[Place, Place] = {}
        inside: list[Place] = []
        for place, token in tokens:
            if token == '{':
                inside.append(place)
            elif token == '}' and inside:
                self._closes[inside.pop()] = place

    def comment_within(self, start: Place, end: Place) -> bool:
        """Return whether a comment stands between two places."""
        return bisect_left(self._comments, start) < bisect_left(self._comments, end)

    def block_behind(self, place: Place) -> tuple[Place, Place]:
        """Return the braces of the first block that opens behind a place."""
        return self._braces(bisect_right(self._opens, place))

    def block_of(self, first: Place) -> tuple[Place, Place]:
        """Return the braces of the block in which something is the first."""
        return self._braces(bisect_right(self._opens, first) - 1)

    def irreversible_behind(self, place: Place) -> Place:
        """Return the place of the first ``irreversible`` behind a place."""
        index = bisect_right(self._irreversible, place)
        return self._irreversible[index] if index < len(self._irreversible) else NOWHERE

    def _braces(self, index: int) -> tuple[Place, Place]:
        if not 0 <= index < len(self._opens):
            return NOWHERE, NOWHERE
        return self._opens[index], self._closes[self._opens[index]]


def with_comments(lines: Sequence[OutputLine], comments: Iterable[Comment]) -> str:
    """Join the lines to a text.

    A comment on a line of its own goes before the item that it stood before, any other one
    behind the item that it stood behind; of several behind one item all but the last go before.
    """
    anchors = sorted((line.place, i) for i, line in enumerate(lines) if line.place != NOWHERE)
    places = [place for place, _ in anchors]
    before: dict[int, list[str]] = {}
    behind: dict[int, list[str]] = {}
    for comment in sorted(comments, key=lambda comment: comment.place):
        index = bisect_left(places, comment.place)
        if not comment.alone and index > 0:
            behind.setdefault(anchors[index - 1][1], []).append(comment.text)
        else:
            at = anchors[index][1] if index < len(anchors) else len(lines)
            before.setdefault(at, []).append(comment.text)
    written: list[str] = []
    for i, line in enumerate(lines):
        trailing = behind.get(i, [])
        inner = INDENTATION * (line.depth + line.closing)
        written += [f'{inner}{text}' for text in before.get(i, ())]
        indent = INDENTATION * line.depth
        written += [f'{indent}{text}' for text in trailing[:-1]]
        last = f'  {trailing[-1]}' if trailing else ''
        written.append(f'{indent}{line.text}{last}' if line.text else '')
    written += before.get(len(lines), ())
    return '\n'.join(written) + '\n'
