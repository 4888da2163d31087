"""The abstract syntax tree of a program: what every notation is read into and written from.

Nodes are frozen and hashable, units are kept, and nothing is resolved or evaluated. Equality and
digest leave places and comments out (mdle.md §4.5); the state of a run lives in frames.
"""

import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, NamedTuple, TypeVar, get_origin

from walking_robots.mdle.language.quantities import UNITS


class Place(NamedTuple):
    """Where something stands in its file; both count from 1, and 0 is nowhere."""

    line: int = 0
    column: int = 0


NOWHERE = Place()


class Block(tuple[Any, ...]):
    """Steps in braces, which stand at ``start`` and ``end``; equal to a tuple of the steps."""

    start = NOWHERE
    end = NOWHERE


@dataclass(frozen=True, slots=True)
class Node:
    """A part of a program; its place takes no part in equality."""

    place: Place = field(default=NOWHERE, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Number(Node):
    """A number, with its unit as written ('' for none); infinity is the number ``inf``."""

    value: float
    unit: str = ''

    @property
    def si(self) -> float:
        """The value in SI units."""
        return self.value * UNITS[self.unit].factor if self.unit else self.value


@dataclass(frozen=True, slots=True)
class Text(Node):
    """A string."""

    value: str


@dataclass(frozen=True, slots=True)
class Truth(Node):
    """One of true and false."""

    value: bool


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A parameter, constant, output, element, or one of ``y``, ``y0``, ``t`` and ``bb``."""

    name: str


@dataclass(frozen=True, slots=True)
class Member(Node):
    """``base.name``: a channel, a part of a value, an element of an imported module."""

    base: 'Expression'
    name: str


@dataclass(frozen=True, slots=True)
class Partner(Node):
    """``base@name``: the outputs of another robot."""

    base: 'Expression'
    name: str


@dataclass(frozen=True, slots=True)
class Index(Node):
    """``base[index]``."""

    base: 'Expression'
    index: 'Expression'


@dataclass(frozen=True, slots=True)
class Slice(Node):
    """``base[low .. high]``, both ends included."""

    base: 'Expression'
    low: 'Expression'
    high: 'Expression'


@dataclass(frozen=True, slots=True)
class Argument(Node):
    """One argument of a call; an empty name is given by position."""

    value: 'Expression'
    name: str = ''


@dataclass(frozen=True, slots=True)
class Call(Node):
    """``base(arguments)``."""

    base: 'Expression'
    arguments: tuple[Argument, ...] = ()


@dataclass(frozen=True, slots=True)
class Unary(Node):
    """``-operand`` or ``not operand``."""

    operator: str
    operand: 'Expression'


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """Two operands and one of ``+ - * / < <= > >= == != and or``."""

    operator: str
    left: 'Expression'
    right: 'Expression'


Expression = (
    Number | Text | Truth | Name | Member | Partner | Index | Slice | Call | Unary | Binary
)
Vector = tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment with its ``#``; ``alone`` on its line, or after something."""

    text: str
    alone: bool
    place: Place


@dataclass(frozen=True, slots=True)
class Import(Node):
    """``import std.body2 as body;`` – an empty alias is none."""

    path: tuple[str, ...]
    alias: str = ''


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    """A typed name; ``type`` is a unit, num, bool, str, point, pose, path, cell or an own name."""

    name: str
    type: str
    default: Expression | None = None


@dataclass(frozen=True, slots=True)
class Constant(Node):
    """``const NAME: type = value;`` – an empty type is that of the value."""

    name: str
    type: str
    value: Expression


@dataclass(frozen=True, slots=True)
class Group(Node):
    """Robots that work together."""

    name: str
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Filter(Node):
    """``hold``/``debounce`` with a duration, ``edge``, ``latch``, ``stale`` with a policy."""

    kind: Literal['hold', 'debounce', 'edge', 'latch', 'stale']
    duration: Expression | None = None
    policy: Literal['', 'fault', 'true', 'false'] = ''


@dataclass(frozen=True, slots=True)
class Interrupt(Node):
    """A named condition that ends an element when it is true."""

    name: str
    parameters: tuple[Parameter, ...]
    condition: Expression
    filters: tuple[Filter, ...] = ()


@dataclass(frozen=True, slots=True)
class Law(Node):
    """A named control law: a vector of expressions, or the name of an extern one."""

    name: str
    parameters: tuple[Parameter, ...]
    space: str
    vector: Vector | None = None
    extern: str = ''


@dataclass(frozen=True, slots=True)
class Action(Node):
    """What follows an interrupt, a timeout or a cause.

    text: of ``fail``; count: of ``retry``; call and then: of ``run H then X``.
    """

    kind: Literal['next', 'done', 'fail', 'retry', 'restart', 'abort', 'run']
    text: str = ''
    count: int = 0
    call: Expression | None = None
    then: 'Action | None' = None

    def parts(self) -> 'Iterator[Action]':
        """Return what is done one after another."""
        part: Action | None = self
        while part:
            yield part
            part = part.then


@dataclass(frozen=True, slots=True)
class Guard(Node):
    """``until condition => action``; without an action the next element follows."""

    condition: Expression
    action: Action | None = None


@dataclass(frozen=True, slots=True)
class Timeout(Node):
    """``timeout duration => action``."""

    duration: Expression
    action: Action | None = None


@dataclass(frozen=True, slots=True)
class Segment(Node):
    """A constant vector for a duration."""

    vector: Vector
    duration: Expression


@dataclass(frozen=True, slots=True)
class Segments(Node):
    """An open-loop control: segments one after the other."""

    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class LawCall(Node):
    """A control that a law computes: ``pursue(y.pose, p, speed)``."""

    call: Expression


Control = Segments | Vector | LawCall
"""Segments, a vector of expressions of y and t, or a law."""


@dataclass(frozen=True, slots=True)
class Emission(Node):
    """``emit name = value;``."""

    name: str
    value: Expression


@dataclass(frozen=True, slots=True)
class Atom(Node):
    """A control, what ends it, and for how long at most: (U, xi, T) of the report.

    control is None where there is none, as in space ``none``; end: of its closing brace.
    """

    name: str
    space: str
    parameters: tuple[Parameter, ...] = ()
    outputs: tuple[Parameter, ...] = ()
    control: Control | None = None
    guards: tuple[Guard, ...] = ()
    timeout: Timeout | None = None
    emissions: tuple[Emission, ...] = ()
    needs: tuple[Expression, ...] = ()
    irreversible: bool = False
    irreversible_at: Place = field(default=NOWHERE, compare=False)
    end: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Loop(Node):
    """``loop forever``, ``loop while condition``, ``loop n`` (as ``times``)."""

    kind: Literal['forever', 'while', 'count']
    count: int = 0
    condition: Expression | None = None


@dataclass(frozen=True, slots=True)
class Cause(Node):
    """What a handler waits for; ``name`` is the text of a fail (empty: any) or the interrupt."""

    kind: Literal['timeout', 'fail', 'fault', 'interrupt']
    name: str = ''


@dataclass(frozen=True, slots=True)
class Handler(Node):
    """``on cause => action``."""

    cause: Cause
    action: Action


@dataclass(frozen=True, slots=True)
class Scale(Node):
    """Factors of the control, one a channel, and of time: (alpha, beta) of the report."""

    alpha: Vector
    beta: Expression | None = None


@dataclass(frozen=True, slots=True)
class Run(Node):
    """A step that runs an element (``call``) or a group of steps in parentheses (``steps``)."""

    call: Expression | None = None
    steps: tuple['Step', ...] = ()
    label: str = ''
    output: str = ''
    scale: Scale | None = None
    guard: Guard | None = None
    timeout: Timeout | None = None
    times: Loop | None = None


@dataclass(frozen=True, slots=True)
class Parallel(Node):
    """Steps at the same time, until all or any of them ended."""

    mode: Literal['all', 'any']
    steps: tuple['Step', ...]
    label: str = ''


@dataclass(frozen=True, slots=True)
class Condition(Node):
    """``if condition { ... } else { ... }``, decided once, when it is reached."""

    condition: Expression
    then: tuple['Step', ...]
    otherwise: tuple['Step', ...] = ()
    label: str = ''


@dataclass(frozen=True, slots=True)
class Reverse(Node):
    """``reverse element`` or, where target is None, ``reverse last``."""

    target: Expression | None = None
    label: str = ''


Step = Run | Parallel | Condition | Reverse


@dataclass(frozen=True, slots=True)
class Encapsulation(Node):
    """A behavior or a plan: elements one after the other, with guards and a timer of its own."""

    kind: Literal['behavior', 'plan']
    name: str
    steps: tuple[Step, ...]
    parameters: tuple[Parameter, ...] = ()
    outputs: tuple[Parameter, ...] = ()
    guards: tuple[Guard, ...] = ()
    timeout: Timeout | None = None
    loop: Loop | None = None
    handlers: tuple[Handler, ...] = ()
    cleanup: tuple[Expression, ...] = ()
    requires: tuple[Expression, ...] = ()
    end: Place = field(default=NOWHERE, compare=False)


Declaration = Constant | Group | Interrupt | Law | Atom | Encapsulation


@dataclass(frozen=True, slots=True)
class Program(Node):
    """A file: imports and declarations, those of a kind in the order written."""

    version: int
    imports: tuple[Import, ...] = ()
    constants: tuple[Constant, ...] = ()
    groups: tuple[Group, ...] = ()
    interrupts: tuple[Interrupt, ...] = ()
    laws: tuple[Law, ...] = ()
    atoms: tuple[Atom, ...] = ()
    behaviors: tuple[Encapsulation, ...] = ()
    plans: tuple[Encapsulation, ...] = ()
    source: str = field(default='', compare=False)
    comments: tuple[Comment, ...] = field(default=(), compare=False)

    def declarations(self) -> Iterator[Declaration]:
        """Return all declarations, kind after kind."""
        named: tuple[Declaration, ...]
        named = (*self.constants, *self.groups, *self.interrupts, *self.laws)
        return iter((*named, *self.atoms, *self.behaviors, *self.plans))


AnyNode = TypeVar('AnyNode', bound=Node)


class _Parts(dict[type, tuple[str, ...]]):
    """The fields of each class of nodes that can hold other nodes."""

    def __missing__(self, kind: type) -> tuple[str, ...]:
        self[kind] = tuple(
            item.name
            for item in fields(kind)
            if item.compare
            and item.type not in (str, int, float, bool)
            and get_origin(item.type) is not Literal
        )
        return self[kind]


_PARTS = _Parts()


def children(node: Node) -> Iterator[Node]:
    """Return the nodes that a node holds, in the order of its fields."""
    for name in _PARTS[type(node)]:
        part = getattr(node, name)
        if isinstance(part, Node):
            yield part
        elif isinstance(part, tuple):
            for item in part:
                if isinstance(item, Node):
                    yield item


def walk(root: Node) -> Iterator[Node]:
    """Return a node and all below it, each before what it holds."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(list(children(node))))


def map_children(node: AnyNode, function: Callable[[Any], Any]) -> AnyNode:
    """Return a node with ``function`` applied to each of its children.

    None as a result leaves a child out, where it stands in a list or can be missing.
    """
    changes: dict[str, Any] = {}
    for name in _PARTS[type(node)]:
        part = made = getattr(node, name)
        if isinstance(part, Node):
            made = function(part)
        elif isinstance(part, tuple):
            mapped = [function(item) if isinstance(item, Node) else item for item in part]
            if not all(map(operator.is_, mapped, part)):
                made = tuple(item for item in mapped if item is not None)
        if made is not part:
            changes[name] = made
    return replace(node, **changes) if changes else node
