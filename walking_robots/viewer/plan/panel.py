"""Put the controls of programs on the page and pass on what a person does with them."""

from collections.abc import Callable

import viser
from viser import Icon

from walking_robots.viewer.handles import set_if_new
from walking_robots.viewer.plan.state import PlanControls, PlanView, Program, Wish
from walking_robots.viewer.plan.status import remarks_html

__all__ = ['NO_PLAN', 'Panel']

NO_PLAN = '(none is known yet)'
"""What can be chosen before the executor has told its plans."""

_STEER: dict[str, Wish] = {'Pause': 'pause', 'Resume': 'resume', 'Step': 'step'}
_EXAMPLE = """\
mdle 1;
import std.body2;

plan there_and_back {
  do { drive(0.5 m); spin(180 deg); drive(0.5 m); }
}
"""


class Panel:
    """Buttons and fields; each calls one function of `PlanControls`."""

    def __init__(
        self, gui: viser.GuiApi, controls: PlanControls, begin: Callable[[], None]
    ) -> None:
        """Add the controls to the main panel; `begin` is called before a program is run."""
        self._gui = gui
        self._controls = controls
        self._begin = begin
        self._source = ''
        with gui.add_folder('Plan'):
            self._add_plans()
            self._remarks = gui.add_html('', visible=False)
        with gui.add_folder('Text of a program', expand_by_default=False):
            self._add_text()
        with gui.add_folder('Moving object', expand_by_default=False):
            self._add_object()

    def show(self, view: PlanView) -> None:
        """Offer what is known, and what can be done now."""
        plans = view.plans or (NO_PLAN,)
        if tuple(self._plan.options) != plans:
            self._plan.options = plans
        for button in (self._run, self._run_text):
            set_if_new(button, 'disabled', view.runs)
        content = remarks_html(view.remarks)
        set_if_new(self._remarks, 'content', content)
        set_if_new(self._remarks, 'visible', bool(content))
        self._source = view.source

    def _add_plans(self) -> None:
        """Add the plans that can be chosen, and what is done with a program that runs."""
        self._plan = self._gui.add_dropdown('Plan', (NO_PLAN,), hint='Plans that are shipped')
        self._run = self._gui.add_button('Run', color='green', icon=Icon.PLAYER_PLAY)
        self._run.on_click(lambda _: self._run_chosen())
        steer = self._gui.add_button_group(
            'Running', tuple(_STEER), hint='Step: to the next element, and pause again'
        )
        steer.on_click(lambda event: self._controls.steer(_STEER[event.target.value]))
        stop = self._gui.add_button(
            'Stop the plan', color='red', icon=Icon.PLAYER_STOP, hint='All programs end'
        )
        stop.on_click(lambda _: self._controls.stop())

    def _add_text(self) -> None:
        """Add a program to write."""
        self._text = self._gui.add_text('Text', _EXAMPLE, multiline=True)
        self._form = self._gui.add_dropdown('Form', ('mdle', 'yaml'))
        check = self._gui.add_button('Check', icon=Icon.CHECKLIST, hint='Nothing moves')
        check.on_click(lambda _: self._controls.check(self._written()))
        self._run_text = self._gui.add_button(
            'Run this text', color='green', icon=Icon.PLAYER_PLAY
        )
        self._run_text.on_click(lambda _: self._run_program(self._written()))
        copy = self._gui.add_button(
            'Take the text of what ran', icon=Icon.COPY, hint='Its text comes here to be changed'
        )
        copy.on_click(lambda _: self._copy())

    def _add_object(self) -> None:
        """Add where the object of an emulated world is put."""
        x = self._gui.add_number('x, m', 1.0, step=0.05)
        y = self._gui.add_number('y, m', 0.0, step=0.05)
        move = self._gui.add_button(
            'Put the object here', icon=Icon.MAP_PIN, hint='Or drag it by its arrows'
        )
        move.on_click(lambda _: self._controls.move_object(float(x.value), float(y.value)))

    def _run_chosen(self) -> None:
        """Run the plan that is chosen."""
        if self._plan.value != NO_PLAN:
            self._run_program(Program(name=self._plan.value))

    def _run_program(self, program: Program) -> None:
        """Run a program; nothing else drives the robot any more."""
        self._begin()
        self._controls.run(program)

    def _written(self) -> Program:
        """Return the program that is written here."""
        return Program(text=self._text.value, form=self._form.value)

    def _copy(self) -> None:
        """Take the text of the program that runs or ran last."""
        if self._source:
            set_if_new(self._text, 'value', self._source)
