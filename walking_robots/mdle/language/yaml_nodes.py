"""Read YAML into nodes that keep every scalar as written, and where it stands.

The values that YAML itself would make are of no use here: it takes the key ``on`` for a truth
value. Anchors are allowed, so the size is counted with every alias written out.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import yaml

from walking_robots.mdle.language.ast import Place
from walking_robots.mdle.language.diagnostics import ProgramError, program_error
from walking_robots.mdle.language.limits import LARGEST_SOURCE, MOST_DEPTH, MOST_TOKENS

_DEEPEST = 2 * MOST_DEPTH + 16
"""Levels of YAML: every level of steps is a list in a mapping."""

_Loader: type[Any] = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)


@dataclass(slots=True)
class YamlNode:
    """A value: a text, a list, or a mapping, the items of which are keys and values in turn.

    place: of its first character, behind a quotation mark; size: with all that it holds.
    """

    place: Place
    kind: Literal['text', 'list', 'mapping']
    text: str = ''
    items: list['YamlNode'] = field(default_factory=list)
    height: int = 0
    size: int = 1

    def pairs(self) -> Iterator[tuple['YamlNode', 'YamlNode']]:
        """Return keys and values in the order written; a key can stand there twice."""
        return zip(self.items[::2], self.items[1::2], strict=True)


def read_nodes(source: str) -> YamlNode:
    """Read one document.

    Raises ProgramError (E101) at what is no YAML, or larger or deeper than allowed.
    """
    if len(source) > LARGEST_SOURCE:
        text = f'the program has more than {LARGEST_SOURCE} characters'
        raise program_error(Place(1, 1), text)
    try:
        return _build(source)
    except yaml.reader.ReaderError as error:
        line = source.count('\n', 0, error.position) + 1
        text = 'YAML does not allow a character of this line'
        raise program_error(Place(line, 1), text) from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = ' '.join((error.problem or 'wrong syntax').split())[:120]
        raise program_error(_place(mark), f'this is no valid YAML: {problem}') from None


def _place(mark: Any) -> Place:
    return Place(mark.line + 1, mark.column + 1) if mark else Place(1, 1)


def _build(source: str) -> YamlNode:
    """Follow the events of the parser with a stack of the collections that are open."""
    document = YamlNode(Place(1, 1), 'list')
    is_open: list[tuple[YamlNode, str | None]] = [(document, None)]
    anchors: dict[str | None, YamlNode] = {}
    for event in yaml.parse(source, Loader=_Loader):
        place = _place(event.start_mark)
        tag = getattr(event, 'tag', None)
        if tag is not None:
            text = f"'{tag[:40]}' is a tag"
            raise program_error(place, text, 'write the value without it')
        if isinstance(event, yaml.CollectionStartEvent):
            mapping = isinstance(event, yaml.MappingStartEvent)
            node = YamlNode(place, 'mapping' if mapping else 'list', height=1)
            is_open.append((node, event.anchor))
        elif isinstance(event, yaml.AliasEvent):
            if event.anchor not in anchors:
                raise program_error(place, f"nothing before this is marked '&{event.anchor}'")
            _add(is_open, anchors[event.anchor], place)
        elif isinstance(event, yaml.ScalarEvent):
            place = Place(place.line, place.column + (event.style in ('"', "'")))
            anchors[event.anchor] = node = YamlNode(place, 'text', event.value)
            _add(is_open, node, place)
        elif isinstance(event, yaml.CollectionEndEvent):
            # Marked only now, so that nothing can hold itself.
            node, anchor = is_open.pop()
            anchors[anchor] = node
            _add(is_open, node, node.place)
        elif isinstance(event, yaml.DocumentStartEvent) and document.items:
            raise program_error(place, 'a second document begins here', 'write one program a file')
        if len(is_open) > _DEEPEST + 1:
            raise _too_deep(place)
    return document.items[0] if document.items else YamlNode(Place(1, 1), 'text')


def _too_deep(place: Place) -> ProgramError:
    text = f'this nests deeper than {_DEEPEST} levels'
    return program_error(place, text, 'make a behavior of a part of it and call that')


def _add(is_open: list[tuple[YamlNode, str | None]], node: YamlNode, place: Place) -> None:
    """Put a complete node into the collection that is open."""
    parent, _ = is_open[-1]
    if len(is_open) - 1 + node.height > _DEEPEST:
        raise _too_deep(place)
    if parent.kind == 'mapping' and len(parent.items) % 2 == 0 and node.kind != 'text':
        raise program_error(place, 'a key has to be a word')
    parent.size += node.size
    parent.height = max(parent.height, node.height + 1)
    if parent.size > MOST_TOKENS:
        text = f'the program has more than {MOST_TOKENS} values'
        raise program_error(place, text, 'split it into files and import them')
    parent.items.append(node)
