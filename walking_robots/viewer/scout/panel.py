"""Put the controls on the Scout's page and pass on what a person does with them."""

from collections.abc import Callable

import viser
from viser import Icon

from walking_robots.robots.wheeled import WheeledModel
from walking_robots.viewer.common.markup import FAINT, TEXT
from walking_robots.viewer.scout.state import FAULTS, ScoutControls, ScoutView
from walking_robots.viewer.scout.status import legend_html

# Shares of the chosen speed and turning rate.
_MOTIONS = {'Ahead': (1, 0), 'Back': (-1, 0), 'Left': (0, 1), 'Right': (0, -1)}
_HELD = 'A motion goes on until Stop, another motion, or the end of the page.'


class ScoutPanel:
    """Buttons and sliders; each calls one function of `ScoutControls`."""

    def __init__(
        self,
        gui: viser.GuiApi,
        controls: ScoutControls,
        model: WheeledModel,
        switches: dict[str, Callable[[bool], None]],
    ) -> None:
        """Add the controls to the main panel; `switches` change what the page shows."""
        self._gui = gui
        self._controls = controls
        self._motion = ''
        with gui.add_folder('Drive'):
            self._add_drive(model)
        with gui.add_folder('Robot'):
            self._add_robot()
        with gui.add_folder('Faults of the emulator'):
            self._add_faults()
        with gui.add_folder('View'):
            for label, act in switches.items():
                self._add_switch(label, act)
        with gui.add_folder('Colours'):
            gui.add_html(legend_html())

    def follow(self, state: ScoutView) -> None:
        """Show nothing: all that a person chose here stays as it was chosen."""

    def leave(self) -> None:
        """End a motion that nobody is left to stop; wandering goes on."""
        if self._motion:
            self._stop()

    def rest(self) -> None:
        """Forget the chosen motion."""
        self._motion = ''
        self._tell()

    def _add_drive(self, model: WheeledModel) -> None:
        """Add the pad, what it asks for, and the way to go without it."""
        for label, names in (('Go', ('Ahead', 'Back')), ('Turn', ('Left', 'Right'))):
            group = self._gui.add_button_group(label, names, hint=_HELD)
            group.on_click(lambda event: self._choose(event.target.value))
        stop = self._gui.add_button('Stop', color='red', icon=Icon.PLAYER_STOP)
        stop.on_click(lambda _: self._stop())
        self._asked = self._gui.add_html('')
        self._speed = self._gui.add_slider(
            'Speed, m/s', 0.05, model.default_speed, 0.05, 0.2, hint='Of Ahead and Back'
        )
        self._turn = self._gui.add_slider(
            'Turn rate, rad/s', 0.1, model.default_turn, 0.1, 0.5, hint='Of Left and Right'
        )
        for slider in (self._speed, self._turn):
            slider.on_update(lambda _: self._drive())
        wander = self._gui.add_button_group(
            'Wander', ('On', 'Off'), hint='The robot finds its way by itself, until Stop'
        )
        wander.on_click(lambda event: self._choose_to_wander(event.target.value == 'On'))
        self._tell()

    def _choose(self, motion: str) -> None:
        """Begin a motion."""
        self._motion = motion
        self._drive()

    def _drive(self) -> None:
        """Pass on the velocity of the chosen motion, if there is one."""
        if self._motion:
            ahead, left = _MOTIONS[self._motion]
            self._controls.drive(ahead * self._speed.value, left * self._turn.value)
        self._tell()

    def _stop(self) -> None:
        """End whatever motion there is."""
        self.rest()
        self._controls.stop()

    def _choose_to_wander(self, wanted: bool) -> None:
        """Let the robot find its way by itself, or no longer."""
        self.rest()
        self._controls.wander(wanted)

    def _tell(self) -> None:
        """Say what is being asked for."""
        words = (
            f'<b>{self._motion}</b>, until Stop' if self._motion else 'No motion is chosen here'
        )
        self._asked.content = (
            f'<div id="asked" title="{_HELD}" style="{TEXT}padding-bottom:2px;'
            f'text-align:center;{"" if self._motion else FAINT}">{words}</div>'
        )

    def _add_robot(self) -> None:
        """Add what else a robot can be asked for."""
        motors = self._gui.add_button_group(
            'Motors', ('On', 'Off'), hint='Without power the wheels can be turned by hand'
        )
        motors.on_click(lambda event: self._controls.motors(event.target.value == 'On'))
        reset = self._gui.add_button(
            'Reset odometry', icon=Icon.CURRENT_LOCATION, hint='Here becomes the origin'
        )
        reset.on_click(lambda _: self._controls.reset_odometry())
        again = self._gui.add_button(
            'Back to the start', icon=Icon.REFRESH, hint='Only an emulated robot can do that'
        )

        @again.on_click
        def _(_: object) -> None:
            self.rest()
            self._controls.restart()

    def _add_faults(self) -> None:
        """Add what can go wrong with an emulated robot."""
        names = {words: name for name, words in FAULTS.items()}
        fault = self._gui.add_dropdown('Fault', tuple(names))
        seconds = self._gui.add_number(
            'Seconds', 5.0, min=0.0, max=60.0, step=0.5, hint='0 ends this fault now'
        )
        inject = self._gui.add_button('Inject', icon=Icon.BOLT)
        inject.on_click(lambda _: self._controls.inject(names[fault.value], seconds.value))

    def _add_switch(self, label: str, act: Callable[[bool], None]) -> None:
        """Add a checkbox that calls `act`."""
        box = self._gui.add_checkbox(label, True)
        box.on_update(lambda _: act(box.value))
