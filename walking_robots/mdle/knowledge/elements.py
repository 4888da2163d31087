"""Elements that are written in Python: laws, guards and atoms (mdle.md §4.19)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from walking_robots.mdle.language.ast import Parameter, Program

Values = Mapping[str, Any]


class Progress(NamedTuple):
    """How an atom that is written in Python stands.

    ended: 'done' and 'fail' end it; outputs: values of its declared outputs.
    """

    ended: Literal['', 'done', 'fail'] = ''
    text: str = ''
    outputs: Mapping[str, Any] = {}


class Context(Protocol):
    """What an atom in Python gets at its entry.

    arguments: by name, in SI; values: the channels at entry; services: what the executor's host
    offers to atoms of space none, such as signals, topics and actions.
    """

    arguments: Mapping[str, Any]
    values: Values
    now: int
    services: Any


class AtomLogic(Protocol):
    """One run of an atom in Python: made at entry, gone after exit. Nothing in it may wait.

    What has something going on outside may have two methods more, without arguments: ``pause()``,
    called when the program pauses, and ``resume()``, when it goes on (mdle.md §4.6.6).
    """

    def enter(self, context: Context) -> None:
        """Begin."""

    def law(self, t: float, y: Values) -> tuple[float, ...]:
        """Return the control after ``t`` seconds; () in space none."""

    def progress(self, t: float, y: Values) -> Progress:
        """Return whether it has ended; called once a tick, before the law."""

    def exit(self, cause: str) -> None:
        """End, once for every entry: release what ``enter`` took."""


@dataclass(frozen=True, slots=True)
class PythonLaw:
    """A control law: ``function(t, y, **parameters)`` returns a vector of its space.

    fastest: greatest absolute value of each channel, SI: a number, or the name of the parameter
    that it is; () where nothing is known.
    """

    name: str
    space: str
    parameters: tuple[Parameter, ...]
    reads: frozenset[str]
    function: Callable[..., tuple[float, ...]]
    fastest: tuple[float | str, ...] = ()


@dataclass(frozen=True, slots=True)
class PythonGuard:
    """A guard: ``function(y, **parameters)`` is true where the element is to end."""

    name: str
    parameters: tuple[Parameter, ...]
    reads: frozenset[str]
    function: Callable[..., bool]


@dataclass(frozen=True, slots=True)
class PythonAtom:
    """An atom: ``make()`` gives the logic of one run.

    longest: time, s, within which it certainly ends by itself: 0 where that is in the tick in
    which it is entered, infinite where nothing is known; may_fail: whether it may end in
    a failure.
    """

    name: str
    space: str
    parameters: tuple[Parameter, ...]
    outputs: tuple[Parameter, ...]
    reads: frozenset[str]
    reversible: bool
    longest: float
    make: Callable[[], AtomLogic]
    may_fail: bool = True


@dataclass(frozen=True, slots=True)
class Module:
    """What an ``import`` brings: declarations in the language, and elements in Python."""

    name: str
    program: Program
    laws: Mapping[str, PythonLaw] = field(default_factory=dict)
    guards: Mapping[str, PythonGuard] = field(default_factory=dict)
    atoms: Mapping[str, PythonAtom] = field(default_factory=dict)
