"""The intermediate form of a program: what every notation is read into and written from.

Nothing here has state and nothing is resolved: names are as written. Equality and digest leave
places and comments out (mdle.md §4.5; the state of a run lives in frames, never here).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from walking_robots.mdle.language.expressions import NOWHERE, Expression, Place, Vector

__all__ = [
    'Action',
    'Atom',
    'Cause',
    'Comment',
    'Condition',
    'Constant',
    'Control',
    'Declaration',
    'Emission',
    'Encapsulation',
    'Filter',
    'Group',
    'Guard',
    'Handler',
    'Import',
    'Interrupt',
    'Law',
    'LawCall',
    'Loop',
    'Parallel',
    'Parameter',
    'Program',
    'Reverse',
    'Run',
    'Scale',
    'Segment',
    'Segments',
    'Step',
    'Timeout',
]


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment with its ``#``; ``alone`` on its line, or after something."""

    text: str
    alone: bool
    place: Place


@dataclass(frozen=True, slots=True)
class Import:
    """``import std.body2 as body;`` – an empty alias is none."""

    path: tuple[str, ...]
    alias: str = ''
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A typed name; ``type`` is a unit, num, bool, str, point, pose, path, cell or an own name."""

    name: str
    type: str
    default: Expression | None = None
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Constant:
    """``const NAME: type = value;`` – an empty type is that of the value."""

    name: str
    type: str
    value: Expression
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Group:
    """Robots that work together."""

    name: str
    members: tuple[str, ...]
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Filter:
    """``hold``/``debounce`` with a duration, ``edge``, ``latch``, ``stale`` with a policy."""

    kind: Literal['hold', 'debounce', 'edge', 'latch', 'stale']
    duration: Expression | None = None
    policy: Literal['', 'fault', 'true', 'false'] = ''
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Interrupt:
    """A named condition that ends an element when it is true."""

    name: str
    parameters: tuple[Parameter, ...]
    condition: Expression
    filters: tuple[Filter, ...] = ()
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Law:
    """A named control law: a vector of expressions, or the name of an extern one."""

    name: str
    parameters: tuple[Parameter, ...]
    space: str
    vector: Vector | None = None
    extern: str = ''
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Action:
    """What follows an interrupt, a timeout or a cause.

    text: of ``fail``; count: of ``retry``; call and then: of ``run H then X``.
    """

    kind: Literal['next', 'done', 'fail', 'retry', 'restart', 'abort', 'run']
    text: str = ''
    count: int = 0
    call: Expression | None = None
    then: 'Action | None' = None
    place: Place = field(default=NOWHERE, compare=False)

    def parts(self) -> 'Iterator[Action]':
        """Give what is done one after another."""
        part: Action | None = self
        while part:
            yield part
            part = part.then


@dataclass(frozen=True, slots=True)
class Guard:
    """``until condition => action``; without an action the next element follows."""

    condition: Expression
    action: Action | None = None
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Timeout:
    """``timeout duration => action``."""

    duration: Expression
    action: Action | None = None
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Segment:
    """A constant vector for a duration."""

    vector: Vector
    duration: Expression
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Segments:
    """An open-loop control: segments one after the other."""

    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class LawCall:
    """A control that a law computes: ``pursue(y.pose, p, speed)``."""

    call: Expression


Control = Segments | Vector | LawCall
"""Segments, a vector of expressions of y and t, or a law."""


@dataclass(frozen=True, slots=True)
class Emission:
    """``emit name = value;``."""

    name: str
    value: Expression
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Atom:
    """A control, what ends it, and for how long at most: (U, xi, T) of the report.

    control is None where there is none, as in space ``none``.
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
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Loop:
    """``loop forever``, ``loop while condition``, ``loop n`` (as ``times``)."""

    kind: Literal['forever', 'while', 'count']
    count: int = 0
    condition: Expression | None = None
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Cause:
    """What a handler waits for; ``name`` is the text of a fail (empty: any) or the interrupt."""

    kind: Literal['timeout', 'fail', 'fault', 'interrupt']
    name: str = ''


@dataclass(frozen=True, slots=True)
class Handler:
    """``on cause => action``."""

    cause: Cause
    action: Action
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Scale:
    """Factors of the control, one a channel, and of time: (alpha, beta) of the report."""

    alpha: Vector
    beta: Expression | None = None
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Run:
    """A step that runs an element (``call``) or a group of steps in parentheses (``steps``)."""

    call: Expression | None = None
    steps: tuple['Step', ...] = ()
    label: str = ''
    output: str = ''
    scale: Scale | None = None
    guard: Guard | None = None
    timeout: Timeout | None = None
    times: Loop | None = None
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Parallel:
    """Steps at the same time, until all or any of them ended."""

    mode: Literal['all', 'any']
    steps: tuple['Step', ...]
    label: str = ''
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Condition:
    """``if condition { ... } else { ... }``, decided once, when it is reached."""

    condition: Expression
    then: tuple['Step', ...]
    otherwise: tuple['Step', ...] = ()
    label: str = ''
    place: Place = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Reverse:
    """``reverse element`` or, where target is None, ``reverse last``."""

    target: Expression | None = None
    label: str = ''
    place: Place = field(default=NOWHERE, compare=False)


Step = Run | Parallel | Condition | Reverse


@dataclass(frozen=True, slots=True)
class Encapsulation:
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
    place: Place = field(default=NOWHERE, compare=False)


Declaration = Constant | Group | Interrupt | Law | Atom | Encapsulation


@dataclass(frozen=True, slots=True)
class Program:
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
        """Give all declarations, kind after kind."""
        yield from self.constants
        yield from self.groups
        yield from self.interrupts
        yield from self.laws
        yield from self.atoms
        yield from self.behaviors
        yield from self.plans
