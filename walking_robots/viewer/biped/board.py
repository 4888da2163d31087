"""The part of a biped's page that says what it does and why, and plots what it did."""

from collections import deque

import viser

from walking_robots.robots.kwalk import KWALKS, Kwalk
from walking_robots.viewer.biped.history import History
from walking_robots.viewer.biped.plots import plots_html
from walking_robots.viewer.biped.state import BipedView
from walking_robots.viewer.biped.status import feelings_html, legs_html, reasons_html, state_html
from walking_robots.viewer.biped.words import Reasons
from walking_robots.viewer.common.handles import set_if_new
from walking_robots.viewer.common.throttle import Due

STATUS_PERIOD = 0.2
PLOT_PERIOD = 0.5
WIDTH = 400


class MostFriction:
    """The most friction that each foot has needed in the last seconds."""

    SPAN = 3.0

    def __init__(self) -> None:
        """Begin empty."""
        self._entries: deque[tuple[float, tuple[float, float]]] = deque()

    def add(self, time: float, friction: tuple[float, float]) -> None:
        """Note what right and left foot need at a time (s); one that runs back begins anew."""
        if self._entries and time < self._entries[-1][0]:
            self._entries.clear()
        self._entries.append((time, friction))
        while self._entries[0][0] < time - self.SPAN:
            self._entries.popleft()

    def most(self) -> tuple[float, float]:
        """Return the most of each foot, NaN for one that has not stood."""
        right, left = (
            max((v[side] for _, v in self._entries if v[side] == v[side]), default=float('nan'))
            for side in range(2)
        )
        return (right, left)


class Board:
    """Texts and figures; they change less often than the scene, to be readable."""

    def __init__(self, gui: viser.GuiApi) -> None:
        """Add the board at the left edge of the page."""
        self._history = History()
        self._reasons = Reasons(4)
        self._friction = MostFriction()
        self._texts: Due[BipedView] = Due(STATUS_PERIOD)
        self._curves: Due[BipedView] = Due(PLOT_PERIOD)
        panel = gui.add_panel()
        panel.dock_left()
        panel.set_width(WIDTH)
        with panel.add_tab('What it does'):
            self._state = gui.add_html('')
            self._legs = gui.add_html('')
            self._plots = gui.add_html('')
            self._feelings = gui.add_html('')
            self._why = gui.add_html('')

    def note(self, state: BipedView) -> None:
        """Remember what a state adds to the figures and to the list of reasons."""
        self._history.add(state)
        self._reasons.add(state.time, state.left)
        self._friction.add(state.time, state.friction)

    def is_behind(self, state: BipedView) -> bool:
        """Return whether something of the board still shows an earlier state."""
        return self._texts.is_behind(state) or self._curves.is_behind(state)

    def show(self, state: BipedView, now: float) -> None:
        """Draw what is due at `now` (s, any steady clock)."""
        if self._texts.take(state, now):
            for handle, content in (
                (self._state, state_html(state)),
                (self._legs, legs_html(state, self._friction.most())),
                (self._feelings, feelings_html(state)),
                (self._why, reasons_html(self._reasons.latest())),
            ):
                set_if_new(handle, 'content', content)
        if self._curves.take(state, now) and self._history.changed:
            self._plots.content = plots_html(self._history.moments(), _robot(state))


def _robot(state: BipedView) -> Kwalk:
    """Return the robot that walks, the first one where none is told of."""
    return KWALKS.get(state.settings.robot, next(iter(KWALKS.values())))
