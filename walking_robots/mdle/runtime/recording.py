"""What was driven, so that it can be driven back (mdle.md §4.11)."""

from collections import deque
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.language.ast import Guard

LONGEST = 100_000
"""Ticks; and a recording may be ten minutes old (mdle.md §4.11)."""
OLDEST = 600_000_000_000


class Driven(NamedTuple):
    """One tick of a control: when, on which space, what, for how long (s), and from which pose."""

    stamp: int
    space: str
    control: tuple[float, ...]
    duration: float
    pose: Pose2 | None


class ContactWatch(NamedTuple):
    """A guard on contact that was live, and the entry of its element.

    number: in the order of entry, from the start of the run.
    """

    number: int
    guard: Guard
    entry: Any


class DrivenSpan(NamedTuple):
    """What a step drove: ticks number ``first`` .. ``end`` - 1, and its first guard's number."""

    first: int
    end: int
    watches: int


UNRECORDED = DrivenSpan(-1, -1, -1)
"""What began before a checkpoint: what was driven since then is not recorded."""


@dataclass(slots=True)
class MotionRecording:
    """The ticks that were driven, numbered from the start of the run, and what minded contact."""

    ticks: deque[Driven] = field(default_factory=lambda: deque(maxlen=LONGEST))
    count: int = 0
    watches: dict[int, ContactWatch] = field(default_factory=dict)
    watched: int = 0

    def here(self) -> DrivenSpan:
        """Return the span that begins now, still empty."""
        return DrivenSpan(self.count, self.count, self.watched)

    def since(self, begun: DrivenSpan) -> DrivenSpan | None:
        """Return what was driven since a span began, None where nothing was."""
        return begun._replace(end=self.count) if self.count > begun.first else None

    def watch(self, guard: Guard, entry: Any) -> None:
        """Keep a guard on contact that is live from now on; of one guard, the last entry."""
        self.watches[id(guard)] = ContactWatch(self.watched, guard, entry)
        self.watched += 1

    def add(self, driven: Driven) -> None:
        """Append a tick; the oldest make room."""
        ticks = self.ticks
        while ticks and driven.stamp - ticks[0].stamp > OLDEST:
            ticks.popleft()
        ticks.append(driven)
        self.count += 1

    def during(self, span: DrivenSpan, now: int) -> list[Driven] | None:
        """Return the ticks of a step; None where they are too many or too old."""
        start = span.first - (self.count - len(self.ticks))
        if start < 0:
            return None
        taken = list(islice(self.ticks, start, start + span.end - span.first))
        return None if taken and now - taken[0].stamp > OLDEST else taken
