"""Notice ticks that come or end too late (E805)."""

from walking_robots.mdle.runtime.settings import SECOND, ExecutorSettings

OVERRUNS = 3
"""Late ticks in a row that are a fault."""

STALL = 0.9
"""Time, s, between two ticks that is a fault: the program would go on from an obsolete state."""


class TickMonitor:
    """Counts the ticks of one run that came late or took too long.

    missed: ticks that were due and did not come; spent: time, s, that the last tick took, as its
    host measures it; fault: why the program has to end, '' where it may go on.
    """

    def __init__(self) -> None:
        """Begin before the first tick."""
        self.missed = self._late_in_a_row = 0
        self.spent = 0.0
        self.fault = ''
        self._last: int | None = None

    def rest(self) -> None:
        """Forget the last tick: none is due for a while."""
        self._last, self.spent = None, 0.0

    def tick(self, now: int, settings: ExecutorSettings) -> str:
        """Begin a tick at a time, ns; return why it is late, '' for one in time.

        A tick is late where one before it did not come, or where the last one took too long.
        """
        period, spent = settings.tick_period, self.spent
        interval = period if self._last is None else (now - self._last) / SECOND
        missed = max(round(interval / period) - 1, 0)
        self._last, self.spent = now, 0.0
        self.missed += missed
        text = ''
        if missed:
            text = f'a tick came {1e3 * interval:.0f} ms after the last one'
        elif spent > settings.tick_budget * period:
            text = f'a tick took {1e3 * spent:.1f} ms'
        self._late_in_a_row = self._late_in_a_row + 1 if text else 0
        if missed and interval > STALL:
            self.fault = text
        elif self._late_in_a_row >= OVERRUNS:
            self.fault = f'{OVERRUNS} ticks in a row were late: {text}'
        return text
