"""How elements end, and what is told of it (mdle.md §4.14)."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from walking_robots.geometry.se2 import ORIGIN, Pose2
from walking_robots.mdle.consequences import CauseKind, Level
from walking_robots.mdle.knowledge.names import Names
from walking_robots.mdle.language.ast import NOWHERE, Action, Expression, Place

__all__ = ['Cleanup', 'Ending', 'Event', 'Outcome', 'Result']

Outcome = Literal[
    'DONE', 'INTERRUPT', 'TIMEOUT', 'FAIL', 'FAULT', 'CANCELED', 'PREEMPTED', 'REJECTED'
]
NOTHING: Mapping[str, Any] = {}


class Cleanup(NamedTuple):
    """An element that is still to run because a container ended: its ``finally``.

    path: that it has while it runs.
    """

    call: Expression
    names: Names
    variables: dict[str, Any]
    path: str


class Ending(NamedTuple):
    """Why an element ended, and what its parent has to do about it.

    path, place: where the cause arose; name: of the guard; text: of a failure; action: what is
    written for this cause, None where nothing is; key: tells equal guards apart from others;
    names: of the interrupts that the guard is;
    gentle: a timer of an atom, after which the next element follows; late: the cause was a timer;
    outputs: values of the element's outputs; cleanups: what has to run first.
    """

    cause: CauseKind
    path: str = ''
    place: Place = NOWHERE
    name: str = ''
    text: str = ''
    action: Action | None = None
    key: Hashable = None
    names: frozenset[str] = frozenset()
    gentle: bool = False
    late: bool = False
    outputs: Mapping[str, Any] = NOTHING
    values: Mapping[str, Any] = NOTHING
    cleanups: tuple[Cleanup, ...] = ()

    @property
    def level(self) -> Level:
        """The level of the element, as far as its timer tells."""
        return 'atom' if self.gentle else 'container'

    def failed(self, text: str) -> 'Ending':
        """Give the failure that this has become."""
        return self._replace(cause='fail', text=text, action=None, gentle=False)


class Event(NamedTuple):
    """One transition: which element entered or ended, when, and why.

    tick: number of the tick, from 0; stamp: the program's clock, ns; kind: enter, exit, handle,
    warning, or a change of the program's own state.
    """

    tick: int
    stamp: int
    kind: str
    path: str
    cause: str = ''
    name: str = ''
    text: str = ''
    values: Mapping[str, Any] = NOTHING


@dataclass(frozen=True, slots=True)
class Result:
    """How a run ended.

    outcome: its class; code: of mdle.md §7 for faults; message: one clause; path, line: the
    element and where it stands; guard: the one that ended it, with the ``values`` it read;
    duration: seconds of the program's clock; way: metres driven; effort: integral of the squared
    control.
    """

    outcome: Outcome
    code: str = ''
    message: str = ''
    path: str = ''
    line: int = 0
    guard: str = ''
    values: Mapping[str, Any] = field(default_factory=dict)
    duration: float = 0.0
    ticks: int = 0
    way: float = 0.0
    effort: float = 0.0
    interrupts: int = 0
    outputs: Mapping[str, Any] = field(default_factory=dict)
    end_pose: Pose2 = ORIGIN
    events_sha256: str = ''

    @property
    def succeeded(self) -> bool:
        """Tell whether the program ended as it may: at its end, or by an interrupt."""
        return self.outcome in ('DONE', 'INTERRUPT')
