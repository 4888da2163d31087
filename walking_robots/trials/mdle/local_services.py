"""What atoms of space none find where there is nothing but this process: a simulation."""

from typing import NoReturn

from walking_robots.mdle.runtime.events import RunError


class LocalServices:
    """Keeps signals and lines of the log; nothing else is there.

    lines: what programs said with ``log``, oldest first.
    """

    def __init__(self) -> None:
        """Begin without signals."""
        self.lines: list[str] = []
        self._signals: set[str] = set()

    def signal(self, tag: str) -> None:
        """Keep a signal; it stays set."""
        self._signals.add(tag)

    def signaled(self, tag: str) -> bool:
        """Return whether a signal was sent."""
        return tag in self._signals

    def log(self, text: str) -> None:
        """Keep a line."""
        self.lines.append(text)

    def publish(self, topic: str, message: str) -> NoReturn:
        """Refuse: raises RunError (E808)."""
        raise _absent(f"there is no topic '{topic}'")

    def call_action(self, name: str, goal: str) -> NoReturn:
        """Refuse: raises RunError (E808)."""
        raise _absent(f"there is no action '{name}'")

    def call_service(self, name: str, request: str) -> NoReturn:
        """Refuse: raises RunError (E808)."""
        raise _absent(f"there is no service '{name}'")

    def ask(self, text: str) -> NoReturn:
        """Refuse: raises RunError (E808)."""
        raise _absent(f"there is nobody to answer '{text}'")


def _absent(what: str) -> RunError:
    return RunError('E808', f'{what} in a simulation; run the program on the graph')
