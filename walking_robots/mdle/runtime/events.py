"""Endings of elements, the events and the result of a run, and its faults (mdle.md §4.14)."""

import hashlib
import json
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from walking_robots.geometry.se2 import ORIGIN, Pose2
from walking_robots.mdle.consequences import CauseKind, Level
from walking_robots.mdle.knowledge.names import Names
from walking_robots.mdle.language.ast import NOWHERE, Action, Expression, Place

Outcome = Literal[
    'DONE', 'INTERRUPT', 'TIMEOUT', 'FAIL', 'FAULT', 'CANCELED', 'PREEMPTED', 'REJECTED'
]
NOTHING: Mapping[str, Any] = {}


class RunError(Exception):
    """A fault of a running program (mdle.md §7, E8xx): the robot stops and the program ends.

    code: of mdle.md §7; path: of the element, empty until the executor knows it.
    """

    def __init__(self, code: str, text: str, place: Place = NOWHERE, path: str = '') -> None:
        """Keep what is wrong, and where."""
        super().__init__(text)
        self.code, self.text, self.place, self.path = code, text, place, path


class UnsetError(RunError):
    """A name is read that nothing has written yet: the element that reads it fails (§4.12).

    Where that is found while it drives, the program ends by it as by any other fault.
    """

    def __init__(self, name: str, place: Place) -> None:
        """Name it."""
        super().__init__('E204', f"'{name}' is unset here", place)


class Cleanup(NamedTuple):
    """An element that runs because a container ended, at a path: its ``finally``."""

    call: Expression
    names: Names
    variables: dict[str, Any]
    path: str


class Ending(NamedTuple):
    """Why an element ended, and what its parent has to do about it.

    path, place: where the cause arose; name: of the guard; text: of a failure; action: written for
    this cause, if any; key: equal for guards with equal conditions; names: of the interrupts that
    the guard is; gentle: by the timer of an atom; late: by a timer; values: channels that the
    guard read; outputs: values of the element's outputs; cleanups: what has to run first.
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
        """The level of the element, as far as its timer depends on it."""
        return 'atom' if self.gentle else 'container'

    def failed(self, text: str) -> 'Ending':
        """Return the failure that this has become."""
        return self._replace(cause='fail', text=text, action=None, gentle=False)

    def check_outputs(self) -> None:
        """Raise RunError (E801) for an output that is not a number; infinity is one, ``inf``."""
        for name, value in self.outputs.items():
            if any(part != part for part in (value if isinstance(value, tuple) else (value,))):
                text = f"the output '{name}' is not a number"
                raise RunError('E801', text, self.place, self.path)

    def outcome(self) -> tuple[Outcome, str]:
        """Return the outcome of a program that ends so by itself, and a clause on it."""
        if self.cause == 'interrupt':
            return 'INTERRUPT', f'ended by {self.name}'
        if self.cause != 'fail':
            return 'DONE', 'done'
        if self.late and self.text == 'timeout':
            return 'TIMEOUT', 'the time is up'
        return 'FAIL', self.text or 'failed'


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


class EventLog:
    """Keeps the events of a run until they are taken, and a digest of all of them."""

    def __init__(self) -> None:
        """Begin empty."""
        self._events: list[Event] = []
        self._digest = hashlib.sha256()

    def __len__(self) -> int:
        """Return how many events were not taken yet."""
        return len(self._events)

    def add(self, event: Event) -> None:
        """Append an event."""
        self._events.append(event)
        line = json.dumps(event, sort_keys=True, separators=(',', ':'), default=list)
        self._digest.update(line.encode() + b'\n')

    def take(self) -> list[Event]:
        """Return the events since the last call."""
        events, self._events = self._events, []
        return events

    def sha256(self) -> str:
        """Return the digest of all events so far: equal for equal runs, to the last bit."""
        return self._digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Result:
    """How a run ended.

    code: of mdle.md §7 for faults; message: one clause; path, line: the element and where it
    stands; guard: the one that ended it, with the ``values`` it read; duration: seconds of the
    program's clock; way: metres driven; effort: integral of the squared control.
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
        """Whether the program ended as it may: at its end, or by an interrupt."""
        return self.outcome in ('DONE', 'INTERRUPT')
