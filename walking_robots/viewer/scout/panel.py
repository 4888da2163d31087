"""Put the controls on the Scout's page and pass on what a person does with them."""

import threading

import viser
from viser import Icon

from walking_robots.robots.wheeled import WheeledModel
from walking_robots.viewer.common.controls import Axis
from walking_robots.viewer.common.markup import FAINT, TEXT
from walking_robots.viewer.common.panel import (
    ON_OFF,
    Switches,
    add_button,
    add_choice,
    add_switches,
)
from walking_robots.viewer.scout.state import FAULTS, ScoutControls, ScoutView
from walking_robots.viewer.scout.status import legend_html

# Shares of the chosen speed and turning rate.
_MOTIONS = {'Ahead': (1, 0), 'Back': (-1, 0), 'Left': (0, 1), 'Right': (0, -1)}
_BY_HAND = 'Keys or pad'
_HELD = 'A motion goes on until Stop, another motion, or until the page is not visible.'


class ScoutPanel:
    """Buttons and sliders; each calls one function of `ScoutControls`."""

    axes: tuple[Axis, ...] = ('ahead', 'turn')

    def __init__(
        self,
        gui: viser.GuiApi,
        controls: ScoutControls,
        model: WheeledModel,
        switches: Switches,
    ) -> None:
        """Add the controls to the main panel; `switches` change what the page shows."""
        self._gui = gui
        self._controls = controls
        self._motion = ''
        self._wanders = False
        # The library calls from many threads, and a velocity must not pass a later stop.
        self._in_order = threading.RLock()
        with gui.add_folder('Drive'):
            self._add_drive(model)
        with gui.add_folder('Robot'):
            self._add_robot()
        with gui.add_folder('Faults of the emulator'):
            self._add_faults()
        with gui.add_folder('View'):
            add_switches(gui, switches)
        with gui.add_folder('Colours'):
            gui.add_html(legend_html())

    def follow(self, state: ScoutView) -> None:
        """Show nothing: all that a person chose here stays as it was chosen."""

    def leave(self) -> None:
        """End a motion or wandering that was started here; what others started goes on."""
        with self._in_order:
            if self._motion or self._wanders:
                self.stop()

    def drive(self, ahead: float, left: float, turn: float) -> None:
        """Hold a velocity, in shares -1 ... 1 of the sliders' limits; all 0: stop."""
        with self._in_order:
            if not (ahead or turn):
                self.stop()
                return
            self._motion, self._wanders = _BY_HAND, False
            self._controls.drive(ahead * self._speed.max, turn * self._turn.max)
            self._show_motion()

    def rest(self) -> None:
        """Forget the chosen motion."""
        with self._in_order:
            self._motion, self._wanders = '', False
            self._show_motion()

    def _add_drive(self, model: WheeledModel) -> None:
        """Add the pad, its velocity in words, and the switch to wander."""
        gui = self._gui
        for label, names in (('Go', ('Ahead', 'Back')), ('Turn', ('Left', 'Right'))):
            add_choice(gui, label, {name: name for name in names}, self._choose, _HELD)
        self._asked = gui.add_html('')
        self._speed = gui.add_slider(
            'Speed, m/s', 0.05, model.default_speed, 0.05, 0.2, hint='Of Ahead and Back'
        )
        self._turn = gui.add_slider(
            'Turn rate, rad/s', 0.1, model.default_turn, 0.1, 0.5, hint='Of Left and Right'
        )
        for slider in (self._speed, self._turn):
            slider.on_update(lambda _: self._drive())
        hint = 'The robot finds its way by itself, until Stop or until the page is not visible'
        add_choice(gui, 'Wander', ON_OFF, self._choose_to_wander, hint)
        self._show_motion()

    def _choose(self, motion: str) -> None:
        """Begin a motion."""
        with self._in_order:
            self._motion, self._wanders = motion, False
            self._drive()

    def _drive(self) -> None:
        """Pass on the velocity of the chosen motion, if there is one."""
        with self._in_order:
            if self._motion in _MOTIONS:
                ahead, left = _MOTIONS[self._motion]
                self._controls.drive(ahead * self._speed.value, left * self._turn.value)
            self._show_motion()

    def stop(self) -> None:
        """End whatever motion there is."""
        with self._in_order:
            self._controls.stop()
            self.rest()

    def _choose_to_wander(self, wanted: bool) -> None:
        """Start or stop wandering."""
        with self._in_order:
            self.rest()
            self._wanders = wanted
            self._controls.wander(wanted)

    def _show_motion(self) -> None:
        """Show the commanded velocity."""
        words = (
            f'<b>{self._motion}</b>, until Stop' if self._motion else 'No motion is chosen here'
        )
        self._asked.content = (
            f'<div id="asked" title="{_HELD}" style="{TEXT}padding-bottom:2px;'
            f'text-align:center;{"" if self._motion else FAINT}">{words}</div>'
        )

    def _add_robot(self) -> None:
        """Add the other requests."""
        gui, controls = self._gui, self._controls
        hint = 'Without power the wheels can be turned by hand'
        add_choice(gui, 'Motors', ON_OFF, controls.motors, hint)
        icon, hint = Icon.CURRENT_LOCATION, 'Here becomes the origin'
        add_button(gui, 'Reset odometry', controls.reset_odometry, icon=icon, hint=hint)
        hint = 'Only an emulated robot can do that'
        add_button(gui, 'Back to the start', self._restart, icon=Icon.REFRESH, hint=hint)

    def _restart(self) -> None:
        """Put an emulated robot back, at rest."""
        with self._in_order:
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
