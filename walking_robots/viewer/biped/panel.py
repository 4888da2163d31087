"""Put the controls on a biped's page and pass on what a person does with them."""

from collections.abc import Mapping

import viser
from viser import Icon

from walking_robots.viewer.biped.panel_ground import GroundControls
from walking_robots.viewer.biped.scene import SIDE_VIEW
from walking_robots.viewer.biped.state import BipedControls, BipedSettings, BipedView
from walking_robots.viewer.biped.status import legend_html, settings_html
from walking_robots.viewer.common.handles import set_if_new
from walking_robots.viewer.common.panel import (
    Switches,
    WalkPanel,
    add_button,
    add_choice,
    add_switches,
    move_camera,
)

SPEEDS_OF_TIME = (0.05, 2.0, 0.05)

SPEED, FASTEST = 0.4, 0.6
"""Speeds, m/s: first offered, which is that of the thesis (biped.md §7.1), and the greatest."""
PUSH, BACKWARD, FORWARD = 20, -40, 60
"""Forces, N: first offered, and the strongest to either side (biped.md §15.7)."""

ROBOTS: Mapping[str, str] = {'A prismatic': 'a', 'B revolute': 'b'}
PARAMS: Mapping[str, str] = {'Tuned': 'tuned', 'Literal': 'literal'}


class BipedPanel(WalkPanel):
    """Buttons and sliders; each calls one function of `BipedControls`."""

    def __init__(self, gui: viser.GuiApi, controls: BipedControls, switches: Switches) -> None:
        """Add the controls to the main panel; `switches` change what the page shows."""
        super().__init__(gui, controls)
        with gui.add_folder('Walk'):
            self._add_start()
            self._speed = self._add_velocity(
                'Speed, m/s', 0.0, FASTEST, 0.05, SPEED, hint='Desired; it varies within a step'
            )
            hint = 'Back to the start, on its feet'
            add_button(gui, 'Set up again', self._reset, icon=Icon.REFRESH, hint=hint)
        with gui.add_folder('Robot'):
            hint = 'KWALKA shortens its legs, KWALKB bends them'
            add_choice(gui, 'Knees', ROBOTS, controls.robot, hint)
            hint = 'Literal: as the thesis prints them. Tuned: as suits the ground.'
            add_choice(gui, 'Numbers', PARAMS, controls.params, hint)
            self._settings = gui.add_html(settings_html(BipedSettings()))
        with gui.add_folder('Ground'):
            self._ground = GroundControls(gui, controls.ground)
        with gui.add_folder('Push'):
            force = gui.add_slider(
                'Force, N', BACKWARD, FORWARD, 5, PUSH, hint='Forward, at the hips, for 0.1 s'
            )
            push = gui.add_button('Push', icon=Icon.ARROW_BIG_RIGHT)
            push.on_click(lambda _: controls.push(float(force.value)))
        with gui.add_folder('Time'):
            self._add_time(SPEEDS_OF_TIME, '4 ms')
        with gui.add_folder('View'):
            add_switches(gui, switches)
            side = gui.add_button('Look from the side', icon=Icon.CAMERA)
            side.on_click(lambda event: move_camera(event.client, *SIDE_VIEW))
        with gui.add_folder('Colours', expand_by_default=False):
            gui.add_html(legend_html())

    def follow(self, state: BipedView) -> None:
        """Show which robot walks where and by which numbers, whoever asked for that."""
        set_if_new(self._settings, 'content', settings_html(state.settings))
        self._ground.follow(state.settings)
