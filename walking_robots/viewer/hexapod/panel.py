"""Put the controls on the page and pass on what a person does with them."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import viser
from viser import Icon

from walking_robots.viewer.common.cameras import FIELD
from walking_robots.viewer.common.controls import Axis
from walking_robots.viewer.common.panel import (
    Switches,
    WalkPanel,
    add_button,
    add_command_folder,
    add_switches,
    move_camera,
)
from walking_robots.viewer.hexapod.articulated_machine import tidy
from walking_robots.viewer.hexapod.machine import (
    BodyRange,
    GaitChoice,
    HexapodMachine,
    Obstacles,
    Velocity,
)
from walking_robots.viewer.hexapod.scene import VIEWS, CameraPose
from walking_robots.viewer.hexapod.state import Controls, ViewState
from walking_robots.viewer.hexapod.status import legend_html

_SHIFTS = (
    ('x, m', 'Shifts the body ahead over its feet'),
    ('y, m', 'Shifts the body to the left over its feet'),
    ('z, m', 'Raises the body'),
)
_TURNS = (
    ('Roll, °', 'Right side down'),
    ('Pitch, °', 'Nose down'),
    ('Yaw, °', 'Turns the body to the left over its feet'),
)


class BodyControls:
    """Six sliders, and a button that sets them back."""

    def __init__(self, gui: viser.GuiApi, body: BodyRange, act: Callable[..., None]) -> None:
        """Add the controls; `act` is called with three shifts (m) and three angles (rad)."""
        self._act = act
        self._resetting = False
        tilt, step = round(math.degrees(body.tilt)), tidy(body.shift / 50.0)
        self._sliders = [
            gui.add_slider(label, -body.shift, body.shift, step, 0.0, hint=hint)
            for label, hint in _SHIFTS
        ] + [
            gui.add_slider(label, -float(tilt), float(tilt), 0.5, 0.0, hint=hint)
            for label, hint in _TURNS
        ]
        for slider in self._sliders:
            slider.on_update(lambda _: self._ask())
        add_button(gui, 'Set the body back', self.reset, icon=Icon.ARROW_BACK_UP)

    def reset(self) -> None:
        """Ask for the neutral posture."""
        self._resetting = True
        for slider in self._sliders:
            slider.value = 0.0  # type: ignore[misc]
        self._resetting = False
        self._ask()

    def _ask(self) -> None:
        """Pass on the values of the controls."""
        if self._resetting:
            return
        values = [slider.value for slider in self._sliders]
        self._act(*values[:3], *map(math.radians, values[3:]))


LONGEST = 1.5
"""Longest period offered, times the shortest of the slowest gait."""


class GaitControls:
    """A choice of gaits and a slider of their period."""

    def __init__(
        self,
        gui: viser.GuiApi,
        gaits: tuple[GaitChoice, ...],
        act: Callable[[str, float], None],
        chosen: Callable[[GaitChoice], None],
    ) -> None:
        """Add the controls; `act` receives the values, `chosen` the gait with its speed limits."""
        self._gaits = {gait.name: gait for gait in gaits}
        self._act, self._chosen = act, chosen
        self._mode, self._following = '', False
        self._choice = gui.add_dropdown('Gait', tuple(self._gaits))
        longest = LONGEST * max(gait.period for gait in gaits)
        step = tidy(longest / 100.0)
        self._period = gui.add_slider(
            'Period, s', 0.0, round(longest / step) * step, step, 0.0,
            hint='Time of a cycle; 0: as short as the joints allow, which walks fastest',
        )  # fmt: skip
        for handle in (self._choice, self._period):
            handle.on_update(lambda _: self._ask())

    def follow(self, mode: str) -> None:
        """Show the gait of the robot, whoever changed it."""
        changed, self._mode = mode != self._mode, mode
        if changed and mode in self._gaits:
            self._following = True
            self._choice.value = mode  # type: ignore[misc]
            self._following = False

    def _ask(self) -> None:
        """Pass on the values of the controls."""
        gait, period = self._gaits[self._choice.value], self._period.value
        # In a longer time steps are no shorter, so that this speed is always within reach.
        share = min(1.0, gait.period / period) if period else 1.0
        self._chosen(replace(gait, speed=share * gait.speed, turn=share * gait.turn))
        if not self._following:
            self._act(gait.name, period)


SPEEDS_OF_TIME = (0.2, 10.0, 0.2)
HIDDEN = ('Working volumes', 'Wire frame', 'True terrain')
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
        with add_command_folder(gui, 'Drive'):
            self._add_start()
            forward, lateral, turn = machine.velocities
            self._forward = self._add_limited('ahead', 'Forward, m/s', forward)
            self._lateral = self._add_limited('left', 'To the left, m/s', lateral)
            self._turn = self._add_limited('turn', 'Turn left, rad/s', turn)
            if machine.horizon:
                self._add_horizon(machine.horizon, controls.horizon)
        if machine.gaits:
            with add_command_folder(gui, 'Gait'):
                self._gait = GaitControls(gui, machine.gaits, controls.gait, self._limit)
        self._pose_body = controls.body
        if machine.body is not None:
            with add_command_folder(gui, 'Body'):
                BodyControls(gui, machine.body, self._pose)
        with add_command_folder(gui, 'Time'):
            self._add_time(SPEEDS_OF_TIME, 'one step')
        with add_command_folder(gui, 'Terrain'):
            if machine.obstacles is not None:
                self._add_obstacles(machine.obstacles, controls)
            add_button(gui, 'Back to the start', self._reset, icon=Icon.REFRESH)
        with gui.add_folder('View'):
            add_switches(gui, switches, HIDDEN)
            if view is not None:
                self._add_views(view)
        with gui.add_folder('Colours'):
            gui.add_html(legend_html(machine))

    def _pose(self, *axes: float) -> None:
        """Move the body over its feet."""
        with self._in_order:
            self._posing = True
            self._pose_body(*axes)

    def follow(self, state: ViewState) -> None:
        """Show the gait that the robot walks by."""
        if self._gait is not None:
            self._gait.follow(state.mode)

    def _add_limited(
        self, axis: Axis, label: str, velocity: Velocity
    ) -> viser.GuiSliderHandle[float]:
        """Add a slider for one velocity, symmetrical about rest."""
        end = _end(velocity.limit, velocity.step)
        hint = f'From {velocity.least:.3f} on; less lies in the dead zone'
        return self._add_velocity(
            axis,
            label,
            -end,
            end,
            velocity.step,
            velocity.value,
            hint=hint if velocity.least else None,
        )

    def _add_horizon(self, usual: float, act: Callable[[float], None]) -> None:
        """Add the slider of how far ahead footholds are planned."""
        value = round(usual, 1)
        self._horizon = self._gui.add_slider(
            'Plan ahead, m', round(0.4 * value, 1), round(2.0 * value, 1), 0.1, value,
            hint='How far ahead the rules are simulated and footholds are planned',
        )  # fmt: skip
        self._horizon.on_update(lambda _: act(self._horizon.value))

    def _limit(self, gait: GaitChoice) -> None:
        """Limit the sliders to what a gait can do."""
        limits = (gait.speed, gait.speed, gait.turn)
        for slider, limit in zip(self._velocities.values(), limits, strict=True):
            end = _end(limit, slider.step)
            slider.min, slider.max = -end, end
            slider.value = max(-end, min(end, slider.value))  # type: ignore[misc]
        self._walk()

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
                hint='0 for no ditch; 3 m, or 10 ft, is crossed by a low body turned aside',
            )
        share = gui.add_slider('Forbidden cells, %', 0, 90, 5, round(100 * obstacles.share))
        seed = gui.add_number(
            'Seed', 77, min=0, max=999_999, step=1, hint='The same seed gives the same terrain'
        )

        def renew() -> None:
            ditch = 0.0 if width is None else width.value
            with self._in_order:
                self._walking, self._shares = False, ()
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
