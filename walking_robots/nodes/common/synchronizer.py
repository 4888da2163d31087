"""Synchronize messages by their stamps."""

import time
from collections.abc import Callable
from typing import Any

MOST = 32
"""Instants that may be incomplete at a time; older ones will never be completed."""


class TimeSynchronizer:
    """Waits until a message of every topic is in for the same stamp.

    A stamp that is complete drops everything that arrived before it. Each topic is taken to
    arrive in order: where its stamps go back, time began afresh, and what it said before is
    dropped. ``steady`` returns the wall time, s, for reports of how long the wait has been.
    """

    def __init__(self, *topics: str, steady: Callable[[], float] = time.monotonic) -> None:
        """Wait for one message of each topic."""
        self._topics = topics
        self._steady = steady
        self._pending: dict[int, dict[str, Any]] = {}
        self._last: dict[str, int] = {}
        self.since = steady()

    def add(self, topic: str, stamp: int, message: Any) -> tuple[Any, ...] | None:
        """Take in a message of ``stamp`` (ns); give all of that stamp once they are in."""
        if stamp < self._last.get(topic, stamp):
            self._drop(topic)
        self._last[topic] = stamp
        found = self._pending.setdefault(stamp, {})
        found[topic] = message
        if len(found) < len(self._topics):
            if len(self._pending) > MOST:
                del self._pending[next(iter(self._pending))]
            return None
        for older in list(self._pending):
            del self._pending[older]
            if older == stamp:
                break
        self.since = self._steady()
        return tuple(found[name] for name in self._topics)

    def newest(self, *topics: str) -> tuple[int, tuple[Any, ...]] | None:
        """Return the newest stamp (ns) for which these topics are in, and their messages."""
        for stamp in sorted(self._pending, reverse=True):
            found = self._pending[stamp]
            if all(topic in found for topic in topics):
                return stamp, tuple(found[topic] for topic in topics)
        return None

    def _drop(self, topic: str) -> None:
        """Forget what one topic has said."""
        for found in self._pending.values():
            found.pop(topic, None)
        self._pending = {stamp: found for stamp, found in self._pending.items() if found}

    def waits(self) -> tuple[int | None, tuple[str, ...], float]:
        """Return the newest incomplete stamp (ns), the missing topics, and for how long, s."""
        stamp = max(self._pending, default=None)
        found = self._pending[stamp] if stamp is not None else {}
        missing = tuple(topic for topic in self._topics if topic not in found)
        return stamp, missing, self._steady() - self.since
