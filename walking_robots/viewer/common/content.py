"""What a page shows of one kind of robot: scene, board, controls, and a part of another system."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import viser

from walking_robots.geometry.pose import Vector
from walking_robots.viewer.common.board import Board
from walking_robots.viewer.common.cameras import Subject
from walking_robots.viewer.common.controls import Axis

State = TypeVar('State')


class Scene(Protocol):
    """The three-dimensional part of a page."""

    def show_terrain(self, terrain: Any, /) -> None:
        """Replace what the robot stands on and moves between."""

    def show(self, state: Any, /) -> None:
        """Draw a state."""

    def view(self, name: str, subject: Subject, aspect: float, /) -> tuple[Vector, Vector]:
        """Return eye and point looked at, m, of one of `DIRECTIONS`."""


class Panel(Protocol):
    """The controls of a page; `axes`: along which the robot is driven by keys, pad or gamepad."""

    @property
    def axes(self) -> tuple[Axis, ...]:
        """Return the axes; none for a page that only watches and starts programs."""

    def drive(self, ahead: float, left: float, turn: float) -> None:
        """Hold a velocity, in shares -1 ... 1 of the limits; all 0: stop."""

    def stop(self) -> None:
        """End every motion of the robot, whoever began it."""

    def follow(self, state: Any, /) -> None:
        """Show changed settings, whoever changed them."""

    def leave(self) -> None:
        """End a motion that was started here, since nobody is left to stop it."""


class PagePart(Protocol):
    """A part of a page, with a scene and a board of its own."""

    def leave(self) -> None:
        """End a motion that was started here, since nobody is left to stop it."""

    def is_behind(self, view: Any) -> bool:
        """Whether the texts still show an earlier view."""

    def draw(self, view: Any) -> None:
        """Draw a view in the scene."""

    def click(self, x: float, y: float) -> None:
        """Act on a click on the floor, m in map."""

    def write(self, view: Any, now: float) -> None:
        """Write what is due at ``now`` (s, any steady clock)."""


MakePart = Callable[[viser.ViserServer, viser.PanelHandle, str, Callable[[], None]], PagePart]
"""Makes a part, given the server, the panel for its tabs, the scene node for its marks, and a
function to call when it takes the robot over."""


@dataclass(frozen=True)
class Content(Generic[State]):
    """What a page shows of one kind of robot; ``part`` is what another system adds to it.

    link_fault: what is wrong with the connection of the robot, or nothing; between: see
    `StateInterpolator`.

    The board's `note` sees every state; its `show` never runs while `note` does.
    """

    scene: Scene
    board: Board[State]
    panel: Panel
    part: PagePart | None = None
    part_of: Callable[[State], object] = lambda state: None
    link_fault: Callable[[State], str] = lambda state: ''
    between: Callable[[State, State, float], State] = lambda before, after, share: after

    def is_behind(self, state: State) -> bool:
        """Return whether some text or plot still shows an earlier state."""
        return any(part.is_behind(view) for part, view in self._added(state)) or (
            self.board.is_behind(state)
        )

    def draw(self, state: State) -> None:
        """Draw a state in the scene."""
        self.scene.show(state)
        for part, view in self._added(state):
            part.draw(view)

    def write(self, state: State, now: float) -> None:
        """Write the texts and plots that are due at a time (s, any steady clock)."""
        self.panel.follow(state)
        self.board.show(state, now)
        for part, view in self._added(state):
            part.write(view, now)

    def leave(self) -> None:
        """End motions that were started on the page, since nobody is left to stop them."""
        self.panel.leave()
        if self.part is not None:
            self.part.leave()

    def _added(self, state: State) -> Iterator[tuple[PagePart, object]]:
        """Yield the part that another system added, and its view, where both are there."""
        view = self.part_of(state)
        if self.part is not None and view is not None:
            yield self.part, view
