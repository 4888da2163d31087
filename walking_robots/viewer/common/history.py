"""Remember what was lately, for plots and lists; a time that runs back begins anew."""

from collections import deque
from collections.abc import Iterable
from typing import Generic, TypeVar

Entry = TypeVar('Entry')


class TimeSpan(Generic[Entry]):
    """The entries of the last `span` s, at least `spacing` s apart."""

    def __init__(self, span: float, spacing: float = 0.0) -> None:
        """Begin empty."""
        self._span, self._spacing = span, spacing
        self._entries: deque[tuple[float, Entry]] = deque()
        self.changed = False

    def note(self, time: float, entry: Entry) -> None:
        """Note an entry at a time (s), unless the last one was just before."""
        entries = self._entries
        if entries and time < entries[-1][0]:
            entries.clear()
        if entries and time - entries[-1][0] < self._spacing - 1e-9:
            return
        entries.append((time, entry))
        while entries[0][0] < time - self._span:
            entries.popleft()
        self.changed = True

    def clear(self) -> None:
        """Forget everything."""
        self._entries.clear()

    def entries(self) -> tuple[Entry, ...]:
        """Return what was noted, the oldest first."""
        self.changed = False
        return tuple(entry for _, entry in self._entries)


class RecentEntries(Generic[Entry]):
    """The last few entries; one rarely lasts long enough to be read."""

    def __init__(self, most: int) -> None:
        """Begin empty and remember the last `most`."""
        self._entries: deque[Entry] = deque(maxlen=most)
        self._time = 0.0

    def note(self, time: float, entries: Iterable[Entry]) -> None:
        """Note entries up to a time (s), the oldest first."""
        if time < self._time:
            self._entries.clear()
        self._time = time
        self._entries.extendleft(entries)

    def latest(self) -> tuple[Entry, ...]:
        """Return the entries, the newest first."""
        return tuple(self._entries)
