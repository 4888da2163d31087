"""A pseudo-terminal on which an emulated device answers in real time."""

import logging
import math
import os
import pty
import select
import threading
import time
import tty
from contextlib import suppress
from pathlib import Path
from typing import Generic, Protocol, TypeVar

IDLE = 0.02
"""Longest time, s, between two looks at the emulator."""
GRAIN = 0.001
"""Shortest such time, s: bytes come in small heaps, as from the buffer of a USB adapter."""

_log = logging.getLogger(__name__)


class SerialDevice(Protocol):
    """What is emulated at the other end of a serial line; it has a time of its own."""

    @property
    def connected(self) -> bool:
        """Return whether the cable is whole."""

    def advance(self, dt: float) -> None:
        """Advance its time, s."""

    def feed(self, data: bytes) -> None:
        """Take bytes that the host sends now."""

    def take(self) -> bytes:
        """Return the bytes that have reached the host by now."""

    def due(self) -> float:
        """Return after how long, s, the next byte arrives at either end; infinity for none."""


Device = TypeVar('Device', bound=SerialDevice)


class _PtyLine:
    """Both ends of a pseudo-terminal, as raw as a wire.

    The far end is kept open here too: otherwise the near one would hang up, again and again, for
    as long as no program has opened the port.
    """

    def __init__(self) -> None:
        self._near, self._far = pty.openpty()
        for end in (self._near, self._far):
            tty.setraw(end)
        os.set_blocking(self._near, False)
        self._waiting = select.poll()
        self._waiting.register(self._near, select.POLLIN)
        self.path = Path(os.ttyname(self._far))

    def exchange(self, data: bytes, wait: float) -> bytes:
        """Pass bytes to the host and give what it writes within a time, s.

        What does not fit is lost, as on a wire to which nobody listens.
        """
        if data:
            with suppress(BlockingIOError):
                os.write(self._near, data)
        with suppress(OSError):
            if self._waiting.poll(math.ceil(wait * 1000.0)):
                return os.read(self._near, 4096)
        return b''

    def close(self) -> None:
        """Hang up."""
        os.close(self._near)
        os.close(self._far)


class PseudoTerminal(Generic[Device]):
    """Runs an emulator by the wall clock, in a thread of its own; Linux and alike only.

    Hold ``emulator_lock`` while talking to the emulator. A ``link`` is a symbolic link that is
    kept pointing at the terminal, whose own name is another one after each cut of the cable.
    """

    def __init__(self, emulator: Device, link: Path | None = None) -> None:
        """Open the terminal; raises ValueError where ``link`` would replace something else."""
        self.emulator = emulator
        self.emulator_lock = threading.Lock()
        self._link = link
        self._line: _PtyLine | None = None
        self._ending = self._complained = False
        self._thread = threading.Thread(target=self._run, name='emulator', daemon=True)
        self._plug()

    @property
    def path(self) -> Path:
        """Return the name of the port: the link, or the terminal's own, new after each cut."""
        return self._link or self._own_path

    def start(self) -> None:
        """Advance the time."""
        self._thread.start()

    def close(self) -> None:
        """End the thread, hang up and remove the link."""
        self._ending = True
        if self._thread.is_alive():
            self._thread.join()
        self._unplug()

    def _run(self) -> None:
        before, heard = time.monotonic(), b''
        while not self._ending:
            now = time.monotonic()
            with self.emulator_lock:
                self.emulator.advance(now - before)
                self.emulator.feed(heard)
                said = self.emulator.take()
                connected = self.emulator.connected
                wait = min(max(self.emulator.due(), GRAIN), IDLE)
            before = now
            if self._line and not connected:
                self._unplug()
            elif connected and not self._line:
                self._plug_again()
            heard = self._line.exchange(said, wait) if self._line else self._rest(wait)

    def _rest(self, wait: float) -> bytes:
        time.sleep(wait)
        return b''

    def _plug(self) -> None:
        line = _PtyLine()
        try:
            if self._link is not None:
                _point(self._link, line.path)
        except (OSError, ValueError):
            line.close()
            raise
        self._line, self._own_path = line, line.path

    def _plug_again(self) -> None:
        """Come back after a cut; where the link cannot, try again and say so once."""
        try:
            self._plug()
            self._complained = False
        except (OSError, ValueError) as error:
            if not self._complained:
                _log.warning('the emulated device cannot come back: %s', error)
            self._complained = True

    def _unplug(self) -> None:
        line, self._line = self._line, None
        if line is None:
            return
        if self._link is not None and self._link.is_symlink():
            with suppress(OSError):
                if self._link.readlink() == line.path:
                    self._link.unlink()
        line.close()


def _point(link: Path, target: Path) -> None:
    """Replace the target of a symbolic link atomically; raise ValueError if it is no link."""
    if os.path.lexists(link) and not link.is_symlink():
        raise ValueError(f'{link} is there already and is not a link; name another place')
    fresh = link.with_name(f'.{link.name}.{os.getpid()}')
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(target)
    fresh.replace(link)
