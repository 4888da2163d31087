"""Keep texts and plots from changing faster than a person can read."""

from typing import Generic, TypeVar

State = TypeVar('State')


class Throttle(Generic[State]):
    """Says when a part of the page may show the next state."""

    def __init__(self, period: float) -> None:
        """Let `period` (s) pass between two changes."""
        self._period = period
        self._shown: State | None = None
        self._at = -1.0e9

    def is_behind(self, state: State) -> bool:
        """Return whether another state than this one is shown."""
        return self._shown is not state

    def take(self, state: State, now: float) -> bool:
        """Return whether to show a state at `now` (s, any steady clock), and count it as shown."""
        if self._shown is state or now - self._at < self._period:
            return False
        self._shown, self._at = state, now
        return True
