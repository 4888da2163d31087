"""Plot the stability margin over time."""

import math

import numpy as np
import viser
from numpy.typing import NDArray
from viser import uplot

from walking_robots.viewer.common.colours import Grade, css
from walking_robots.viewer.common.history import TimeSpan
from walking_robots.viewer.hexapod.machine import HexapodMachine

SPAN = 60.0
SPACING = 0.1


class MarginHistory(TimeSpan[tuple[float, float, float]]):
    """The margins of the last minute, at most ten a second."""

    def __init__(self) -> None:
        """Begin empty."""
        super().__init__(SPAN, SPACING)

    def add(self, time: float, margin: float, planned: float) -> None:
        """Note margins (m) at a time (s)."""
        self.note(time, (time, _drawn(margin), _drawn(planned)))

    def arrays(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return times (n,) s, margins (n,) m and planned margins (n,) m."""
        times, margins, planned = np.array(self.entries()).reshape(-1, 3).T
        return times, margins, planned


def _drawn(margin: float) -> float:
    """Return the margin as plotted: an undefined one lies on the axis."""
    return 0.0 if math.isnan(margin) or margin < 0.0 else margin


class MarginPlot:
    """The plot on the page."""

    def __init__(self, gui: viser.GuiApi, machine: HexapodMachine) -> None:
        """Add the plot with the scale and the least margin of a robot."""
        self._limit = machine.margins[0].least
        self._plans = len(machine.margins) > 1
        self._step = machine.widest / 2.0
        self._top = machine.widest
        nothing = np.array([-1.0, 0.0])
        dots = uplot.Series_Points(show=False)
        curves = [uplot.Series(label='now, m', stroke='#2979d6', width=2, points=dots)]
        if self._plans:
            planned = uplot.Series(label='planned, m', stroke='#9aa3b2', width=1, points=dots)
            curves.append(planned)
        curves.append(
            uplot.Series(
                label=f'{machine.mark}, m',
                stroke=css(Grade.BAD.value),
                width=1,
                dash=(4.0, 4.0),
                points=dots,
            )
        )
        self._handle = gui.add_uplot(
            (nothing, *(np.zeros(2) for _ in curves)),
            (uplot.Series(label='time, s'), *curves),
            title='Stability margin (m) in the last minute (s)',
            scales=_scales(self._top),
            legend=uplot.Legend(show=True, live=False),
            height=170,
        )

    def show(self, history: MarginHistory) -> None:
        """Draw what has been noted since the last time."""
        if not history.changed:
            return
        times, margins, planned = history.arrays()
        top = math.ceil(float(np.max(margins)) / self._step + 0.1) * self._step
        if top > self._top:
            # New scales build the plot anew in the browser, so they come seldom.
            self._top = top
            self._handle.scales = _scales(top)
        # Counted back from now, the axis never moves, which the browser would not follow.
        ages = times - times[-1]
        curves = (margins, planned) if self._plans else (margins,)
        self._handle.data = (ages, *curves, np.full(len(ages), self._limit))


def _scales(top: float) -> dict[str, uplot.Scale]:
    """Return an axis of the last minute (s) and one of margins from 0 to `top` (m)."""
    # A little above the top, or its number would be cut.
    return {
        'x': uplot.Scale(time=False, range=(-SPAN, 0.0)),
        'y': uplot.Scale(range=(0.0, 1.05 * top)),
    }
