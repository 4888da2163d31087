"""Messages between the programs of several robots."""

from collections.abc import Callable
from typing import Any, NamedTuple


class RadioMessage(NamedTuple):
    """A message: in which tick it was sent, by the robot of which name, and what it says."""

    tick: int
    sender: str
    content: Any


class RadioChannel:
    """What has been sent by the robots on one channel."""

    def __init__(self) -> None:
        """Begin in silence."""
        self.sent: list[RadioMessage] = []


class Radio:
    """Sends to a channel and hears all of it, its own messages too.

    What is sent in a tick is heard from the next tick on, by all robots in the same order: by
    tick, and within a tick by name. So robots that decide by what they hear agree.
    """

    def __init__(self, name: str, now: Callable[[], int]) -> None:
        """Begin on a channel of its own; now: returns the number of the tick."""
        self._name, self._now = name, now
        self.channel = RadioChannel()
        self._heard_until = -1

    def send(self, content: Any) -> None:
        """Send something to all on the channel."""
        self.channel.sent.append(RadioMessage(self._now(), self._name, content))

    def hear(self) -> list[RadioMessage]:
        """Return the messages that have arrived since the last call."""
        since, self._heard_until = self._heard_until, self._now() - 1
        new = [one for one in self.channel.sent if since < one.tick <= self._heard_until]
        return sorted(new, key=lambda one: (one.tick, one.sender))
