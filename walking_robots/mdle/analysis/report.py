"""The result of a check: diagnostics, bounds and measures (mdle.md §4.15)."""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from walking_robots.mdle.analysis.program_node import ProgramNode
from walking_robots.mdle.language.ast import Atom, Encapsulation, Run
from walking_robots.mdle.language.diagnostics import Diagnostic

SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json'
LEVELS = {'error': 'error', 'warning': 'warning', 'information': 'note'}


def times(count: float, value: float) -> float:
    """Multiply; nothing, however often, is nothing."""
    return count * value if count and value else 0.0


class Bound(NamedTuple):
    """How long an element runs at most, s, and how far the robot drives meanwhile, m.

    Both are infinite where nothing bounds them.
    """

    time: float
    path: float

    def plus(self, *others: 'Bound') -> 'Bound':
        """Return the bound of this and of what runs after it."""
        time, path = self
        for other in others:
            time, path = time + other.time, path + other.path
        return Bound(time, path)

    def or_one_of(self, *others: 'Bound') -> 'Bound':
        """Return the bound of this or of one of others."""
        time, path = self
        for other in others:
            time, path = max(time, other.time), max(path, other.path)
        return Bound(time, path)

    def times(self, count: float) -> 'Bound':
        """Return the bound of repetitions."""
        return Bound(times(count, self.time), times(count, self.path))


NOTHING = Bound(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Measures:
    """The measures of mdle.md §4.15, of the entry.

    length: atoms of the unfolded word, an endless loop counted once; unbounded: whether there is
    such a loop; size: nodes; depth: of nesting; alphabet: distinct pairs of law and guards;
    laws, guards: distinct ones; description: length times log2 of the alphabet, bits.
    """

    length: int
    unbounded: bool
    size: int
    depth: int
    alphabet: int
    laws: int
    guards: int
    description: float
    time: float
    path: float


@dataclass(frozen=True, slots=True)
class Report:
    """What is known of a program before it runs.

    diagnostics: by place, at most 100; entry: what would run, empty where nothing can; bounds:
    of each element of the program with its defaults; tidying: that of what the entry runs at its
    end, its ``finally``, on top; measures: None without an entry.
    """

    diagnostics: tuple[Diagnostic, ...]
    entry: str = ''
    bounds: Mapping[str, Bound] = field(default_factory=dict)
    measures: Measures | None = None
    tidying: Bound = NOTHING

    @property
    def ok(self) -> bool:
        """Whether there is no error; warnings do not hinder a run."""
        return not self.errors

    @property
    def errors(self) -> list[Diagnostic]:
        """The diagnostics that forbid a run."""
        return [d for d in self.diagnostics if d.severity == 'error']

    @property
    def bound(self) -> Bound | None:
        """The bound of the entry, until its ``finally``."""
        return self.bounds.get(self.entry)

    @property
    def most(self) -> Bound | None:
        """The bound of the entry and of its ``finally`` together."""
        return self.bound.plus(self.tidying) if self.bound else None

    def text(self, file: str) -> str:
        """Return the diagnostics for people, one a line; '' where there are none."""
        return '\n'.join(d.line(file) for d in self.diagnostics)

    def to_json(self, file: str) -> dict[str, Any]:
        """Return all of it as plain data; what is infinite is null, as JSON has no infinity."""
        return {
            'file': file,
            'ok': self.ok,
            'entry': self.entry or None,
            'diagnostics': [_plain(d) for d in self.diagnostics],
            'bounds': {name: _finite(b._asdict()) for name, b in self.bounds.items()},
            'finally': _finite(self.tidying._asdict()),
            'measures': _finite(asdict(self.measures)) if self.measures else None,
        }

    def sarif(self, file: str) -> dict[str, Any]:
        """Return the diagnostics in SARIF 2.1.0, for editors and code hosts."""
        codes = sorted({d.code for d in self.diagnostics})
        driver = {'name': 'mdle check', 'rules': [{'id': code} for code in codes]}
        results = [_sarif_result(d, file, codes) for d in self.diagnostics]
        run = {'tool': {'driver': driver}, 'columnKind': 'unicodeCodePoints', 'results': results}
        return {'$schema': SCHEMA, 'version': '2.1.0', 'runs': [run]}


def _plain(diagnostic: Diagnostic) -> dict[str, Any]:
    data = asdict(diagnostic)
    place = data.pop('place')
    keys = ('code', 'severity', 'text', 'element', 'hint')
    return {'line': place[0], 'column': place[1], **{key: data[key] for key in keys}}


def _finite(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return numbers as JSON can hold them; an infinite one is None."""
    return {
        name: None if isinstance(value, float) and not math.isfinite(value) else value
        for name, value in values.items()
    }


def _sarif_result(diagnostic: Diagnostic, file: str, codes: Sequence[str]) -> dict[str, Any]:
    # SARIF counts from 1; what has no place stands at the beginning.
    line, column = (max(1, number) for number in diagnostic.place)
    location: dict[str, Any] = {
        'physicalLocation': {
            'artifactLocation': {'uri': file},
            'region': {'startLine': line, 'startColumn': column},
        }
    }
    if diagnostic.element:
        location['logicalLocations'] = [{'fullyQualifiedName': diagnostic.element}]
    hint = f' ({diagnostic.hint})' if diagnostic.hint else ''
    return {
        'ruleId': diagnostic.code,
        'ruleIndex': codes.index(diagnostic.code),
        'level': LEVELS[diagnostic.severity],
        'message': {'text': diagnostic.text + hint},
        'locations': [location],
    }


def measure(root: ProgramNode, bound: Bound) -> Measures:
    """Measure what an element runs; each element counts once for size and alphabet."""
    laws, conditions, letters = set[Hashable](), set[Hashable](), set[Hashable]()
    elements: dict[int, ProgramNode] = {}
    waiting = [root]
    while waiting:
        node = waiting.pop()
        key = id(node) if node.source is None else id(node.source)
        if key not in elements:
            elements[key] = node
            waiting += node.steps()
    for node in elements.values():
        guards = frozenset(scoped.guard.condition for scoped in node.guards)
        conditions |= guards
        if node.kind in ('atom', 'external'):
            law = node.source.control if isinstance(node.source, Atom) else node.source.name
            laws.add(law)
            letters.add((law, guards))
    length, unbounded, depth = _word(root, {})
    return Measures(
        length,
        unbounded,
        sum(map(_size, elements.values())),
        depth,
        len(letters),
        len(laws),
        len(conditions),
        description_length(length, len(letters)),
        bound.time,
        bound.path,
    )


def description_length(length: int, symbols: int) -> float:
    """Return the bits that say a word of ``length`` letters of an alphabet of ``symbols``."""
    bits = math.log2(symbols) if symbols > 1 else 0.0
    # Unfolded words may be longer than a float can say.
    return length * bits if length < 1 << 1000 else math.inf


def _size(node: ProgramNode) -> int:
    """Return the nodes of mdle.md §4.5 that an element is, without what is in it."""
    own = int(node.kind not in ('run', 'unknown') or node.source is None)
    if isinstance(node.source, Run):
        own = int(not node.source.call) + int(node.source.scale is not None)
    handlers = node.source.handlers if isinstance(node.source, Encapsulation) else ()
    return own + len(node.guards) + len(handlers)


def _word(node: ProgramNode, known: dict[int, tuple[int, bool, int]]) -> tuple[int, bool, int]:
    """Return the atoms of the unfolded word, whether a loop has no end, and levels of nesting."""
    if id(node) not in known:
        parts = [_word(child, known) for child in node.children]
        lengths = [length for length, _, _ in parts]
        length = max(lengths, default=0) if node.kind == 'choice' else sum(lengths)
        if node.kind in ('atom', 'external'):
            length = 1
        if node.loop and node.loop.kind == 'count':
            length *= node.loop.count
        endless = bool(node.loop and node.loop.kind != 'count')
        # A step that only calls an element is no level of its own.
        depth = int(not node.calls_one) + max((deep for _, _, deep in parts), default=0)
        known[id(node)] = length, endless or any(part[1] for part in parts), depth
    return known[id(node)]
