"""Where a record is, on the page that shows it: a slider of time, pause and speed."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import viser

SPEEDS = (0.1, 10.0, 0.1)
"""Least and most speed and its step, s of the record for each second."""
STEP = 0.1
"""Step of the slider of time, s."""
LATER = 0.5
"""Wall time, s, for which nothing is shown after a person has moved the slider."""


@dataclass(frozen=True)
class TimelineControls:
    """What a person may do to a record; called from threads of the page.

    seek: go to a time, s from the beginning; pause: hold, or go on; speed: s of the record for
    each second.
    """

    seek: Callable[[float], None]
    pause: Callable[[bool], None]
    speed: Callable[[float], None]


class Timeline:
    """The controls of a record, above all others."""

    def __init__(self, gui: viser.GuiApi, length: float, controls: TimelineControls) -> None:
        """Add the controls of a record of so many s."""
        with gui.add_folder('Record', order=-1):
            self._time = gui.add_slider(
                'Time, s', 0.0, max(round(length, 1), STEP), STEP, 0.0, hint='Drag to another time'
            )
            self._held = gui.add_checkbox('Pause', False, hint='Hold the record')
            speed = gui.add_slider(
                'Speed', *SPEEDS, 1.0, hint='Seconds of the record for each second'
            )
        self._shown = (0.0, False)
        self._moved = -math.inf

        def seek(event: Any) -> None:
            # What `show` sets comes without a client.
            if event.client is not None:
                self._moved = time.monotonic()
                # It is there already: sending it back could undo what the person has done since.
                self._shown = (round(self._time.value, 1), self._shown[1])
                controls.seek(float(self._time.value))

        def pause(event: Any) -> None:
            if event.client is not None:
                controls.pause(self._held.value)

        self._time.on_update(seek)
        self._held.on_update(pause)
        speed.on_update(lambda _: controls.speed(float(speed.value)))

    def show(self, place: float, held: bool) -> None:
        """Show a time of the record, s, and whether it is held; not below a hand on the slider."""
        shown = (min(round(place, 1), self._time.max), held)
        if shown != self._shown and time.monotonic() - self._moved > LATER:
            self._shown = shown
            self._time.value, self._held.value = shown  # type: ignore[misc]
