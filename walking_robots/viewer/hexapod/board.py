"""The part of the page that says what the gait does and why."""

import viser

from walking_robots.viewer.common.handles import set_if_new
from walking_robots.viewer.common.throttle import Due
from walking_robots.viewer.hexapod.machine import Machine
from walking_robots.viewer.hexapod.plots import History, MarginPlot
from walking_robots.viewer.hexapod.state import ViewState
from walking_robots.viewer.hexapod.status import legs_html, margin_html, mode_html, motion_html
from walking_robots.viewer.hexapod.words import Reasons, waiting

STATUS_PERIOD = 0.2
PLOT_PERIOD = 0.5


class Board:
    """Texts, bars and the plot; they change less often than the scene, to be readable."""

    def __init__(self, gui: viser.GuiApi, machine: Machine) -> None:
        """Add the board at the left edge of the page."""
        self._machine = machine
        self._history = History()
        self._reasons = Reasons()
        self._texts: Due[ViewState] = Due(STATUS_PERIOD)
        self._curves: Due[ViewState] = Due(PLOT_PERIOD)
        panel = gui.add_panel()
        panel.dock_left()
        panel.set_width(380)
        with panel.add_tab('What it does and why'):
            self._mode = gui.add_html('')
            self._margin = gui.add_html('')
            self._plot = MarginPlot(gui, machine)
            self._legs = gui.add_html('')
            self._motion = gui.add_html('')

    def note(self, state: ViewState) -> None:
        """Remember what a state adds to the plot and to the list of decisions."""
        self._history.add(state.time, state.margin, state.planned_margin)
        self._reasons.add(state.time, state.fired or waiting(state.state))

    def is_behind(self, state: ViewState) -> bool:
        """Return whether something of the board still shows an earlier state."""
        return self._texts.is_behind(state) or self._curves.is_behind(state)

    def show(self, state: ViewState, now: float) -> None:
        """Draw what is due at `now` (s, any steady clock)."""
        if self._texts.take(state, now):
            for handle, content in (
                (self._mode, mode_html(state, self._reasons.latest(), self._machine)),
                (self._margin, margin_html(state, self._machine)),
                (self._legs, legs_html(state, self._machine)),
                (self._motion, motion_html(state, self._machine)),
            ):
                set_if_new(handle, 'content', content)
        if self._curves.take(state, now):
            self._plot.show(self._history)
