"""Put the controls on a biped's page and pass on what a person does with them."""

from collections.abc import Callable, Mapping

import viser
from viser import Icon

from walking_robots.viewer.biped.panel_ground import GroundControls
from walking_robots.viewer.biped.scene import SIDE_VIEW
from walking_robots.viewer.biped.state import BipedControls, BipedSettings, BipedView
from walking_robots.viewer.biped.status import legend_html, settings_html
from walking_robots.viewer.common.handles import set_if_new
from walking_robots.viewer.common.panel_time import SpeedRange, add_time

SPEEDS_OF_TIME = SpeedRange(0.05, 2.0, 0.05)

SPEED, FASTEST = 0.4, 0.6
"""Speeds, m/s: first offered, which is that of the thesis (biped.md §7.1), and the greatest."""
PUSH, BACKWARD, FORWARD = 20, -40, 60
"""Forces, N: first offered, and the strongest to either side (biped.md §15.7)."""

ROBOTS: Mapping[str, str] = {'A prismatic': 'a', 'B revolute': 'b'}
PARAMS: Mapping[str, str] = {'Tuned': 'tuned', 'Literal': 'literal'}


class BipedPanel:
    """Buttons and sliders; each calls one function of `BipedControls`."""

    def __init__(
        self,
        gui: viser.GuiApi,
        controls: BipedControls,
        switches: Mapping[str, Callable[[bool], None]],
    ) -> None:
        """Add the controls to the main panel; `switches` change what the page shows."""
        self._gui = gui
        self._controls = controls
        self._walking = False
        with gui.add_folder('Walk'):
            self._add_walk()
        with gui.add_folder('Robot'):
            self._add_robot()
        with gui.add_folder('Ground'):
            self._ground = GroundControls(gui, controls.ground)
        with gui.add_folder('Push'):
            self._add_push()
        with gui.add_folder('Time'):
            self._add_time()
        with gui.add_folder('View'):
            self._add_view(switches)
        with gui.add_folder('Colours', expand_by_default=False):
            gui.add_html(legend_html())

    def follow(self, state: BipedView) -> None:
        """Show which robot walks where and by which numbers, whoever asked for that."""
        set_if_new(self._settings, 'content', settings_html(state.settings))
        self._ground.follow(state.settings)

    def _add_walk(self) -> None:
        """Add start, stop, speed, and the way back to the start."""
        start = self._gui.add_button('Start walking', color='green', icon=Icon.PLAYER_PLAY)
        stop = self._gui.add_button('Stop', color='red', icon=Icon.PLAYER_STOP)
        self._speed = self._gui.add_slider(
            'Speed, m/s', 0.0, FASTEST, 0.05, SPEED, hint='Desired; it varies within a step'
        )
        again = self._gui.add_button(
            'Set up again', icon=Icon.REFRESH, hint='Back to the start, on its feet'
        )
        start.on_click(lambda _: self._start())
        stop.on_click(lambda _: self._stop())
        again.on_click(lambda _: self._reset())
        self._speed.on_update(lambda _: self._walk())

    def leave(self) -> None:
        """End a walk that nobody is left to stop; what others asked for goes on."""
        if self._walking:
            self._stop()

    def _start(self) -> None:
        """Begin to walk with the speed of the slider."""
        self._walking = True
        self._walk()

    def _walk(self) -> None:
        """Pass on the speed, if the person has asked to walk."""
        if self._walking:
            self._controls.walk(float(self._speed.value))

    def _stop(self) -> None:
        """Come to stand; the slider keeps its value for the next start."""
        self._walking = False
        self._controls.stop()

    def _reset(self) -> None:
        """Set the robot up again, at rest."""
        self._walking = False
        self._controls.reset()

    def _add_robot(self) -> None:
        """Add the two robots, and the numbers by which they walk."""
        robot = self._gui.add_button_group(
            'Knees', tuple(ROBOTS), hint='KWALKA shortens its legs, KWALKB bends them'
        )
        params = self._gui.add_button_group(
            'Numbers',
            tuple(PARAMS),
            hint='Literal: as the thesis prints them. Tuned: as suits the ground.',
        )
        self._settings = self._gui.add_html(settings_html(BipedSettings()))
        robot.on_click(lambda event: self._controls.robot(ROBOTS[event.target.value]))
        params.on_click(lambda event: self._controls.params(PARAMS[event.target.value]))

    def _add_push(self) -> None:
        """Add a push at the hips."""
        force = self._gui.add_slider(
            'Force, N', BACKWARD, FORWARD, 5, PUSH, hint='Forward, at the hips, for 0.1 s'
        )
        push = self._gui.add_button('Push', icon=Icon.ARROW_BIG_RIGHT)
        push.on_click(lambda _: self._controls.push(float(force.value)))

    def _add_time(self) -> None:
        """Add pause, single step and the speed of time."""
        controls = self._controls
        add_time(
            self._gui,
            SPEEDS_OF_TIME,
            '4 ms',
            pause=controls.pause,
            step=controls.step,
            speed_of_time=controls.speed_of_time,
        )

    def _add_view(self, switches: Mapping[str, Callable[[bool], None]]) -> None:
        """Add what is shown and what not, and the way back to the side."""
        for label, act in switches.items():
            self._add_switch(label, act)
        side = self._gui.add_button('Look from the side', icon=Icon.CAMERA)

        @side.on_click
        def _(event: viser.GuiEvent[viser.GuiButtonHandle]) -> None:
            if event.client is None:
                return
            with event.client.atomic():
                event.client.camera.position, event.client.camera.look_at = SIDE_VIEW

    def _add_switch(self, label: str, act: Callable[[bool], None]) -> None:
        """Add a checkbox that calls `act`."""
        box = self._gui.add_checkbox(label, True)
        box.on_update(lambda _: act(box.value))
