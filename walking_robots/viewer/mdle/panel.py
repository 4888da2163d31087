"""Put the controls of programs on the page, and a text that a person may write."""

from collections.abc import Callable

import viser
from viser import Icon

from walking_robots.viewer.common.handles import set_if_new
from walking_robots.viewer.common.markup import FAINT, TEXT
from walking_robots.viewer.common.panel import add_button, add_choice
from walking_robots.viewer.mdle.state import PlanControls, PlanView, ProgramText, Wish
from walking_robots.viewer.mdle.status import remarks_html

NO_PLAN = '(none is known yet)'
"""What can be chosen before the plans of the executor are known."""

_STEER: dict[str, Wish] = {'Pause': 'pause', 'Resume': 'resume', 'Step': 'step'}


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
        with gui.add_folder('Plan'):
            self._add_plans()
        with gui.add_folder('Moving object', expand_by_default=False):
            self._add_object()

    def show(self, view: PlanView) -> None:
        """Offer what is known, and what can be done now."""
        plans = view.plans or (NO_PLAN,)
        if tuple(self._plan.options) != plans:
            self._plan.options = plans
        set_if_new(self._run, 'disabled', view.runs)
        for handle in (self._answer, self._give):
            set_if_new(handle, 'visible', bool(view.question))
        if view.question != self._question:
            self._question = view.question
            set_if_new(self._answer, 'value', '')

    def _add_plans(self) -> None:
        """Add the plans that can be chosen, and what is done with a program that runs."""
        self._plan = self._gui.add_dropdown('Plan', (NO_PLAN,), hint='Plans that are shipped')
        self._arguments = self._gui.add_text(
            'Arguments', '', hint='Of the plan, by name: side = 0.5 m, times = 3'
        )
        self._run = add_button(
            self._gui, 'Run', self.run_chosen, color='green', icon=Icon.PLAYER_PLAY
        )
        hint = 'Step: to the next element, and pause again'
        add_choice(self._gui, 'Running', _STEER, self._controls.steer, hint)
        look = {'color': 'red', 'icon': Icon.PLAYER_STOP, 'hint': 'All programs end'}
        add_button(self._gui, 'Stop the plan', self._controls.stop, **look)
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
            check = gui.add_button('Check', icon=Icon.CHECKLIST, hint='Nothing moves')
            check.on_click(lambda _: controls.check(self.program()))
            self._run = gui.add_button('Run this text', color='green', icon=Icon.PLAYER_PLAY)
            self._run.on_click(lambda _: run(self.program()))
            copy = gui.add_button(
                'Take the text of what ran', icon=Icon.COPY, hint='To be changed and run again'
            )
            copy.on_click(lambda _: self.copy())
            self._remarks = gui.add_html('')

    def show(self, view: PlanView) -> None:
        """Say what is wrong, and offer what can be done now."""
        set_if_new(self._run, 'disabled', view.runs)
        set_if_new(self._remarks, 'content', remarks_html(view.remarks))
        self._source = view.source

    def program(self) -> ProgramText:
        """Return the program that is written here."""
        return ProgramText(text=self._text.value, form=self._form.value)

    def copy(self) -> None:
        """Take the text of the program that runs or ran last, if there is one."""
        if self._source:
            set_if_new(self._text, 'value', self._source)
