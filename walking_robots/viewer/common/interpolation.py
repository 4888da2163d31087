"""Show motion between states that come more seldom than pictures."""

from collections.abc import Callable
from typing import Generic, TypeVar

State = TypeVar('State')

LEAST, MOST = 0.06, 0.25
"""Wall time, s, between two states below which no picture lies between, and above which the robot
was not moving."""


class StateInterpolator(Generic[State]):
    """The last two states; a picture shows the way from one to the other while the next comes.

    between: gives the state at a share 0 ... 1 of the way, or the later state itself where there
    is no way between.
    """

    def __init__(self, between: Callable[[State, State, float], State]) -> None:
        """Begin without a state."""
        self._between = between
        self._before: State | None = None
        self._state: State | None = None
        self._at = -1.0e9
        self._interval = 0.0

    def take(self, state: State, now: float) -> None:
        """Note a state that has come at `now` (s, any steady clock)."""
        self._before, self._state = self._state, state
        self._interval, self._at = now - self._at, now

    def at(self, now: float) -> tuple[State, State] | None:
        """Return the state to draw at a time, and the one to write about; None before any.

        They are the last state itself when it has been reached.
        """
        if self._state is None:
            return None
        moves = self._before is not None and LEAST < self._interval < MOST
        share = (now - self._at) / self._interval if moves else 1.0
        if self._before is None or share >= 1.0:
            return self._state, self._state
        drawn = self._between(self._before, self._state, share)
        return drawn, self._state if drawn is self._state else self._before
