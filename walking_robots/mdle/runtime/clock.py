"""The clock of a program: time in pauses does not count (mdle.md §4.6.6)."""

__all__ = ['ProgramClock']


class ProgramClock:
    """Goes on with the clock that it hears, ns, but neither in pauses nor backwards."""

    def __init__(self, now: int) -> None:
        """Begin at a time."""
        self._heard = now
        self._lost = 0
        self._since: int | None = None

    @property
    def now(self) -> int:
        """The program's time."""
        return (self._heard if self._since is None else self._since) - self._lost

    def hear(self, now: int) -> None:
        """Take what time it is; a clock that was set back, such as a simulation's, is followed."""
        if now < self._heard:
            self._lost += now - self._heard
            if self._since is not None:
                self._since += now - self._heard
        self._heard = now

    def pause(self) -> None:
        """Stand still."""
        self._since = self._heard

    def resume(self) -> None:
        """Go on where it stood."""
        if self._since is not None:
            self._lost += self._heard - self._since
            self._since = None
