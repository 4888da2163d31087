"""One direction of the serial line: bytes travel one after the other and take their time."""

import math
from collections import deque

CAPACITY = 4096
"""Bytes under way or not yet taken; more are lost, as where a buffer of a port is full."""
BITS = 10
"""A byte on the wire: start bit, eight bits, stop bit."""


class Wire:
    """Carries bytes at a rate of bits a second; all times in microseconds."""

    def __init__(self, baud: int) -> None:
        """Begin with an idle line."""
        self._byte = 1e6 * BITS / baud
        self._idle_from = 0.0
        self._bytes: deque[tuple[float, int]] = deque()

    def send(self, data: bytes, at: float) -> None:
        """Put bytes on the line, not before a time, and behind what is on it."""
        for byte in data[: max(CAPACITY - len(self._bytes), 0)]:
            self._idle_from = max(self._idle_from, at) + self._byte
            self._bytes.append((self._idle_from, byte))

    def arrival(self) -> float:
        """Return when the next byte arrives; infinity while the line is idle."""
        return self._bytes[0][0] if self._bytes else math.inf

    def take(self, until: float) -> bytes:
        """Return the bytes that have arrived by a time."""
        arrived = bytearray()
        while self._bytes and self._bytes[0][0] <= until:
            arrived.append(self._bytes.popleft()[1])
        return bytes(arrived)

    def cut(self) -> None:
        """Lose whatever is on the line."""
        self._bytes.clear()
        self._idle_from = 0.0
