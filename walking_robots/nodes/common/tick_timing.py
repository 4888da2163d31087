"""How evenly ticks come, by the steady clock."""

from collections import deque

KEPT = 2000
"""Intervals that are remembered."""


class TickJitter:
    """Notes when ticks come; an interval of two periods or more has missed some."""

    def __init__(self, period: float) -> None:
        """Begin to watch; ``period`` in s."""
        self._period = period
        self._last: float | None = None
        self._off: deque[float] = deque(maxlen=KEPT)
        self.missed = 0

    def note(self, now: float) -> None:
        """Take in a tick at a time, s."""
        if self._last is not None:
            interval = now - self._last
            self._off.append(abs(interval - self._period))
            self.missed += max(0, round(interval / self._period) - 1)
        self._last = now

    def rest(self) -> None:
        """Take in that no ticks are due for a while."""
        self._last = None

    def jitter(self, share: float = 0.99) -> float:
        """Return the deviation, s, that a share of the intervals did not exceed, or 0."""
        if not self._off:
            return 0.0
        ordered = sorted(self._off)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
