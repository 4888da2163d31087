"""Run events in ticks, at most one pending event a resource (ars_magna.md §1.7)."""

import heapq
from collections.abc import Callable
from dataclasses import dataclass

_SPARE = 100
"""Bumped events that are kept without a thought."""


@dataclass(slots=True, eq=False)
class _Event:
    """What is to run once; ``until``: the first tick at which it may no longer run."""

    resource: str
    body: Callable[[], None]
    priority: int
    interrupt: Callable[[], None] | None
    when: Callable[[], bool] | None
    until: int | None
    number: int


class Scheduler:
    """Keeps time in ticks, and what is due; ``now`` is the present tick.

    A pending event is bumped by one of higher priority on the same resource, and of two of equal
    priority the first stays; the interrupt handler of the loser runs. errors: of bodies,
    conditions and handlers, which end nothing but their own event.
    """

    def __init__(self) -> None:
        """Start before the first tick."""
        self.now = 0
        self.errors: list[Exception] = []
        self._number = 0
        self._queue: list[tuple[int, int, int, _Event]] = []
        self._pending: dict[str, _Event] = {}

    def schedule(
        self,
        resource: str,
        body: Callable[[], None],
        *,
        priority: int = 0,
        interrupt: Callable[[], None] | None = None,
        when: Callable[[], bool] | None = None,
        timeout: int | None = None,
        timer: int = 1,
    ) -> bool:
        """Queue an event for ``timer`` ticks from now; return whether it is pending.

        With ``when`` it runs in the first tick t, now + timer <= t < now + timeout, in which that
        holds, and evaporates without a word if none comes. Raises ValueError for a timer of less
        than one tick, of which the scheduler knows nothing shorter.
        """
        if timer < 1:
            raise ValueError('an event runs in the next tick at the earliest; give a timer >= 1')
        until = None if when is None or timeout is None else self.now + timeout
        return self.put(resource, self.now + timer, body, priority, interrupt, when, until)

    def put(
        self,
        resource: str,
        due: int,
        body: Callable[[], None],
        priority: int = 0,
        interrupt: Callable[[], None] | None = None,
        when: Callable[[], bool] | None = None,
        until: int | None = None,
    ) -> bool:
        """Queue an event for a tick, the present one too while its events are not yet run."""
        rival = self._pending.get(resource)
        if rival is not None:
            if rival.priority >= priority:
                self._call(interrupt)
                return False
            self.grab(resource)
        self._number += 1
        event = _Event(resource, body, priority, interrupt, when, until, self._number)
        self._pending[resource] = event
        heapq.heappush(self._queue, (due, -priority, event.number, event))
        if len(self._queue) > 2 * len(self._pending) + _SPARE:
            self._sweep()
        return True

    def _sweep(self) -> None:
        """Forget events that were bumped, which otherwise stay until they are due."""
        self._queue = [
            entry for entry in self._queue if self._pending.get(entry[3].resource) is entry[3]
        ]
        heapq.heapify(self._queue)

    def grab(self, resource: str) -> bool:
        """Take a resource from its pending event, whose handler runs; return whether one was."""
        event = self._pending.pop(resource, None)
        if event is None:
            return False
        self._call(event.interrupt)
        return True

    def run_due(self) -> None:
        """Run what is due, by tick, then priority, then in the order of queueing."""
        pending, now = self._pending, self.now
        again: list[tuple[int, int, int, _Event]] = []
        while self._queue and self._queue[0][0] <= now:
            entry = heapq.heappop(self._queue)
            event = entry[3]
            if pending.get(event.resource) is not event:
                continue
            if event.until is not None and now >= event.until:
                del pending[event.resource]
                continue
            try:
                waits = event.when is not None and not event.when()
            except Exception as error:
                del pending[event.resource]
                self.errors.append(error)
                continue
            if waits:
                again.append((now + 1, *entry[1:]))
            else:
                del pending[event.resource]
                self._call(event.body)
        for entry in again:
            heapq.heappush(self._queue, entry)

    def _call(self, body: Callable[[], None] | None) -> None:
        """Run what belongs to an event; an error in it stops no other event."""
        if body is not None:
            try:
                body()
            except Exception as error:
                self.errors.append(error)
