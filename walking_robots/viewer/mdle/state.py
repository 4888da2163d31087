"""What a page shows of an MDLe program and what it can ask for, as plain data."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple

from walking_robots.viewer.common.controls import ignore
from walking_robots.viewer.mdle.way_state import NO_TASKS, NO_WAY, WayControls, WayView

ACTIVE = ('RUNNING', 'PAUSED', 'STOPPING')
"""Phases in which a program has the robot."""


class PlanLine(NamedTuple):
    """A line of the plan's structure: `text` says what the element at `path` is."""

    path: str
    kind: str
    text: str
    depth: int


class GuardReading(NamedTuple):
    """What a guard says now: true, false, masked or unknown."""

    guard: str
    says: str


class Element(NamedTuple):
    """An element that runs.

    iteration: from 0; time, limit: s since it was entered, and when its timer ends it, inf where
    it has none.
    """

    path: str
    iteration: int = 0
    time: float = 0.0
    limit: float = math.inf
    guards: tuple[GuardReading, ...] = ()


class Transition(NamedTuple):
    """An element or a program that began or ended, with the time of the program's clock, s."""

    time: float
    kind: str
    path: str
    cause: str = ''
    guard: str = ''
    values: tuple[tuple[str, str], ...] = ()
    text: str = ''


class NamedPoint(NamedTuple):
    """A named point that the program keeps; m in map."""

    name: str
    x: float
    y: float


class Object(NamedTuple):
    """A round thing that moves about in an emulated world; m in map."""

    x: float
    y: float
    radius: float
    height: float


class Remark(NamedTuple):
    """A sentence on a program; line: from 1, or 0 where it is about no line."""

    severity: str
    text: str
    code: str = ''
    line: int = 0
    column: int = 0
    hint: str = ''


@dataclass(frozen=True, eq=False)
class PlanView:
    """One moment of an executor of programs.

    phase: NOTRUN, RUNNING, PAUSED, STOPPING or TERMINATED, empty while unknown; entry:
    what runs; time: s of the program's clock; tree: the structure of what runs or ran last,
    its root first; source: its text; active: what runs now, outermost first; space, control:
    what is driven and how, SI; board: names and values that the program keeps, as a program
    writes them; points: those among them that lie in the world; outcome, message: how the last
    program ended, or what the one that runs asks a person; log: the last transitions, the
    newest last; plans: names of plans that can be chosen; remarks: on the text that was
    checked or run from the page; warning: a sentence to warn with, or nothing; object: what
    moves about, None where nothing does; way: what the planner does, and the map.
    """

    phase: str = ''
    entry: str = ''
    time: float = 0.0
    waiting: int = 0
    tree: tuple[PlanLine, ...] = ()
    source: str = ''
    active: tuple[Element, ...] = ()
    space: str = ''
    control: tuple[float, ...] = ()
    board: tuple[tuple[str, str], ...] = ()
    points: tuple[NamedPoint, ...] = ()
    outcome: str = ''
    message: str = ''
    log: tuple[Transition, ...] = ()
    plans: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()
    warning: str = ''
    object: Object | None = None
    way: WayView = NO_WAY

    @property
    def runs(self) -> bool:
        """Return whether a program has the robot."""
        return self.phase in ACTIVE

    @property
    def question(self) -> str:
        """What the program asks a person, '' where it does not."""
        return self.message if self.runs else ''


class ProgramText(NamedTuple):
    """A program that a person has chosen: by the name of a plan, or by its text and its form.

    arguments: of the plan, as one line: d = 0.5 m, side = "left".
    """

    name: str = ''
    text: str = ''
    form: str = ''
    arguments: str = ''


Steering = Literal['pause', 'resume', 'step']


@dataclass(frozen=True)
class PlanControls:
    """Functions that the page calls, from a thread of its own, when a person asks for something.

    run, check: a program; steer: pause what runs, go on, or go on to the next
    change of element; cancel: end the one that `run` has started; answer: what the program asks;
    move_object: put the object of an emulated world at x, y, m in map; way: what the planner can
    be asked for.
    """

    run: Callable[[ProgramText], None] = ignore
    check: Callable[[ProgramText], None] = ignore
    steer: Callable[[Steering], None] = ignore
    cancel: Callable[[], None] = ignore
    answer: Callable[[str], None] = ignore
    move_object: Callable[[float, float], None] = ignore
    way: WayControls = NO_TASKS
