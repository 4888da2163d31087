"""What a page gets that shows programs: a tab, controls, a text to write, marks in the scene."""

from collections.abc import Callable

import viser
from viser import Icon

from walking_robots.viewer.common.board import TEXT_PERIOD, Board
from walking_robots.viewer.common.markup import FAINT, TEXT
from walking_robots.viewer.common.panel import (
    add_button,
    add_choice,
    add_command_folder,
    add_start,
)
from walking_robots.viewer.mdle.marks import Marks
from walking_robots.viewer.mdle.state import PlanControls, PlanView, ProgramText, Steering
from walking_robots.viewer.mdle.status import heading_html, log_html, memory_html, remarks_html
from walking_robots.viewer.mdle.tree import tree_html
from walking_robots.viewer.mdle.way_marks import WayMarks
from walking_robots.viewer.mdle.way_panel import WayPanel, legend_html, way_html

NO_PLAN = '(none is known yet)'
"""What can be chosen before the plans of the executor are known."""

_STEER: dict[str, Steering] = {'Pause': 'pause', 'Resume': 'resume', 'Step': 'step'}


class PlanPanel:
    """Buttons and fields; each calls one function of `PlanControls`."""

    def __init__(
        self, gui: viser.GuiApi, controls: PlanControls, run: Callable[[ProgramText], None]
    ) -> None:
        """Add the controls to the main panel; `run` is called with the plan that is chosen."""
        self._gui = gui
        self._controls = controls
        self._run_program = run
        self._question = ''
        with add_command_folder(gui, 'Plan'):
            self._add_plans()
        with add_command_folder(gui, 'Moving object', expand_by_default=False):
            self._add_object()

    def show(self, view: PlanView) -> None:
        """Offer what is known, and what can be done now."""
        plans = view.plans or (NO_PLAN,)
        if tuple(self._plan.options) != plans:
            self._plan.options = plans
        self._run.disabled = view.runs
        for handle in (self._answer, self._give):
            handle.visible = bool(view.question)
        if view.question != self._question:
            self._question = view.question
            self._answer.value = ''  # type: ignore[misc]

    def _add_plans(self) -> None:
        """Add the plans that can be chosen, and what is done with a program that runs."""
        self._plan = self._gui.add_dropdown('Plan', (NO_PLAN,), hint='Plans that are shipped')
        self._arguments = self._gui.add_text(
            'Arguments', '', hint='Of the plan, by name: side = 0.5 m, times = 3'
        )
        self._run = add_start(self._gui, 'Run', self.run_chosen)
        hint = 'Step: to the next element, and pause again'
        add_choice(self._gui, 'Running', _STEER, self._controls.steer, hint)
        self._answer = self._gui.add_text(
            'Answer', '', hint='To what the program asks, which stands above', visible=False
        )
        self._give = add_button(
            self._gui, 'Answer', self.give_answer, icon=Icon.MESSAGE, visible=False
        )

    def _add_object(self) -> None:
        """Add where the object of an emulated world is put."""
        x = self._gui.add_number('x, m', 2.0, step=0.05)
        y = self._gui.add_number('y, m', 1.0, step=0.05)
        move = self._gui.add_button(
            'Put the object here', icon=Icon.MAP_PIN, hint='Or drag it by its arrows'
        )
        move.on_click(lambda _: self._controls.move_object(float(x.value), float(y.value)))

    def run_chosen(self) -> None:
        """Run the plan that is chosen."""
        if self._plan.value != NO_PLAN:
            chosen = ProgramText(name=self._plan.value, arguments=self._arguments.value)
            self._run_program(chosen)

    def give_answer(self) -> None:
        """Pass on what is written as an answer."""
        self._controls.answer(self._answer.value)


_EXAMPLE = """\
mdle 1;
import std.body2;

plan there_and_back {
  until contact => abort;
  do {
    drive(0.5 m);
    spin(180 deg);
    drive(0.5 m);
  }
}
"""
# The library's field is made for a sentence, not for a program.
_LOOK = (
    '<style>textarea{font-family:ui-monospace,monospace!important;white-space:pre!important;'
    'overflow-x:auto!important;min-height:300px!important}</style>'
    f'<div style="{TEXT}{FAINT}">Paste or write a program of the motion language.</div>'
)


class Editor:
    """A text, and what can be done with it; in a tab of a panel."""

    def __init__(
        self,
        gui: viser.GuiApi,
        panel: viser.PanelHandle,
        controls: PlanControls,
        run: Callable[[ProgramText], None],
    ) -> None:
        """Add the tab; `run` is called with the program that is written."""
        self._source = ''
        with panel.add_tab('Program text'):
            gui.add_html(_LOOK)
            self._text = gui.add_text('Text', _EXAMPLE, multiline=True)
            self._form = gui.add_dropdown('Form', ('mdle', 'yaml'))
            look = {'icon': Icon.CHECKLIST, 'hint': 'Nothing moves'}
            add_button(gui, 'Check', lambda: controls.check(self.program()), **look)
            self._run = add_start(gui, 'Run this text', lambda: run(self.program()))
            look = {'icon': Icon.COPY, 'hint': 'To be changed and run again'}
            add_button(gui, 'Take the text of what ran', self.copy, **look)
            self._remarks = gui.add_html('')

    def show(self, view: PlanView) -> None:
        """Say what is wrong, and offer what can be done now."""
        self._run.disabled = view.runs
        self._remarks.content = remarks_html(view.remarks)
        self._source = view.source

    def program(self) -> ProgramText:
        """Return the program that is written here."""
        return ProgramText(text=self._text.value, form=self._form.value)

    def copy(self) -> None:
        """Take the text of the program that runs or ran last, if there is one."""
        if self._source:
            self._text.value = self._source  # type: ignore[misc]


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
        self._started = self._asked = False
        self._offered = False
        self._way = WayMarks(server.scene, root)
        self._way_panel = WayPanel(server.gui, controls.way, self._ask, self._way.map.switch)
        self.board: Board[PlanView] = Board(server.gui, panel)
        with self.board.tab('Plan'):
            self.board.text(heading_html)
            self.board.text(lambda view: remarks_html(view.remarks))
            self.board.text(tree_html)
            self.board.text(lambda view: log_html(view.log))
            self.board.text(memory_html)
        with self.board.tab('Map and way'):
            self.board.text(lambda view: way_html(view.way))
            server.gui.add_html(legend_html())
        self.board.add(self._follow, TEXT_PERIOD)
        self._editor = Editor(server.gui, panel, controls, self._run)
        self._panel = PlanPanel(server.gui, controls, self._run)
        self._marks = Marks(server.scene, root, controls.move_object)

    def leave(self) -> None:
        """End a program that was started here; those of others go on."""
        if self._started:
            self._started = False
            self._controls.cancel()
        if self._asked:
            self._asked = False
            self._controls.way.cancel()

    def is_behind(self, view: PlanView) -> bool:
        """Return whether the texts still show an earlier view."""
        return self.board.is_behind(view)

    def draw(self, view: PlanView) -> None:
        """Draw a view in the scene."""
        self._marks.show(view)
        self._way.show(view.way)

    def click(self, x: float, y: float) -> None:
        """Make a place on the floor, m in the map, the goal."""
        if self._offered:
            self._ask(f'{x:.2f},{y:.2f}')

    def write(self, view: PlanView, now: float) -> None:
        """Write what is due at `now` (s, any steady clock)."""
        self.board.show(view, now)

    def _follow(self, view: PlanView) -> None:
        """Show what can be done now."""
        if view.runs and not self._ran:
            self._begin()
        self._ran = view.runs
        self._offered = view.way.offered
        self._editor.show(view)
        self._panel.show(view)
        self._way_panel.show(view)

    def _ask(self, task: str) -> None:
        """Give the planner a task; nothing else drives the robot any more."""
        self._begin()
        self._controls.way.ask(task)
        self._asked = True

    def _run(self, program: ProgramText) -> None:
        """Run a program; nothing else drives the robot any more."""
        self._begin()
        self._controls.run(program)
        self._started = True
