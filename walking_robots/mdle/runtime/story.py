"""What has happened in a run: its events, and one number that tells two runs apart."""

import hashlib
import json

from walking_robots.mdle.runtime.endings import Event

__all__ = ['Story']


class Story:
    """Keeps the events of a run until somebody takes them, and digests all of them."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._events: list[Event] = []
        self._digest = hashlib.sha256()

    def __len__(self) -> int:
        """Count the events that nobody has taken yet."""
        return len(self._events)

    def tell(self, event: Event) -> None:
        """Take in an event."""
        self._events.append(event)
        line = json.dumps(event, sort_keys=True, separators=(',', ':'), default=list)
        self._digest.update(line.encode() + b'\n')

    def take(self) -> list[Event]:
        """Give the events since the last call."""
        events, self._events = self._events, []
        return events

    def sha256(self) -> str:
        """Give the digest of all events so far: equal for equal runs, to the last bit."""
        return self._digest.hexdigest()
