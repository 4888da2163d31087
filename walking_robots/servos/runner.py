"""The thread that keeps a driver and the servos of a robot talking over a port."""

import logging
import threading
import time
from collections.abc import Callable

from walking_robots.servos.driver import BusDriver
from walking_robots.servos.report import BusPhase

LONGEST = 0.1
"""Longest wait, s, before the driver is looked at again."""

_log = logging.getLogger(__name__)


class BusRunner:
    """Steps a driver whose clock is the steady one, in a thread of its own, until it has ended.

    ``looked`` is called in that thread after each look at the servos.
    """

    def __init__(self, driver: BusDriver, looked: Callable[[], None] = lambda: None) -> None:
        """Prepare; :meth:`start` opens the port."""
        self.driver = driver
        self._looked = looked
        self._wake = threading.Event()
        self._thread = threading.Thread(target=self._run, name='servo bus', daemon=True)

    def start(self) -> None:
        """Begin to look for the servos."""
        self._thread.start()

    def command(self, goals: list[float]) -> None:
        """Ask for joints as :meth:`BusDriver.command`, and have them sent at once."""
        self.driver.command(goals)
        self._wake.set()

    def end(self, patience: float = 0.8) -> None:
        """Bring the robot to rest, close the port and wait for the thread, at most so long, s."""
        self.driver.end()
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(patience)

    def _run(self) -> None:
        told = 0
        while self.driver.report().phase is not BusPhase.ENDED:
            wait = self.driver.due() - time.monotonic()
            if wait > 0.0:
                self._wake.wait(min(wait, LONGEST))
            self._wake.clear()
            try:
                self.driver.step()
                count = self.driver.report().count
                if count != told:
                    told = count
                    self._looked()
            except Exception:
                # Whatever it is, the servos must not be left with a thread that has died.
                _log.exception('the driver of the servos stumbled')
                self.driver.halt('an internal error')
                time.sleep(LONGEST)
