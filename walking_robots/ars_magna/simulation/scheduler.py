"""Run events in ticks, at most one pending event a resource (ars_magna.md §1.7)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

_SPARE = 100
"""Bumped events that are kept without a thought."""


@dataclass(slots=True, eq=False)
class ScheduledEvent:
    """What is to run; a number that ``body`` returns: in how many ticks again, behind all others.

    until: the first tick at which it may no longer run; subject: arguments of ``body`` and
    ``interrupt``.
    """

    resource: str
    body: Callable[..., int | None]
    priority: int
    interrupt: Callable[..., None] | None
    when: Callable[[], bool] | None
    until: int | None
    subject: tuple[Any, ...] = ()
    number: int = 0

    @property
    def rank(self) -> tuple[int, int]:
        """Order those of a tick by priority, then as they were queued."""
        return -self.priority, self.number


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
        self._queue: dict[int, list[ScheduledEvent]] = {}
        self._queued = 0
        self._ran = 0
        self._is_ranked = False
        self._pending: dict[str, ScheduledEvent] = {}

    def schedule(
        self,
        resource: str,
        body: Callable[[], object],
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
        due = self.now + timer

        def once() -> None:
            body()

        return self.put(resource, due, once, priority, interrupt, when, until) is not None

    def put(
        self,
        resource: str,
        due: int,
        body: Callable[..., int | None],
        priority: int = 0,
        interrupt: Callable[..., None] | None = None,
        when: Callable[[], bool] | None = None,
        until: int | None = None,
        subject: tuple[Any, ...] = (),
    ) -> ScheduledEvent | None:
        """Queue an event for a tick, the present one too while its events are not yet run.

        Returns the event, None where one that is pending has kept its place.
        """
        event = ScheduledEvent(resource, body, priority, interrupt, when, until, subject)
        # Only these do not come in the order in which they were queued.
        self._is_ranked = self._is_ranked or priority != 0 or when is not None
        return event if self._put(event, due) else None

    def _put(self, event: ScheduledEvent, due: int) -> bool:
        rival = self._pending.get(event.resource)
        if rival is not None:
            if rival.priority >= event.priority:
                self._interrupt(event)
                return False
            self.grab(event.resource)
        self._number += 1
        event.number = self._number
        self._pending[event.resource] = event
        self._enqueue(event, max(due, self._ran + 1))
        if self._queued > 2 * len(self._pending) + _SPARE:
            self._sweep()
        return True

    def _enqueue(self, event: ScheduledEvent, due: int) -> None:
        queue = self._queue.get(due)
        if queue is None:
            self._queue[due] = [event]
        else:
            queue.append(event)
        self._queued += 1

    def _sweep(self) -> None:
        """Forget events that were bumped, which otherwise stay until they are due."""
        pending = self._pending
        kept = {
            due: [event for event in queue if pending.get(event.resource) is event]
            for due, queue in self._queue.items()
        }
        self._queue = {due: queue for due, queue in kept.items() if queue}
        self._queued = sum(map(len, self._queue.values()))

    @property
    def events(self) -> Iterator[ScheduledEvent]:
        """Yield the events that are queued, those that were bumped too."""
        for queue in self._queue.values():
            yield from queue

    @property
    def next_due(self) -> int | None:
        """Return the tick of the next event, None for none; one that was bumped may count."""
        return min(self._queue, default=None)

    def grab(self, resource: str) -> bool:
        """Take a resource from its pending event, whose handler runs; return whether one was."""
        event = self._pending.pop(resource, None)
        if event is None:
            return False
        self._interrupt(event)
        return True

    def run_due(self) -> None:
        """Run what is due, by tick, then priority, then in the order of queueing."""
        last, self._ran = self._ran, self.now
        # Where ticks were skipped, those before may have something due.
        is_next = self.now == last + 1
        for due in (self.now,) if is_next else sorted(t for t in self._queue if t <= self.now):
            queue = self._queue.pop(due, None)
            if queue is not None:
                self._queued -= len(queue)
                if self._is_ranked:
                    queue.sort(key=attrgetter('rank'))
                self._run(queue)

    def _run(self, queue: list[ScheduledEvent]) -> None:
        pending, queues = self._pending, self._queue
        for event in queue:
            if pending.get(event.resource) is not event:
                continue
            if event.when is not None and not self._is_time(event, event.when):
                continue
            resource = event.resource
            del pending[resource]
            try:
                ticks = event.body(*event.subject)
            except Exception as error:
                self.errors.append(error)
                continue
            if ticks is None:
                continue
            due = self.now + ticks
            if resource in pending:
                self._put(event, due)
                continue
            self._number = event.number = self._number + 1
            pending[resource] = event
            if due in queues:
                queues[due].append(event)
            else:
                queues[due] = [event]
            self._queued += 1

    def _is_time(self, event: ScheduledEvent, when: Callable[[], bool]) -> bool:
        """Return whether an event under a condition runs now; otherwise it waits or evaporates."""
        if event.until is None or self.now < event.until:
            try:
                if when():
                    return True
                self._enqueue(event, self.now + 1)
            except Exception as error:
                self.errors.append(error)
            else:
                return False
        del self._pending[event.resource]
        return False

    def _interrupt(self, event: ScheduledEvent) -> None:
        """Run the handler of an event; an error in it stops no other event."""
        if event.interrupt is not None:
            try:
                event.interrupt(*event.subject)
            except Exception as error:
                self.errors.append(error)
