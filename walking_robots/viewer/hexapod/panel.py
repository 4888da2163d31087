"""Put the controls on the page and pass on what a person does with them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import viser
from viser import Icon

from walking_robots.viewer.common.panel_time import SpeedRange, add_time
from walking_robots.viewer.hexapod.cameras import FIELD, CameraPose
from walking_robots.viewer.hexapod.machine import GaitChoice, HexapodMachine, Obstacles, Velocity
from walking_robots.viewer.hexapod.panel_body import BodyControls
from walking_robots.viewer.hexapod.panel_gait import GaitControls
from walking_robots.viewer.hexapod.state import Controls, ViewState
from walking_robots.viewer.hexapod.status import legend_html

SPEEDS_OF_TIME = SpeedRange(0.2, 10.0, 0.2)


@dataclass(frozen=True)
class ViewOptions:
    """Functions that change what the page shows, each taking on or off.

    view gives one of the views `views` by its name; wire_frame is None where there is none.
    """

    follow: Callable[[bool], None]
    volumes: Callable[[bool], None]
    numbers: Callable[[bool], None]
    wire_frame: Callable[[bool], None] | None = None
    views: tuple[str, ...] = ()
    view: Callable[[str], CameraPose] | None = None


class HexapodPanel:
    """Buttons and sliders; each calls one function of `Controls`."""

    def __init__(
        self, gui: viser.GuiApi, controls: Controls, machine: HexapodMachine, options: ViewOptions
    ) -> None:
        """Add the controls to the main panel."""
        self._gui = gui
        self._controls = controls
        self._walking = False
        self._gait: GaitControls | None = None
        with gui.add_folder('Drive'):
            self._add_drive(machine)
        if machine.gaits:
            with gui.add_folder('Gait'):
                self._gait = GaitControls(gui, machine.gaits, controls.gait, self._limit)
        if machine.body is not None:
            with gui.add_folder('Body'):
                BodyControls(gui, machine.body, controls.body)
        with gui.add_folder('Time'):
            self._add_time()
        with gui.add_folder('Terrain'):
            self._add_terrain(machine.obstacles)
        with gui.add_folder('View'):
            self._add_view(options)
        with gui.add_folder('Colours'):
            gui.add_html(legend_html(machine))

    def follow(self, state: ViewState) -> None:
        """Show the gait that the robot walks by."""
        if self._gait is not None:
            self._gait.follow(state.mode)

    def leave(self) -> None:
        """End a motion that nobody is left to stop; what others asked for goes on."""
        if self._walking:
            self._stop()

    def _add_drive(self, machine: HexapodMachine) -> None:
        """Add start, stop and the three velocities."""
        start = self._gui.add_button('Start walking', color='green', icon=Icon.PLAYER_PLAY)
        stop = self._gui.add_button('Stop', color='red', icon=Icon.PLAYER_STOP)
        forward, lateral, turn = machine.velocities
        self._forward = self._velocity('Forward, m/s', forward)
        self._lateral = self._velocity('To the left, m/s', lateral)
        self._turn = self._velocity('Turn left, rad/s', turn)
        start.on_click(lambda _: self._start())
        stop.on_click(lambda _: self._stop())

    def _velocity(self, label: str, velocity: Velocity) -> viser.GuiSliderHandle[float]:
        """Add a slider for one velocity, symmetrical about rest."""
        end = _end(velocity.limit, velocity.step)
        hint = f'From {velocity.least:.3f} on; less lies in the dead zone'
        slider = self._gui.add_slider(
            label, -end, end, velocity.step, velocity.value, hint=hint if velocity.least else None
        )
        slider.on_update(lambda _: self._walk())
        return slider

    def _limit(self, gait: GaitChoice) -> None:
        """Let the sliders end where a gait does."""
        for slider, limit in (
            (self._forward, gait.speed),
            (self._lateral, gait.speed),
            (self._turn, gait.turn),
        ):
            end = _end(limit, slider.step)
            slider.min, slider.max = -end, end
            slider.value = max(-end, min(end, slider.value))  # type: ignore[misc]

    def _start(self) -> None:
        """Begin to walk with the velocities of the sliders."""
        self._walking = True
        self._walk()

    def _walk(self) -> None:
        """Pass on the velocities, if the person has asked to walk."""
        if self._walking:
            self._controls.walk(self._forward.value, self._lateral.value, self._turn.value)

    def _stop(self) -> None:
        """Stop walking; the sliders keep their values for the next start."""
        self._walking = False
        self._controls.stop()

    def _add_time(self) -> None:
        """Add pause, single step and the speed of time."""
        controls = self._controls
        add_time(
            self._gui,
            SPEEDS_OF_TIME,
            'one step',
            pause=controls.pause,
            step=controls.step,
            speed_of_time=controls.speed_of_time,
        )

    def _add_terrain(self, obstacles: Obstacles | None) -> None:
        """Add what makes up a new terrain, and the way back to the start."""
        if obstacles is not None:
            self._add_obstacles(obstacles)
        again = self._gui.add_button('Back to the start', icon=Icon.REFRESH)

        @again.on_click
        def _(_: object) -> None:
            self._walking = False
            self._controls.reset()

    def _add_obstacles(self, obstacles: Obstacles) -> None:
        """Add what makes up a new terrain."""
        width = None
        if obstacles.widest:
            width = self._gui.add_slider(
                'Ditch width, m',
                0.0,
                obstacles.widest,
                0.1,
                obstacles.ditch,
                hint='0 for no ditch',
            )
        share = self._gui.add_slider('Forbidden cells, %', 0, 90, 5, round(100 * obstacles.share))
        seed = self._gui.add_number(
            'Seed', 77, min=0, max=999_999, step=1, hint='The same seed gives the same terrain'
        )
        fresh = self._gui.add_button('New terrain', icon=Icon.MOUNTAIN)

        @fresh.on_click
        def _(_: object) -> None:
            self._walking = False
            ditch = 0.0 if width is None else width.value
            self._controls.new_terrain(ditch, share.value / 100.0, seed.value)

    def _add_view(self, options: ViewOptions) -> None:
        """Add what is shown and what not."""
        for label, value, act in (
            ('Follow the vehicle', True, options.follow),
            ('Working volumes', False, options.volumes),
            ('Leg numbers', True, options.numbers),
        ):
            self._add_switch(label, value, act)
        if options.wire_frame is not None:
            self._add_switch('Wire frame', False, options.wire_frame)
        if options.view is not None:
            self._add_views(options.views, options.view)

    def _add_views(self, names: tuple[str, ...], view: Callable[[str], CameraPose]) -> None:
        """Add buttons, each of which takes the person who presses it to a view."""
        group = self._gui.add_button_group('Look from', names)

        @group.on_click
        def _(event: viser.GuiEvent[Any]) -> None:
            if event.client is None:
                return
            seen = view(group.value)
            with event.client.atomic():
                camera = event.client.camera
                camera.fov = FIELD
                camera.position, camera.look_at = seen

    def _add_switch(self, label: str, value: bool, act: Callable[[bool], None]) -> None:
        """Add a checkbox that calls `act`."""
        box = self._gui.add_checkbox(label, value)
        box.on_update(lambda _: act(box.value))


def _end(limit: float, step: float) -> float:
    """Return the last multiple of a step within a limit, without digits that say nothing."""
    return round(int(limit / step + 1e-9) * step, 9)
