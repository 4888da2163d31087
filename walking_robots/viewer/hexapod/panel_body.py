"""The controls that move the body over its feet in six axes."""

import math
from collections.abc import Callable

import viser
from viser import Icon

from walking_robots.viewer.hexapod.articulated_machine import tidy
from walking_robots.viewer.hexapod.machine import BodyRange

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
        back = gui.add_button('Set the body back', icon=Icon.ARROW_BACK_UP)
        back.on_click(lambda _: self.reset())

    def reset(self) -> None:
        """Ask for the neutral posture."""
        self._resetting = True
        for slider in self._sliders:
            slider.value = 0.0  # type: ignore[misc]
        self._resetting = False
        self._ask()

    def _ask(self) -> None:
        """Pass on what is asked for."""
        if self._resetting:
            return
        values = [slider.value for slider in self._sliders]
        self._act(*values[:3], *map(math.radians, values[3:]))
