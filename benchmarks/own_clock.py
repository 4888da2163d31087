"""Time without waits for a processor, on which tests count deadlines and patience.

On an idle machine it is wall time. Linux counts for each thread how long it was ready to run
while others ran (``/proc/PID/task/TID/schedstat``).
"""

import math
import os
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

PATIENCE = 90.0
"""Limit, s, of a wait that tests no deadline."""

LONGEST = 450.0
"""Limit, s of wall time, of any wait: it ends before the timeout of a test."""

LEAST = 0.1
"""Least share of wall time that counts."""


def descendants(pid: int) -> set[int]:
    """Return the ids of all processes below one."""
    found: set[int] = set()
    with suppress(OSError):
        for thread in os.listdir(f'/proc/{pid}/task'):
            with suppress(OSError):
                words = Path(f'/proc/{pid}/task/{thread}/children').read_text().split()
                found |= {int(word) for word in words}
    return found.union(*map(descendants, found))


class Stopwatch:
    """Counts wall time, s, less the waits for a processor of this process and of others.

    The others are those whose ids are given, or else all descendants. A moment counts if no
    thread waited, as if they waited independently of one another; LEAST of wall time counts
    always, so that every wait ends.
    """

    def __init__(self, *pids: int) -> None:
        """Begin to count."""
        self._pids = pids
        self._before = self._waits()
        self._waited = dict(self._before)
        self._begin = self._last = time.monotonic()
        self._own = 0.0

    def elapsed(self) -> float:
        """Return the time since the beginning.

        For a thread that has ended, its waits until the last call count.
        """
        self._waited |= self._waits()
        self._last = time.monotonic()
        wall = self._last - self._begin
        shares = (
            (waited - self._before.get(thread, 0.0)) / wall
            for thread, waited in self._waited.items()
        )
        free = math.prod(1.0 - min(share, 1.0) for share in shares)
        self._own = wall * max(free, LEAST)
        return self._own

    def passed(self, seconds: float) -> bool:
        """Return whether so much time has passed; as a rule without a look at the threads."""
        at_most = self._own + time.monotonic() - self._last
        return at_most >= seconds and self.elapsed() >= seconds

    def sleep(self, seconds: float) -> None:
        """Sleep until so much time has passed since the beginning."""
        while (left := seconds - self.elapsed()) > 0.0:
            time.sleep(max(left, 0.01))

    def _waits(self) -> dict[str, float]:
        """Return how long each thread has waited since it began, s."""
        found, own = {}, os.getpid()
        for pid in {own, *(self._pids or descendants(own))}:
            with suppress(OSError):
                for thread in os.listdir(f'/proc/{pid}/task'):
                    with (
                        suppress(OSError),
                        open(f'/proc/{pid}/task/{thread}/schedstat', 'rb') as file,
                    ):
                        found[thread] = 1e-9 * int(file.read().split()[1])
        return found


def _poll(done: Callable[[], bool]) -> None:
    while not done():
        time.sleep(0.02)


def wait_until(
    done: Callable[[], Any],
    what: str | Callable[[], object] = 'a state',
    limit: float = PATIENCE,
    *,
    watch: Stopwatch | None = None,
    spin: Callable[[Callable[[], bool]], object] = _poll,
) -> Any:
    """Wait until ``done`` returns something true, and return it.

    ``spin`` calls a function again and again until it returns true. Raises AssertionError with
    what was waited for when a stopwatch, a new one by default, shows more than the limit, s, and
    after LONGEST.
    """
    watch = watch or Stopwatch()
    last = time.monotonic() + LONGEST
    found: Any = None

    def over() -> bool:
        nonlocal found
        found = done()
        if not found and (watch.passed(limit) or time.monotonic() > last):
            raise AssertionError(f'in vain: {what() if callable(what) else what}')
        return bool(found)

    spin(over)
    return found


def time_to_end(process: 'subprocess.Popen[str]', watch: Stopwatch) -> float:
    """Return what a stopwatch shows when a process has ended, which is left to be reaped."""

    def ended() -> bool:
        watch.elapsed()
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None

    wait_until(ended, 'the end of a process')
    return watch.elapsed()
