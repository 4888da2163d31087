"""The texts and plots beside the scene, written seldom enough to be read."""

from collections.abc import Callable
from typing import Generic, TypeVar

import viser

State = TypeVar('State')

TEXT_PERIOD, PLOT_PERIOD = 0.2, 0.5
"""Least time, s, between two changes of a text, and of a plot."""


class Throttle(Generic[State]):
    """Says when a part of the page may show the next state."""

    def __init__(self, period: float) -> None:
        """Keep two changes `period` s apart."""
        self._period = period
        self._shown: State | None = None
        self._at = -1.0e9

    def is_behind(self, state: State) -> bool:
        """Return whether another state than this one is shown."""
        return self._shown is not state

    def take(self, state: State, now: float) -> bool:
        """Return whether to show a state at `now` (s, any steady clock), and count it as shown."""
        if self._shown is state or now - self._at < self._period:
            return False
        self._shown, self._at = state, now
        return True


class Board(Generic[State]):
    """Sections below each other in tabs of a panel; each one writes a state in its own time."""

    def __init__(self, gui: viser.GuiApi, panel: viser.PanelHandle) -> None:
        """Begin without sections; `left_panel` makes a panel."""
        self._gui, self._panel = gui, panel
        self._records: list[Callable[[State], None]] = []
        self._sections: list[tuple[Throttle[State], Callable[[State], None]]] = []
        self.texts: list[viser.GuiHtmlHandle] = []

    def tab(self, name: str) -> viser.GuiTabHandle:
        """Add a tab; sections that are added inside of it, as a context, stand there."""
        return self._panel.add_tab(name)

    def record(self, note: Callable[[State], None]) -> None:
        """Have `note` see every state, also those that are never written."""
        self._records.append(note)

    def text(self, write: Callable[[State], str], period: float = TEXT_PERIOD) -> None:
        """Add a section with the markup of a state."""
        handle = self._gui.add_html('')
        self.texts.append(handle)

        def show(state: State) -> None:
            handle.content = write(state)

        self.add(show, period)

    def add(self, show: Callable[[State], None], period: float = PLOT_PERIOD) -> None:
        """Add a section that shows a state by itself."""
        self._sections.append((Throttle(period), show))

    def note(self, state: State) -> None:
        """Remember what a state adds to histories."""
        for note in self._records:
            note(state)

    def is_behind(self, state: State) -> bool:
        """Return whether some section still shows an earlier state."""
        return any(throttle.is_behind(state) for throttle, _ in self._sections)

    def show(self, state: State, now: float) -> None:
        """Write what is due at `now` (s, any steady clock)."""
        for throttle, show in self._sections:
            if throttle.take(state, now):
                show(state)


def left_panel(gui: viser.GuiApi, width: int = 380) -> viser.PanelHandle:
    """Return a panel at the left edge of the page, so many pixels wide."""
    panel = gui.add_panel()
    panel.dock_left()
    panel.set_width(width)
    return panel
