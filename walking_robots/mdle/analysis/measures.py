"""The measures of a program (mdle.md §4.15)."""

import math
from collections.abc import Hashable, Iterator

from walking_robots.mdle.analysis.nodes import Node
from walking_robots.mdle.analysis.report import Bound, Measures
from walking_robots.mdle.language.ast import Atom, Encapsulation, Guard, Run

__all__ = ['description_length', 'measure']


def measure(root: Node, bound: Bound) -> Measures:
    """Measure what an element runs; each element counts once for size and alphabet."""
    length, unbounded = _length(root, {})
    nodes = list(_nodes(root))
    laws, conditions, letters = set[Hashable](), set[Hashable](), set[Hashable]()
    for node in nodes:
        watches = frozenset(watch.guard.condition for watch in node.watches)
        conditions |= watches
        if node.kind in ('atom', 'external'):
            law = node.source.control if isinstance(node.source, Atom) else node.source.name
            laws.add(law)
            letters.add((law, watches))
    return Measures(
        length,
        unbounded,
        sum(map(_size, nodes)),
        _depth(root, {}),
        len(letters),
        len(laws),
        len(conditions),
        description_length(length, len(letters)),
        bound.time,
        bound.path,
    )


def description_length(length: int, symbols: int) -> float:
    """Give the bits that say a word of ``length`` letters of an alphabet of ``symbols``."""
    bits = math.log2(symbols) if symbols > 1 else 0.0
    # Unfolded words may be longer than a float can say.
    return length * bits if length < 1 << 1000 else math.inf


def _nodes(root: Node) -> Iterator[Node]:
    """Give every element that is run, each once, however often and with whatever values."""
    waiting, seen = [root], set[object]()
    while waiting:
        node = waiting.pop()
        key = id(node) if node.source is None else id(node.source)
        if key in seen:
            continue
        seen.add(key)
        yield node
        waiting += node.steps()


def _size(node: Node) -> int:
    """Give the nodes that an element is in the intermediate form, without what is in it."""
    own = int(node.kind not in ('run', 'unknown') or node.source is None)
    if isinstance(node.source, Run):
        own = int(not node.source.call) + int(node.source.scale is not None)
    handlers = node.source.handlers if isinstance(node.source, Encapsulation) else ()
    guards: list[Guard] = [watch.guard for watch in node.watches]
    return own + len(guards) + len(handlers)


def _length(node: Node, known: dict[int, tuple[int, bool]]) -> tuple[int, bool]:
    """Give the atoms of the unfolded word, a loop without end once, and whether there is one."""
    if id(node) in known:
        return known[id(node)]
    if node.kind in ('atom', 'external'):
        return 1, False
    parts = [_length(child, known) for child in node.children]
    lengths = [length for length, _ in parts]
    unbounded = any(endless for _, endless in parts)
    total = max(lengths, default=0) if node.kind == 'choice' else sum(lengths)
    if node.loop and node.loop.kind == 'count':
        total *= node.loop.count
    elif node.loop:
        unbounded = True
    known[id(node)] = total, unbounded
    return known[id(node)]


def _depth(node: Node, known: dict[int, int]) -> int:
    """Give the levels of elements; a step that only calls one is no level of its own."""
    if id(node) not in known:
        plain = isinstance(node.source, Run) and node.source.call is not None
        known[id(node)] = int(not plain) + max(
            (_depth(child, known) for child in node.children), default=0
        )
    return known[id(node)]
