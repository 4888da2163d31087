"""Controls of a simulation's time: hold it, let a step pass, and how fast it goes."""

from collections.abc import Callable
from typing import NamedTuple

import viser
from viser import Icon


class SpeedRange(NamedTuple):
    """The speeds of time that can be chosen, in simulated seconds for each second."""

    least: float
    most: float
    step: float


def add_time(
    gui: viser.GuiApi,
    speeds: SpeedRange,
    what: str,
    *,
    pause: Callable[[bool], None],
    step: Callable[[], None],
    speed_of_time: Callable[[float], None],
) -> None:
    """Add pause, single step and the speed of time; `what` passes in a step, such as '4 ms'."""
    held = gui.add_checkbox('Pause', False, hint='Hold the simulation')
    single = gui.add_button(
        'One step', icon=Icon.PLAYER_SKIP_FORWARD, hint=f'Advance a held simulation by {what}'
    )
    speed = gui.add_slider('Speed of time', *speeds, 1.0, hint='Simulated seconds for each second')

    @single.on_click
    def _(_: object) -> None:
        if held.value:
            step()
        else:
            # Stepping a running simulation means nothing, so the first press holds it.
            held.value = True  # type: ignore[misc]

    held.on_update(lambda _: pause(held.value))
    speed.on_update(lambda _: speed_of_time(float(speed.value)))
