"""What one sonar beam hears while the robot stands, and whether that has changed."""

import statistics
from collections import deque
from typing import Literal

LEARN = 3
"""Readings of which the background is made."""
PERSIST = 2
"""Readings in a row that make a change; a beam is fired about once a second."""
SETTLE = 6
"""Readings in a row of one thing that put right what was learnt while something came or went."""
TOGETHER = 0.5
"""Distance, m, up to which two readings may be of one thing that moves."""

Change = Literal['', 'nearer', 'farther']


def tolerance(distance: float) -> float:
    """Return the difference, m, that is not noise: four sigmas at 2 % far away, more when near."""
    return 0.15 + 0.08 * distance


class BeamBackground:
    """Learns the ranges of a beam, m, and notices when there are others, again and again.

    ``change`` is what there is instead of the background; ``usual`` the one range that was
    heard, None where there are several or none is learnt; ``steady`` whether it never failed;
    ``since`` and ``confirmed`` are the times, ns, when the change began and when the background
    was last heard, ``lasts`` the readings since.
    """

    def __init__(self) -> None:
        """Begin knowing nothing."""
        self._first: list[float] = []
        self._ranges: list[float] = []
        self._odd: list[float] = []
        self._recent: deque[float] = deque(maxlen=SETTLE)
        self.since = self.confirmed = self._count = 0
        self.usual: float | None = None
        self.steady = False

    @property
    def lasts(self) -> int:
        """Return how many readings in a row were not of the background."""
        return self._count if self._odd else 0

    @property
    def change(self) -> Change:
        """The change: what the last readings, all of them, were beyond the background."""
        if len(self._odd) < PERSIST or not self._ranges:
            return ''
        if self.steady and all(map(self._is_farther, self._odd)):
            return 'farther'
        if max(self._odd) - min(self._odd) <= TOGETHER and all(map(self._is_nearer, self._odd)):
            return 'nearer'
        return ''

    @property
    def last(self) -> float:
        """Return the mean of the last readings of a change, m."""
        return statistics.fmean(self._odd)

    def hear(self, distance: float, now: int) -> None:
        """Take in a reading, m, where no echo is the farthest that can be heard."""
        self._recent.append(distance)
        if self.usual is None and len(self._first) == LEARN:
            self._settle()
        if len(self._first) < LEARN:
            self._first.append(distance)
            if len(self._first) == LEARN:
                self._learn()
        elif any(abs(distance - known) <= tolerance(known) for known in self._ranges):
            self._forgive()
            self.confirmed = now
        else:
            if not self._odd:
                self.since, self._count = now, 0
            self._count += 1
            self._odd = [*self._odd[1 - PERSIST :], distance]

    def _learn(self) -> None:
        usual = statistics.median(self._first)
        if all(abs(distance - usual) <= tolerance(usual) for distance in self._first):
            self._ranges, self.usual, self.steady = [usual], usual, True
        else:
            self._ranges = list(self._first)

    def _settle(self) -> None:
        """Learn again where the beam has become one thing, after it was several."""
        usual = statistics.median(self._recent)
        settled = len(self._recent) == SETTLE and all(
            abs(distance - usual) <= tolerance(usual) for distance in self._recent
        )
        if settled:
            self._ranges, self.usual, self.steady, self._odd = [usual], usual, True, []

    def _forgive(self) -> None:
        """Take what was odd for a flicker, unless it had lasted and went away."""
        if len(self._odd) < PERSIST:
            if any(map(self._is_farther, self._odd)):
                self.steady = False
            self._ranges += self._odd
        self._odd = []

    def _is_farther(self, distance: float) -> bool:
        most = max(self._ranges)
        return distance > most + tolerance(most)

    def _is_nearer(self, distance: float) -> bool:
        least = min(self._ranges)
        return distance < least - tolerance(least)
