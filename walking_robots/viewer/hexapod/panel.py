"""Put the controls on the page and pass on what a person does with them."""

from collections.abc import Callable
from typing import Any

import viser
from viser import Icon

from walking_robots.viewer.common.panel import (
    Switches,
    WalkPanel,
    add_button,
    add_switches,
    move_camera,
)
from walking_robots.viewer.hexapod.cameras import FIELD, VIEWS, CameraPose
from walking_robots.viewer.hexapod.machine import GaitChoice, HexapodMachine, Obstacles, Velocity
from walking_robots.viewer.hexapod.panel_body import BodyControls
from walking_robots.viewer.hexapod.panel_gait import GaitControls
from walking_robots.viewer.hexapod.state import Controls, ViewState
from walking_robots.viewer.hexapod.status import legend_html

SPEEDS_OF_TIME = (0.2, 10.0, 0.2)
HIDDEN = ('Working volumes', 'Wire frame')
"""Switches that begin off."""


class HexapodPanel(WalkPanel):
    """Buttons and sliders; each calls one function of `Controls`."""

    def __init__(
        self,
        gui: viser.GuiApi,
        controls: Controls,
        machine: HexapodMachine,
        switches: Switches,
        view: Callable[[str], CameraPose] | None = None,
    ) -> None:
        """Add the controls to the main panel.

        `switches` change what the page shows; `view` gives one of `VIEWS`, None where there are
        none.
        """
        super().__init__(gui, controls)
        self._gait: GaitControls | None = None
        with gui.add_folder('Drive'):
            self._add_start()
            forward, lateral, turn = machine.velocities
            self._forward = self._add_limited('Forward, m/s', forward)
            self._lateral = self._add_limited('To the left, m/s', lateral)
            self._turn = self._add_limited('Turn left, rad/s', turn)
        if machine.gaits:
            with gui.add_folder('Gait'):
                self._gait = GaitControls(gui, machine.gaits, controls.gait, self._limit)
        if machine.body is not None:
            with gui.add_folder('Body'):
                BodyControls(gui, machine.body, controls.body)
        with gui.add_folder('Time'):
            self._add_time(SPEEDS_OF_TIME, 'one step')
        with gui.add_folder('Terrain'):
            if machine.obstacles is not None:
                self._add_obstacles(machine.obstacles, controls)
            add_button(gui, 'Back to the start', self._reset, icon=Icon.REFRESH)
        with gui.add_folder('View'):
            add_switches(gui, switches, HIDDEN)
            if view is not None:
                self._add_views(view)
        with gui.add_folder('Colours'):
            gui.add_html(legend_html(machine))

    def follow(self, state: ViewState) -> None:
        """Show the gait that the robot walks by."""
        if self._gait is not None:
            self._gait.follow(state.mode)

    def _add_limited(self, label: str, velocity: Velocity) -> viser.GuiSliderHandle[float]:
        """Add a slider for one velocity, symmetrical about rest."""
        end = _end(velocity.limit, velocity.step)
        hint = f'From {velocity.least:.3f} on; less lies in the dead zone'
        return self._add_velocity(
            label, -end, end, velocity.step, velocity.value, hint=hint if velocity.least else None
        )

    def _limit(self, gait: GaitChoice) -> None:
        """Limit the sliders to what a gait can do."""
        limits = (gait.speed, gait.speed, gait.turn)
        for slider, limit in zip(self._velocities, limits, strict=True):
            end = _end(limit, slider.step)
            slider.min, slider.max = -end, end
            slider.value = max(-end, min(end, slider.value))  # type: ignore[misc]

    def _add_obstacles(self, obstacles: Obstacles, controls: Controls) -> None:
        """Add what makes up a new terrain."""
        gui, width = self._gui, None
        if obstacles.widest:
            width = gui.add_slider(
                'Ditch width, m',
                0.0,
                obstacles.widest,
                0.1,
                obstacles.ditch,
                hint='0 for no ditch',
            )
        share = gui.add_slider('Forbidden cells, %', 0, 90, 5, round(100 * obstacles.share))
        seed = gui.add_number(
            'Seed', 77, min=0, max=999_999, step=1, hint='The same seed gives the same terrain'
        )

        def renew() -> None:
            self._walking = False
            ditch = 0.0 if width is None else width.value
            controls.new_terrain(ditch, share.value / 100.0, seed.value)

        add_button(gui, 'New terrain', renew, icon=Icon.MOUNTAIN)

    def _add_views(self, view: Callable[[str], CameraPose]) -> None:
        """Add buttons, each of which takes the person who presses it to a view."""
        group = self._gui.add_button_group('Look from', tuple(VIEWS))

        @group.on_click
        def _(event: viser.GuiEvent[Any]) -> None:
            move_camera(event.client, *view(group.value), FIELD)


def _end(limit: float, step: float) -> float:
    """Return the last multiple of a step within a limit, without digits that say nothing."""
    return round(int(limit / step + 1e-9) * step, 9)
