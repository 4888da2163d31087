"""Serial ports as the Dynamixel SDK takes them, which never make it wait longer than agreed.

The SDK asks a port for bytes in a loop until its packet is complete or the time for it is over.
Its own port answers at once, so that the loop burns a core, and goes on for as long as noise
arrives. These ports wait for bytes, and give none after the end of the time.
"""

import os
import select
import termios
import time
from abc import ABC, abstractmethod

import serial

REPLY_TIMEOUT = 0.015
"""Time, s, by which a reply may be later than its bytes need; the timer of a USB adapter that is
not set to 1 ms takes 16 ms."""
BITS = 10
"""A byte on the line: start bit, eight bits, stop bit."""

PORT_ERRORS = (OSError, ValueError, termios.error)


class BusPort(ABC):
    """The methods by which the SDK uses a port."""

    # Names of the SDK.
    # ruff: noqa: N802

    def __init__(self, baud: int, reply_timeout: float = REPLY_TIMEOUT) -> None:
        """Begin without bytes; reply_timeout: s."""
        self.is_using = False
        self._baud, self._reply_timeout = baud, reply_timeout
        self._bytes = bytearray()
        self._deadline, self._looked_again = 0.0, True

    @abstractmethod
    def now(self) -> float:
        """Return the time of the port, s."""

    @abstractmethod
    def receive(self, until: float) -> bytes:
        """Wait for bytes, at most until a time, s, and return them."""

    @abstractmethod
    def writePort(self, packet: list[int]) -> int:
        """Send a packet and return how many bytes of it were taken."""

    @abstractmethod
    def close(self) -> None:
        """Give the port back."""

    def getBaudRate(self) -> int:
        """Return the speed, bit/s."""
        return self._baud

    def clearPort(self) -> None:
        """Drop the bytes that have arrived."""
        self.receive(self.now())
        self._bytes.clear()

    def readPort(self, length: int) -> bytes:
        """Return so many bytes, or those that have arrived by the end of the time."""
        while len(self._bytes) < length and self.now() < self._deadline:
            self._bytes += self.receive(self._deadline)
        if len(self._bytes) < length and not self._looked_again:
            # Where this process had to wait for a processor, the reply may have come meanwhile.
            self._looked_again = True
            self._bytes += self.receive(self._deadline)
        taken = bytes(self._bytes[: max(length, 0)])
        del self._bytes[: len(taken)]
        return taken

    def setPacketTimeout(self, length: int) -> None:
        """Allow the time that so many bytes need."""
        self._allow(BITS * length / self._baud + self._reply_timeout)

    def setPacketTimeoutMillis(self, milliseconds: float) -> None:
        """Allow a time, ms."""
        self._allow(1e-3 * milliseconds)

    def _allow(self, duration: float) -> None:
        self._deadline, self._looked_again = self.now() + duration, False

    def isPacketTimeout(self) -> bool:
        """Return whether the time is over."""
        return self.now() >= self._deadline


class SerialBusPort(BusPort):
    """A serial port, or a pseudo-terminal."""

    # ruff: noqa: N802

    def __init__(self, path: str, baud: int, reply_timeout: float = REPLY_TIMEOUT) -> None:
        """Open the port; raises ValueError, one sentence, where that fails."""
        super().__init__(baud, reply_timeout)
        try:
            self._port = serial.Serial(path, baud, timeout=0, write_timeout=0.1, exclusive=True)
        except PORT_ERRORS as error:
            number = getattr(error, 'errno', None)
            reason = os.strerror(number).lower() if number else str(error).split(':')[0].lower()
            raise ValueError(
                f'port {path} cannot be used ({reason}): is the adapter plugged in, and no other '
                'program on it?'
            ) from None

    def now(self) -> float:
        """Return the steady clock, s."""
        return time.monotonic()

    def receive(self, until: float) -> bytes:
        """Wait for bytes; raises OSError where the port is gone."""
        wait = max(until - time.monotonic(), 0.0)
        if not select.select([self._port], [], [], wait)[0]:
            return b''
        data = os.read(self._port.fileno(), 4096)
        if not data:
            raise OSError('the port hung up')
        return data

    def writePort(self, packet: list[int]) -> int:
        """Send a packet; raises OSError where the port is gone or takes nothing."""
        return self._port.write(bytes(packet)) or 0

    def close(self) -> None:
        """Close the port."""
        self._port.close()
