"""What the page of ARS MAGNA shows and its controls, as plain data.

Frame: the manual's, x to the right, y downwards, angles clockwise, rad; lengths in cells, with a
cell (i, j) centred on that point (ars_magna.md §1.9). Only `frame.py` turns it round.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from walking_robots.viewer.common.controls import ignore


class PlacesView(NamedTuple):
    """The cells, as (column, row), that are of a type of places."""

    type: str
    cells: tuple[tuple[int, int], ...]


@dataclass(frozen=True, eq=False)
class GroundView:
    """The walls of a world, and the places that they make.

    filled: (rows, columns) bool, and brightness: the same shape, 0 dark ... 1 bright, of walls;
    both begin with the row at the top.
    """

    filled: NDArray[np.bool_]
    brightness: NDArray[np.float64]
    places: tuple[PlacesView, ...] = ()


class ThingView(NamedTuple):
    """A thing that lies on the ground."""

    label: str
    x: float
    y: float
    size: float = 0.0
    color: str = ''
    obsmove: bool = False
    obsview: bool = False


class PartView(NamedTuple):
    """A camera, hand or bin; inside: the label of what it is in; contents: of what it holds.

    angle: of a camera, relative to the heading; tracked: a designator's number, -1 for none;
    tracked_type, denotation, distance: of that, the distance as the robot perceives it; view: the
    last one; closed: the lid of a bin.
    """

    angle: float = 0.0
    field_of_view: float = math.pi / 4
    tracked: int = -1
    tracked_type: str = ''
    denotation: str = ''
    distance: float = math.nan
    inside: str = ''
    view: tuple[float, ...] = ()
    contents: tuple[str, ...] = ()
    closed: bool = False


class DesignatorView(NamedTuple):
    """What a robot knows, and what that truly is: a thing, a type of places, or FALSE.

    about: the attributes or the type of place that the robot has perceived.
    """

    number: int
    type: str
    angle: float
    denotation: str
    about: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class RobotView:
    """A robot as it truly is; heading: not normalised."""

    name: str
    x: float
    y: float
    heading: float
    cameras: tuple[PartView, ...] = ()
    hands: tuple[PartView, ...] = ()
    bins: tuple[PartView, ...] = ()
    designators: tuple[DesignatorView, ...] = ()


class MessageView(NamedTuple):
    """A message for people; severity: error, warning or message; robot: empty for the world."""

    severity: str
    robot: str
    text: str
    tick: int


@dataclass(frozen=True)
class WorldPicture:
    """A world after a tick; messages: the last ones, the oldest first."""

    tick: int = 0
    robots: tuple[RobotView, ...] = ()
    things: tuple[ThingView, ...] = ()
    messages: tuple[MessageView, ...] = ()


class ProgramView(NamedTuple):
    """A program that can be started, and what it does."""

    name: str
    summary: str


Phase: TypeAlias = Literal['', 'runs', 'done', 'failed', 'stopped']


class RunView(NamedTuple):
    """What a program is at.

    phase: empty before the first; ticks: since it was started; words: what it does or how it
    ended; thing: what it fetches, or will, in words such as 'color=lightred'.
    """

    program: str = ''
    phase: Phase = ''
    ticks: int = 0
    words: str = ''
    thing: str = ''

    @property
    def runs(self) -> bool:
        """Return whether the program has the robot."""
        return self.phase == 'runs'


NO_RUN = RunView()
"""Before the first program."""


@dataclass(frozen=True, eq=False)
class ArsView:
    """One moment: the picture, None before the first; the program; a sentence to warn with.

    programs: those that can be started, empty without a node for them; worlds: to enter.
    """

    picture: WorldPicture | None = None
    run: RunView = NO_RUN
    programs: tuple[ProgramView, ...] = ()
    worlds: tuple[str, ...] = ()
    warning: str = ''


class NewThingForm(NamedTuple):
    """What a thing is like that a person puts into the world."""

    name: str
    color: str
    size: float


@dataclass(frozen=True)
class ArsControls:
    """Functions that the page calls, from a thread of its own, when a person uses a control.

    start: a program by its name, and what it is to fetch, in words such as 'color=lightred';
    move_thing: by its label, to x and y; place_robot: by its name, to x and y; turn_robot: by its
    name, to a heading; hold: whether time stands still; step: so many ticks while it does; rate:
    simulated time per wall time; clean: whether there is no noise; enter: begin anew in a
    world, by its name.
    """

    start: Callable[[str, str], None] = ignore
    stop: Callable[[], None] = ignore
    move_thing: Callable[[str, float, float], None] = ignore
    new_thing: Callable[[NewThingForm, float, float], None] = ignore
    place_robot: Callable[[str, float, float], None] = ignore
    turn_robot: Callable[[str, float], None] = ignore
    hold: Callable[[bool], None] = ignore
    step: Callable[[int], None] = ignore
    rate: Callable[[float], None] = ignore
    clean: Callable[[bool], None] = ignore
    enter: Callable[[str], None] = ignore
