"""What a page gets that shows programs: a tab, controls, and marks in the scene."""

from collections.abc import Callable

import viser

from walking_robots.viewer.common.board import TEXT_PERIOD, Board
from walking_robots.viewer.mdle.marks import Marks
from walking_robots.viewer.mdle.panel import Editor, PlanPanel
from walking_robots.viewer.mdle.state import PlanControls, PlanView, ProgramText
from walking_robots.viewer.mdle.status import heading_html, log_html, memory_html, remarks_html
from walking_robots.viewer.mdle.tree import tree_html


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
        self.board: Board[PlanView] = Board(server.gui, panel)
        with self.board.tab('Plan'):
            self.board.text(heading_html)
            self.board.text(lambda view: remarks_html(view.remarks))
            self.board.text(tree_html)
            self.board.text(lambda view: log_html(view.log))
            self.board.text(memory_html)
        self.board.add(self._follow, TEXT_PERIOD)
        self._editor = Editor(server.gui, panel, controls, self._run)
        self._panel = PlanPanel(server.gui, controls, self._run)
        self._marks = Marks(server.scene, root, controls.move_object)

    def is_behind(self, view: PlanView) -> bool:
        """Return whether the texts still show an earlier view."""
        return self.board.is_behind(view)

    def draw(self, view: PlanView) -> None:
        """Draw a view in the scene."""
        self._marks.show(view)

    def write(self, view: PlanView, now: float) -> None:
        """Write what is due at `now` (s, any steady clock)."""
        self.board.show(view, now)

    def _follow(self, view: PlanView) -> None:
        """Show what can be done now."""
        if view.runs and not self._ran:
            self._begin()
        self._ran = view.runs
        self._editor.show(view)
        self._panel.show(view)

    def _run(self, program: ProgramText) -> None:
        """Run a program; nothing else drives the robot any more."""
        self._begin()
        self._controls.run(program)
