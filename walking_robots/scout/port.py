"""A serial port and the thread that keeps a driver and a robot talking over it."""

import logging
import os
import select
import termios
import threading
import time
from collections.abc import Callable
from contextlib import suppress

import serial

from walking_robots.scout.driver import ScoutDriver
from walking_robots.scout.framing import frame
from walking_robots.scout.protocol import Op, plain, velocities
from walking_robots.scout.report import DriverReport, LinkPhase

BAUD = 38400
"""8 data bits, no parity, 1 stop bit, no flow control (scout_protocol.md §1.1)."""
SLICE = 0.05
"""Longest wait, s, before the driver is looked at again."""
GATHER = 0.004
"""Wait, s, after the first bytes of a reply, so that one wake-up takes in more of it."""

_log = logging.getLogger(__name__)
_PORT_ERRORS = (OSError, ValueError, termios.error)


class SerialRunner:
    """Runs a driver over a serial port, in a thread of its own, until it has ended.

    Hold ``lock`` while talking to the driver. ``receive`` gets a report in that thread when the
    robot has sent its state. A port that cannot be opened, falls silent or is pulled out is tried
    again for as long as it takes.
    """

    def __init__(
        self,
        driver: ScoutDriver,
        port: str,
        receive: Callable[[DriverReport], None] = lambda report: None,
        baud: int = BAUD,
    ) -> None:
        """Prepare; :meth:`start` opens the port."""
        self.driver = driver
        self.lock = threading.Lock()
        self._path, self._baud, self._receive = port, baud, receive
        self._port: serial.Serial | None = None
        self._told = 0
        self._thread = threading.Thread(target=self._run, name='scout', daemon=True)

    def start(self) -> None:
        """Begin to look for the robot."""
        self._thread.start()

    def end(self, patience: float = 0.8) -> None:
        """Bring the robot to rest, close the port and wait for the thread, at most so long, s."""
        with self.lock:
            self.driver.end()
        if self._thread.is_alive():
            self._thread.join(patience)

    def _run(self) -> None:
        ended = False
        while not ended:
            try:
                ended = self._turn()
            except Exception as error:
                # Whatever it is, a robot must not be left to itself with a thread that has died.
                _log.exception('the driver of the Scout stumbled')
                self._stop_unheard()
                with self.lock:
                    self.driver.lost(f'internal error: {error}', time.monotonic())
        self._close()

    def _turn(self) -> bool:
        """Do what is due; true when the driver has ended."""
        with self.lock:
            if self.driver.report().phase is LinkPhase.ENDED:
                return True
            try_now = self.driver.may_open(time.monotonic())
            wanted = self.driver.wants_port
        if not wanted:
            self._close()
        if try_now:
            self._open()
        if self._port is None:
            time.sleep(SLICE)
        else:
            self._exchange(self._port)
        return False

    def _open(self) -> None:
        try:
            self._port = serial.Serial(
                self._path, self._baud, timeout=0, write_timeout=0.2, exclusive=True
            )
            self._port.reset_input_buffer()
        except _PORT_ERRORS as error:
            with self.lock:
                self.driver.lost(self._why(error), time.monotonic())
        else:
            with self.lock:
                self.driver.opened()

    def _exchange(self, port: serial.Serial) -> None:
        """Wait for bytes or the driver's next deadline, and run the driver."""
        try:
            with self.lock:
                wait = min(max(self.driver.due() - time.monotonic(), 0.0), SLICE)
            if select.select([port], [], [], wait)[0]:
                time.sleep(GATHER)
            data = port.read(4096)
            with self.lock:
                out = self.driver.step(time.monotonic(), data)
                report = self.driver.report()
            if out:
                port.write(out)
        except _PORT_ERRORS as error:
            with self.lock:
                self.driver.lost(self._why(error), time.monotonic())
            return
        if report.count != self._told:
            self._told = report.count
            try:
                self._receive(report)
            except Exception:
                _log.exception('a report of the Scout could not be published')

    def _stop_unheard(self) -> None:
        """Say stop without waiting for an answer."""
        if self._port is not None:
            with suppress(*_PORT_ERRORS):
                self._port.write(frame(velocities(0, 0)) + frame(plain(Op.STOP)))

    def _close(self) -> None:
        if self._port is not None:
            with suppress(*_PORT_ERRORS):
                self._port.close()
            self._port = None

    def _why(self, error: Exception) -> str:
        number = getattr(error, 'errno', None)
        reason = os.strerror(number).lower() if number else 'it hung up'
        return f'port {self._path} cannot be used ({reason}): is the cable plugged in?'
