"""Notice ticks that come or end too late (E805)."""

from walking_robots.mdle.runtime.settings import Settings

OVERRUNS = 3
"""Late ticks in a row that are a fault."""


class TickMonitor:
    """Counts the ticks of one run that came late or took too long; clock-free.

    missed: ticks that were due and did not come; sentence: the last late tick in words.
    """

    def __init__(self) -> None:
        """Begin before the first tick."""
        self.missed = 0
        self.sentence = ''
        self._last: float | None = None
        self._late = 0

    def note(self, begun: float, ended: float, settings: Settings) -> str:
        """Take in a tick, s by a steady clock; return the fault as words, '' where there is none.

        A tick is late where one before it did not come, or where it took more than its share of
        the period.
        """
        period, spent = settings.tick_period, ended - begun
        interval = period if self._last is None else begun - self._last
        self._last = begun
        missed = max(round(interval / period) - 1, 0)
        self.missed += missed
        if missed:
            self.sentence = f'a tick came after {interval:.3f} s instead of {period:g} s'
        elif spent > settings.tick_budget * period:
            self.sentence = f'a tick took {1e3 * spent:.1f} ms'
        else:
            self._late = 0
            return ''
        self._late += 1
        if self._late < OVERRUNS:
            return ''
        self._late = 0
        return f'{OVERRUNS} ticks in a row were late, the last: {self.sentence}'
