"""Plot the stability margin over time."""

import math
from collections import deque

import numpy as np
import viser
from numpy.typing import NDArray
from viser import uplot

from walking_robots.viewer.colours import Grade, css

__all__ = ['History', 'MarginPlot']

SPAN = 60.0
SPACING = 0.1


class History:
    """The margins of the last minute, at most ten a second."""

    def __init__(self) -> None:
        """Begin empty."""
        self._entries: deque[tuple[float, float, float]] = deque()
        self.changed = False

    def add(self, time: float, margin: float, planned: float) -> None:
        """Note margins (m) at a time (s); a time that runs back begins anew."""
        if self._entries and time < self._entries[-1][0]:
            self._entries.clear()
        if self._entries and time - self._entries[-1][0] < SPACING - 1e-9:
            return
        self._entries.append((time, _drawn(margin), _drawn(planned)))
        while self._entries[0][0] < time - SPAN:
            self._entries.popleft()
        self.changed = True

    def arrays(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return times (n,) s, margins (n,) m and planned margins (n,) m."""
        self.changed = False
        times, margins, planned = np.array(self._entries).reshape(-1, 3).T
        return times, margins, planned


def _drawn(margin: float) -> float:
    """Return the margin as plotted: an undefined one lies on the axis."""
    return 0.0 if math.isnan(margin) or margin < 0.0 else margin


class MarginPlot:
    """The plot on the page."""

    def __init__(self, gui: viser.GuiApi, lift_limit: float) -> None:
        """Add the plot; lift_limit (m) is the margin below which no leg may be lifted."""
        self._limit = lift_limit
        self._top = 1.0
        nothing = np.array([-1.0, 0.0])
        dots = uplot.Series_Points(show=False)
        self._handle = gui.add_uplot(
            (nothing, np.zeros(2), np.zeros(2), np.full(2, lift_limit)),
            (
                uplot.Series(label='time, s'),
                uplot.Series(label='now, m', stroke='#2979d6', width=2, points=dots),
                uplot.Series(label='planned, m', stroke='#9aa3b2', width=1, points=dots),
                uplot.Series(
                    label='least for a lift, m',
                    stroke=css(Grade.BAD.value),
                    width=1,
                    dash=(4.0, 4.0),
                    points=dots,
                ),
            ),
            title='Stability margin (m) in the last minute (s)',
            scales=_scales(self._top),
            legend=uplot.Legend(show=True, live=False),
            height=170,
        )

    def show(self, history: History) -> None:
        """Draw what has been noted since the last time."""
        if not history.changed:
            return
        times, margins, planned = history.arrays()
        top = math.ceil(2.0 * float(np.max(margins)) + 0.1) / 2.0
        if top > self._top:
            # New scales build the plot anew in the browser, so they come seldom.
            self._top = top
            self._handle.scales = _scales(top)
        # Counted back from now, the axis never moves, which the browser would not follow.
        ages = times - times[-1]
        self._handle.data = (ages, margins, planned, np.full(len(ages), self._limit))


def _scales(top: float) -> dict[str, uplot.Scale]:
    """Return an axis of the last minute (s) and one of margins from 0 to `top` (m)."""
    # A little above the top, or its number would be cut.
    return {
        'x': uplot.Scale(time=False, range=(-SPAN, 0.0)),
        'y': uplot.Scale(range=(0.0, 1.05 * top)),
    }
