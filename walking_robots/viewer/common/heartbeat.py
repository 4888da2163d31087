"""Notice that nobody is left who could stop a motion by a page."""

import asyncio
import math
import time
from collections.abc import Callable
from contextlib import suppress

from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

LIMIT = 0.5
"""Time, s, without an answer after which a page counts as gone."""
CHECK = 0.05
"""Time, s, between two looks at it."""
PERIOD = 0.1
"""Time, s, between two questions."""

PATH = '/heartbeat'
"""Where a page is connected for its heartbeat, below the token."""

# Drawing can block the page for hundreds of milliseconds, in software for a second, so a worker
# answers. It stops when the page reports that it is hidden, frozen or left, or has reported
# nothing for 2 s: longer than drawing takes, and about as long as a person tries again to press
# Stop on a page that hangs. The browser freezes the worker with its page.
SCRIPT = """
(() => {
  const answer = () => {
    let seen = -Infinity, socket = null;
    const connect = (address) => {
      socket = new WebSocket(address);
      socket.onmessage = (event) => {
        if (performance.now() - seen < 2000) socket.send(event.data);
      };
      socket.onclose = () => setTimeout(connect, 500, address);
    };
    onmessage = ({ data: { visible, address } }) => {
      seen = visible ? performance.now() : -Infinity;
      if (!socket) connect(address);
    };
  };
  const address = 'ws://' + location.host + location.pathname.replace(/\\/?$/, 'PATH');
  const worker = new Worker(URL.createObjectURL(new Blob([`(${answer})()`])));
  const report = (visible) => worker.postMessage({ visible, address });
  const look = () => report(document.visibilityState === 'visible');
  setInterval(look, 200);
  addEventListener('pagehide', () => report(false));
  document.addEventListener('freeze', () => report(false));
  document.addEventListener('visibilitychange', look);
  look();
})();
""".replace('PATH', PATH)


def _elapsed() -> float:
    """Return a steady time, s, that goes on while the machine sleeps."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class Heartbeat:
    """Asks all pages of a server for a sign of life.

    A question is the time, and an answer repeats it, so that an answer that waited in a socket
    does not count.
    """

    def __init__(self, clock: Callable[[], float] = _elapsed) -> None:
        """Begin without a page; `clock` gives s."""
        self._clock = clock
        self._alive = self._checked = -math.inf

    async def serve(self, connection: ServerConnection) -> None:
        """Ask a page until it is gone; raise ValueError for an answer that is not a time."""
        asking = asyncio.create_task(self._ask(connection))
        try:
            async for answer in connection:
                now = self._clock()
                if 0.0 <= now - float(answer) < LIMIT:
                    self._alive = now
        finally:
            asking.cancel()

    async def _ask(self, connection: ServerConnection) -> None:
        with suppress(ConnectionClosed):
            while True:
                await connection.send(repr(self._clock()))
                await asyncio.sleep(PERIOD)

    def is_silent(self) -> bool:
        """Return whether no page answers, or this was not called in time; for one caller.

        A process that stood still has not watched over anything.
        """
        now = self._clock()
        since, self._checked = min(self._alive, self._checked), now
        return now - since > LIMIT
