"""Put the controls on the page of ARS MAGNA and pass on what a person does with them."""

import math
from collections.abc import Callable

import viser
from viser import Icon

from walking_robots.viewer.ars_magna import colours
from walking_robots.viewer.ars_magna.state import (
    ArsControls,
    ArsView,
    NewThingForm,
    ProgramView,
    WorldPicture,
)
from walking_robots.viewer.ars_magna.status import legend_html
from walking_robots.viewer.common.controls import Axis, ignore
from walking_robots.viewer.common.markup import FAINT, TEXT, safe
from walking_robots.viewer.common.panel import (
    Switches,
    add_button,
    add_choice,
    add_command_folder,
    add_start,
    add_switches,
)

NOTHING = '(none is known yet)'
"""The only choice while nothing is known."""

RATE = 5.0
"""Simulated time per wall time that a person can follow, with ticks of 1 s."""

_MOVE, _MAKE, _PLACE = 'moves the thing', 'makes a thing', 'places the robot'
_LOOK = 'only looks'


class ArsPanel:
    """Buttons and fields; each calls one function of `ArsControls`."""

    # The robots of this world move by programs.
    axes: tuple[Axis, ...] = ()
    drive = staticmethod(ignore)

    def __init__(
        self,
        gui: viser.GuiApi,
        controls: ArsControls,
        switches: Switches,
        choose: Callable[[str], None],
    ) -> None:
        """Add the controls to the main panel.

        `switches` change what the page shows; `choose` is called with the name of the robot that
        is to be shown.
        """
        self._gui = gui
        self._controls = controls
        self._programs: tuple[ProgramView, ...] = ()
        self._ran = self._fetched = ''
        self._held = False
        with add_command_folder(gui, 'Program'):
            self._add_program()
        with add_command_folder(gui, 'Time and noise'):
            self._add_time()
        with add_command_folder(gui, 'World'):
            self._add_world()
        with add_command_folder(gui, 'A click on the floor'):
            self._add_click(choose)
        with gui.add_folder('View'):
            add_switches(gui, switches)
        with gui.add_folder('Colours', expand_by_default=False):
            gui.add_html(legend_html())

    def stop(self) -> None:
        """End the program of the robot."""
        self._controls.stop()

    def leave(self) -> None:
        """Leave the program of the robot running."""

    def follow(self, view: ArsView) -> None:
        """Offer what is known, and what can be done now."""
        picture = view.picture or WorldPicture()
        _offer(self._robot, [robot.name for robot in picture.robots])
        _offer(self._thing, [thing.label for thing in picture.things])
        if view.programs != self._programs:
            self._programs = view.programs
            _offer(self._program, [program.name for program in view.programs])
            self._show_summary()
        if view.run.program != self._ran and view.run.program in self._program.options:
            self._ran = view.run.program
            self._program.value = self._ran  # type: ignore[misc]
        if view.run.thing and view.run.thing != self._fetched:
            self._fetched = view.run.thing
            self._what.value = view.run.thing  # type: ignore[misc]
        _offer(self._world, list(view.worlds))
        self._enter.disabled = not view.worlds
        self._start.disabled = view.run.runs or not view.programs

    def click(self, x: float, y: float) -> None:
        """Do what a click on the floor is to do."""
        match self._click.value:
            case str(action) if action == _MOVE and self._thing.value != NOTHING:
                self._controls.move_thing(self._thing.value, x, y)
            case str(action) if action == _MAKE:
                name, colour, size = self._name.value, self._colour.value, self._size.value
                self._controls.new_thing(NewThingForm(name, colour, float(size)), x, y)
            case str(action) if action == _PLACE and self._robot.value != NOTHING:
                self._controls.place_robot(self._robot.value, x, y)

    def _add_program(self) -> None:
        """Add the programs that can be chosen, and what they fetch."""
        self._program = self._gui.add_dropdown('Program', (NOTHING,))
        self._program.on_update(lambda _: self._show_summary())
        self._words = self._gui.add_html('')
        self._what = self._gui.add_text(
            'Thing', '', hint='What it is like, such as color=lightblue size=4..6'
        )
        self._start = add_start(self._gui, 'Start', self._start_chosen)

    def _start_chosen(self) -> None:
        """Start the program that is chosen."""
        if self._program.value != NOTHING:
            self._controls.start(self._program.value, self._what.value)

    def _show_summary(self) -> None:
        """Show what the chosen program does."""
        summaries = {program.name: program.summary for program in self._programs}
        words = safe(summaries.get(self._program.value, ''))
        self._words.content = f'<div style="{TEXT}{FAINT}">{words}</div>'

    def _add_time(self) -> None:
        """Add pause, single ticks, their rate, and noise."""
        gui, controls = self._gui, self._controls
        actions = {action: action for action in ('Pause', 'Run', 'Step')}
        add_choice(gui, 'Time', actions, self._run_time, 'Step: one tick, and then hold')
        self._rate = rate = gui.add_slider(
            'Speed of time', 1.0, 50.0, 1.0, RATE, hint='Of 1, a tick takes a second'
        )
        rate.on_update(lambda _: controls.rate(float(rate.value)))
        hint = 'Clean: all is perceived and done without error'
        add_choice(gui, 'Noise', {'Clean': True, 'Dirty': False}, controls.clean, hint)

    def _run_time(self, action: str) -> None:
        """Hold time, let it go on, or let a tick pass."""
        # A tick more of a running world means nothing, so the first press holds it.
        if action == 'Step' and self._held:
            self._controls.step(1)
        else:
            self._held = action != 'Run'
            self._controls.hold(self._held)

    def _add_world(self) -> None:
        """Add the worlds that can be entered."""
        self._world = self._gui.add_dropdown('World', (NOTHING,))
        hint = 'All that has happened is lost'
        self._enter = add_button(
            self._gui, 'Begin there', self._enter_world, icon=Icon.MAP, disabled=True, hint=hint
        )

    def _enter_world(self) -> None:
        """Begin in another world, where time runs as it did in the first."""
        self._held = False
        self._rate.value = RATE  # type: ignore[misc]
        self._controls.enter(self._world.value)

    def _add_click(self, choose: Callable[[str], None]) -> None:
        """Add what a click does, and with what."""
        self._click = self._gui.add_dropdown('It', (_LOOK, _MOVE, _MAKE, _PLACE))
        self._thing = self._gui.add_dropdown('Thing', (NOTHING,))
        self._name = self._gui.add_text('Name', 'box', hint='Of a thing that is made')
        self._colour = self._gui.add_dropdown('Colour', tuple(colours.THINGS))
        self._size = self._gui.add_number('Size', 5.0, min=0.0, max=100.0, step=0.5)
        self._robot = self._gui.add_dropdown('Robot', (NOTHING,))
        self._robot.on_update(lambda _: choose(self._robot.value))
        heading = self._gui.add_number('Heading, °', 0.0, step=15.0, hint='Clockwise from x')

        def turn() -> None:
            if self._robot.value != NOTHING:
                self._controls.turn_robot(self._robot.value, math.radians(heading.value))

        icon = Icon.ROTATE_CLOCKWISE
        add_button(self._gui, 'Turn the robot there', turn, icon=icon)


def _offer(field: 'viser.GuiDropdownHandle[str]', names: list[str]) -> None:
    """Offer a choice among names."""
    options = tuple(names) or (NOTHING,)
    if tuple(field.options) != options:
        field.options = options
