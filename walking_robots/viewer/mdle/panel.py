"""Put the controls of programs on the page and pass on what a person does with them."""

from collections.abc import Callable

import viser
from viser import Icon

from walking_robots.viewer.common.handles import set_if_new
from walking_robots.viewer.common.panel import add_button, add_choice
from walking_robots.viewer.mdle.state import PlanControls, PlanView, ProgramText, Wish

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
