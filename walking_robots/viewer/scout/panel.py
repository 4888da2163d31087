"""Put the controls on the Scout's page and pass on what a person does with them."""

import threading

import viser
from viser import Icon

from walking_robots.robots.wheeled import WheeledModel
from walking_robots.viewer.common.controls import Axis
from walking_robots.viewer.common.panel import (
    ON_OFF,
    Switches,
    add_button,
    add_choice,
    add_command_folder,
    add_switches,
)
from walking_robots.viewer.scout.state import FAULTS, ScoutControls, ScoutView
from walking_robots.viewer.scout.status import legend_html


class ScoutPanel:
    """Buttons; each calls one function of `ScoutControls`."""

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
        self._model = model
        self._moves = False
        # The library calls from many threads, and a velocity must not pass a later stop.
        self._in_order = threading.RLock()
        with add_command_folder(gui, 'Drive'):
            hint = 'The robot finds its way by itself, until Stop or until the page is not visible'
            add_choice(gui, 'Wander', ON_OFF, self._choose_to_wander, hint)
        with add_command_folder(gui, 'Robot'):
            self._add_robot()
        with add_command_folder(gui, 'Faults of the emulator'):
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
            if self._moves:
                self.stop()

    def drive(self, ahead: float, left: float, turn: float) -> None:
        """Hold a velocity, in shares -1 ... 1 of the robot's speeds; all 0: stop."""
        with self._in_order:
            if not (ahead or turn):
                self.stop()
                return
            self._moves = True
            speed, rate = self._model.default_speed, self._model.default_turn
            self._controls.drive(ahead * speed, turn * rate)

    def rest(self) -> None:
        """Leave the motion to what drives the robot now."""
        with self._in_order:
            self._moves = False

    def stop(self) -> None:
        """End whatever motion there is."""
        with self._in_order:
            self._controls.stop()
            self.rest()

    def _choose_to_wander(self, wanted: bool) -> None:
        """Start or stop wandering."""
        with self._in_order:
            self._moves = wanted
            self._controls.wander(wanted)

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
