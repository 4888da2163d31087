"""Read YAML into nodes that keep every scalar as written, and where it stands.

The values that YAML itself would make are of no use here: it takes the key ``on`` for a truth
value. Anchors are allowed, so the size is counted with every alias written out.
"""

from dataclasses import dataclass, field
from typing import Any

import yaml

from walking_robots.mdle.language.ast import Place
from walking_robots.mdle.language.limits import LARGEST_SOURCE, MOST_DEPTH, MOST_TOKENS
from walking_robots.mdle.language.values import Misuse

_DEEPEST = 2 * MOST_DEPTH + 16
"""Levels of YAML: every level of steps is a list in a mapping."""

_Loader: type[Any] = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)


@dataclass(slots=True)
class Scalar:
    """One value; the place is that of its first character, behind a quotation mark."""

    place: Place
    text: str
    height: int = 0
    size: int = 1


@dataclass(slots=True)
class Listing:
    """A list."""

    place: Place
    items: list['Node'] = field(default_factory=list)
    height: int = 1
    size: int = 1


@dataclass(slots=True)
class Mapping:
    """Keys and values in the order written; a key can stand there twice."""

    place: Place
    pairs: list[tuple[Scalar, 'Node']] = field(default_factory=list)
    key: Scalar | None = None
    height: int = 1
    size: int = 1


Node = Scalar | Listing | Mapping


def read_nodes(source: str) -> Node:
    """Read one document.

    Raises Misuse (E101) at what is no YAML, or larger or deeper than allowed.
    """
    if len(source) > LARGEST_SOURCE:
        raise _wrong(Place(1, 1), f'the program has more than {LARGEST_SOURCE} characters')
    try:
        return _build(source)
    except yaml.reader.ReaderError as error:
        line = source.count('\n', 0, error.position) + 1
        raise _wrong(Place(line, 1), 'YAML does not allow a character of this line') from None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = ' '.join((error.problem or 'wrong syntax').split())[:120]
        raise _wrong(_place(mark), f'this is no valid YAML: {problem}') from None


def _wrong(place: Place, text: str, hint: str = '') -> Misuse:
    return Misuse(place, text, hint)


def _place(mark: Any) -> Place:
    return Place(mark.line + 1, mark.column + 1) if mark else Place(1, 1)


def _build(source: str) -> Node:
    """Follow the events of the parser with a stack of the collections that are open."""
    root: Node | None = None
    is_open: list[tuple[Listing | Mapping, str | None]] = []
    anchors: dict[str, Node] = {}
    for event in yaml.parse(source, Loader=_Loader):
        place = _place(event.start_mark)
        node: Node
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in anchors:
                raise _wrong(place, f"nothing before this is marked '&{event.anchor}'")
            node = anchors[event.anchor]
        elif isinstance(event, yaml.ScalarEvent):
            _refuse_tag(event, place)
            quoted = event.style in ('"', "'")
            node = Scalar(Place(place.line, place.column + quoted), event.value)
            if event.anchor:
                anchors[event.anchor] = node
        elif isinstance(event, yaml.CollectionStartEvent):
            _refuse_tag(event, place)
            mapping = isinstance(event, yaml.MappingStartEvent)
            is_open.append((Mapping(place) if mapping else Listing(place), event.anchor))
            if len(is_open) > _DEEPEST:
                raise _too_deep(place)
            continue
        elif isinstance(event, yaml.CollectionEndEvent):
            # Marked only now, so that nothing can hold itself.
            node, anchor = is_open.pop()
            place = node.place
            if anchor:
                anchors[anchor] = node
        elif isinstance(event, yaml.DocumentStartEvent) and root is not None:
            raise _wrong(place, 'a second document begins here', 'write one program a file')
        else:
            continue
        if len(is_open) + node.height > _DEEPEST:
            raise _too_deep(place)
        if is_open:
            _add(is_open[-1][0], node, place)
        else:
            root = node
    return root or Scalar(Place(1, 1), '')


def _refuse_tag(event: Any, place: Place) -> None:
    if event.tag is not None:
        raise _wrong(place, f"'{event.tag[:40]}' is a tag", 'write the value without it')


def _too_deep(place: Place) -> Misuse:
    hint = 'make a behavior of a part of it and call that'
    return _wrong(place, f'this nests deeper than {_DEEPEST} levels', hint)


def _add(parent: Listing | Mapping, node: Node, place: Place) -> None:
    """Put a complete node into the collection that is open."""
    parent.size += node.size
    parent.height = max(parent.height, node.height + 1)
    if parent.size > MOST_TOKENS:
        hint = 'split it into files and import them'
        raise _wrong(place, f'the program has more than {MOST_TOKENS} values', hint)
    if isinstance(parent, Listing):
        parent.items.append(node)
    elif parent.key is not None:
        parent.pairs.append((parent.key, node))
        parent.key = None
    elif isinstance(node, Scalar):
        parent.key = node
    else:
        raise _wrong(place, 'a key has to be a word')
