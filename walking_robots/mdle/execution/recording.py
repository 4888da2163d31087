"""What was driven, so that it can be driven back (mdle.md §4.11)."""

from collections import deque
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from walking_robots.geometry.se2 import Pose2

__all__ = ['LONGEST', 'Driven', 'Recording']

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


@dataclass(slots=True)
class Recording:
    """The ticks that were driven, numbered from the start of the run."""

    ticks: deque[Driven] = field(default_factory=lambda: deque(maxlen=LONGEST))
    count: int = 0

    def add(self, driven: Driven) -> None:
        """Keep a tick; the oldest make room."""
        ticks = self.ticks
        while ticks and driven.stamp - ticks[0].stamp > OLDEST:
            ticks.popleft()
        ticks.append(driven)
        self.count += 1

    def between(self, first: int, last: int, now: int) -> list[Driven] | None:
        """Give ticks number ``first`` .. ``last`` - 1; None where they are too many or too old."""
        start = first - (self.count - len(self.ticks))
        if start < 0:
            return None
        taken = list(islice(self.ticks, start, start + last - first))
        return None if taken and now - taken[0].stamp > OLDEST else taken
