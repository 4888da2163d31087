"""Messages for people, kept until they are read (ars_magna.md §2.9)."""

from collections import deque
from typing import NamedTuple

from walking_robots.ars_magna.agent.messages import ERROR, PLAIN, WARNING

PREFIXES = {ERROR: '*ERROR* -> ', WARNING: '*WARNING* -> ', PLAIN: ''}
"""What the manual's command line writes before a message."""
_LONGEST = 10_000


class Message(NamedTuple):
    """A message, of whom ('' for the world's), and in which tick it was queued."""

    severity: str
    robot: str
    text: str
    tick: int

    def __str__(self) -> str:
        """Write it as the manual's command line does."""
        return PREFIXES[self.severity] + self.text


class Messages:
    """Queues messages; of more than 10 000 unread ones the oldest are dropped."""

    def __init__(self) -> None:
        """Begin with none."""
        self._queue: deque[Message] = deque(maxlen=_LONGEST)
        self.tick = 0

    def put(self, severity: str, text: str, robot: str = '') -> None:
        """Queue a message of a severity."""
        self._queue.append(Message(severity, robot, text, self.tick))

    def error(self, text: str, robot: str = '') -> None:
        """Queue an error."""
        self.put(ERROR, text, robot)

    def warning(self, text: str, robot: str = '') -> None:
        """Queue a warning."""
        self.put(WARNING, text, robot)

    def plain(self, text: str, robot: str = '') -> None:
        """Queue a plain message."""
        self.put(PLAIN, text, robot)

    def take(self) -> list[Message]:
        """Return all messages, and empty the queue."""
        found = list(self._queue)
        self._queue.clear()
        return found
