"""Put the controls on the page and pass on what a person does with them."""

from collections.abc import Callable
from dataclasses import dataclass

import viser
from viser import Icon

from walking_robots.robots.model import HexapodModel
from walking_robots.viewer.hexapod.state import Controls
from walking_robots.viewer.hexapod.status import legend_html

__all__ = ['Panel', 'ViewOptions']


@dataclass(frozen=True)
class ViewOptions:
    """Functions that change what the page shows, each taking on or off."""

    follow: Callable[[bool], None]
    volumes: Callable[[bool], None]
    numbers: Callable[[bool], None]


class Panel:
    """Buttons and sliders; each calls one function of `Controls`."""

    def __init__(
        self, gui: viser.GuiApi, controls: Controls, model: HexapodModel, options: ViewOptions
    ) -> None:
        """Add the controls to the main panel."""
        self._gui = gui
        self._controls = controls
        self._walking = False
        with gui.add_folder('Drive'):
            self._add_drive(model)
        with gui.add_folder('Time'):
            self._add_time()
        with gui.add_folder('Terrain'):
            self._add_terrain()
        with gui.add_folder('View'):
            self._add_view(options)
        with gui.add_folder('Colours'):
            gui.add_html(legend_html())

    def _add_drive(self, model: HexapodModel) -> None:
        """Add start, stop and the three velocities."""
        start = self._gui.add_button('Start walking', color='green', icon=Icon.PLAYER_PLAY)
        stop = self._gui.add_button('Stop', color='red', icon=Icon.PLAYER_STOP)
        limits, smooth = model.command, model.velocity
        # A command whose first filtered step stays in the dead zone never moves the body.
        start_factor = smooth.time_constant / model.timing.dt
        least, least_turn = (
            zone * start_factor for zone in (smooth.dead_zone, smooth.angular_dead_zone)
        )
        self._forward = self._velocity('Forward, m/s', limits.forward, 0.01, 0.12, least)
        self._lateral = self._velocity('To the left, m/s', limits.lateral, 0.01, 0.0, least)
        self._turn = self._velocity('Turn left, rad/s', limits.turn, 0.005, 0.0, least_turn)
        start.on_click(lambda _: self._start())
        stop.on_click(lambda _: self._stop())

    def _velocity(
        self, label: str, limit: float, step: float, value: float, least: float
    ) -> viser.GuiSliderHandle[float]:
        """Add a slider for one velocity, symmetrical about rest."""
        end = int(limit / step + 1e-9) * step
        hint = f'From {least:.3f} on; less lies in the dead zone'
        slider = self._gui.add_slider(label, -end, end, step, value, hint=hint)
        slider.on_update(lambda _: self._walk())
        return slider

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
        pause = self._gui.add_checkbox('Pause', False, hint='Hold the simulation')
        step = self._gui.add_button(
            'One step', icon=Icon.PLAYER_SKIP_FORWARD, hint='Advance a held simulation by one step'
        )
        speed = self._gui.add_slider(
            'Speed of time', 0.2, 10.0, 0.2, 1.0, hint='Simulated seconds for each second'
        )

        @pause.on_update
        def _(_: object) -> None:
            self._controls.pause(pause.value)

        @step.on_click
        def _(_: object) -> None:
            if pause.value:
                self._controls.step()
            else:
                # Stepping a running simulation means nothing, so the first press holds it.
                pause.value = True  # type: ignore[misc]

        @speed.on_update
        def _(_: object) -> None:
            self._controls.speed_of_time(speed.value)

    def _add_terrain(self) -> None:
        """Add what makes up a new terrain, and the way back to the start."""
        width = self._gui.add_slider('Ditch width, m', 0.0, 2.7, 0.1, 2.1, hint='0 for no ditch')
        share = self._gui.add_slider('Forbidden cells, %', 0, 90, 5, 20)
        seed = self._gui.add_number(
            'Seed', 77, min=0, max=999_999, step=1, hint='The same seed gives the same terrain'
        )
        fresh = self._gui.add_button('New terrain', icon=Icon.MOUNTAIN)
        again = self._gui.add_button('Back to the start', icon=Icon.REFRESH)

        @fresh.on_click
        def _(_: object) -> None:
            self._walking = False
            self._controls.new_terrain(width.value, share.value / 100.0, seed.value)

        @again.on_click
        def _(_: object) -> None:
            self._walking = False
            self._controls.reset()

    def _add_view(self, options: ViewOptions) -> None:
        """Add what is shown and what not."""
        for label, value, act in (
            ('Follow the vehicle', True, options.follow),
            ('Working volumes', False, options.volumes),
            ('Leg numbers', True, options.numbers),
        ):
            self._add_switch(label, value, act)

    def _add_switch(self, label: str, value: bool, act: Callable[[bool], None]) -> None:
        """Add a checkbox that calls `act`."""
        box = self._gui.add_checkbox(label, value)
        box.on_update(lambda _: act(box.value))
