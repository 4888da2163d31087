"""What a page gets that shows programs: a tab, controls, and marks in the scene."""

from collections.abc import Callable

import viser

from walking_robots.viewer.common.throttle import Due
from walking_robots.viewer.mdle.board import Board
from walking_robots.viewer.mdle.editor import Editor
from walking_robots.viewer.mdle.marks import Marks
from walking_robots.viewer.mdle.panel import Panel
from walking_robots.viewer.mdle.state import PlanControls, PlanView, Program

PERIOD = 0.2


class PlanPart:
    """The part of a page that shows programs, beside the robot that runs them."""

    def __init__(
        self,
        server: viser.ViserServer,
        panel: viser.PanelHandle,
        root: str,
        controls: PlanControls,
        begin: Callable[[], None],
    ) -> None:
        """Add tabs to `panel`, controls to the main one, and marks below the scene node `root`.

        `begin`: called when a program takes the robot over.
        """
        self._begin = begin
        self._controls = controls
        self._ran = False
        self._due: Due[PlanView] = Due(PERIOD)
        self._board = Board(server.gui, panel)
        self._editor = Editor(server.gui, panel, controls, self._run)
        self._panel = Panel(server.gui, controls, self._run)
        self._marks = Marks(server.scene, root, controls.move_object)

    def is_behind(self, view: PlanView) -> bool:
        """Return whether the texts still show an earlier view."""
        return self._due.is_behind(view)

    def draw(self, view: PlanView) -> None:
        """Draw a view in the scene."""
        self._marks.show(view)

    def tell(self, view: PlanView, now: float) -> None:
        """Write what is due at `now` (s, any steady clock)."""
        if not self._due.take(view, now):
            return
        if view.runs and not self._ran:
            self._begin()
        self._ran = view.runs
        self._board.show(view)
        self._editor.show(view)
        self._panel.show(view)

    def _run(self, program: Program) -> None:
        """Run a program; nothing else drives the robot any more."""
        self._begin()
        self._controls.run(program)
