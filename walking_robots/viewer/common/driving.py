"""Pass on the velocities that visitors hold by keys, pad or gamepad."""

import threading
from collections.abc import Callable, Hashable

Shares = tuple[float, float, float]
"""Of the limits ahead, to the left and of turning left; -1 ... 1."""
REST: Shares = (0.0, 0.0, 0.0)


class HeldVelocities:
    """Gives the robot to one visitor at a time, until this visitor releases it.

    After a stop, and after a visitor was lost, a velocity that is still held is not resumed: the
    visitor has to release it first.
    """

    def __init__(
        self, drive: Callable[[float, float, float], None], stop: Callable[[], None]
    ) -> None:
        """Begin at rest; `drive` gets shares of the limits, all 0 on release."""
        self._drive, self._stop = drive, stop
        self._driver: Hashable = None
        self._held: dict[Hashable, Shares] = {}
        self._in_order = threading.Lock()

    def hold(self, visitor: Hashable, shares: Shares) -> None:
        """Pass on what a visitor holds, if it has changed and nobody else drives."""
        with self._in_order:
            before = self._held.get(visitor, REST)
            self._held[visitor] = shares
            if self._driver is None and shares != REST and before == REST:
                self._driver = visitor
            if self._driver is visitor and shares != before:
                self._driver = visitor if shares != REST else None
                self._drive(*shares)

    def lose(self, visitor: Hashable) -> None:
        """Release what a visitor holds who does not answer."""
        with self._in_order:
            self._release(visitor)

    def leave(self, visitor: Hashable) -> None:
        """Release what a visitor holds who is gone."""
        with self._in_order:
            self._release(visitor)
            self._held.pop(visitor, None)

    def stop(self) -> None:
        """End every motion."""
        with self._in_order:
            self._driver = None
            self._stop()

    def _release(self, visitor: Hashable) -> None:
        if self._driver is visitor:
            self._driver = None
            self._drive(*REST)
