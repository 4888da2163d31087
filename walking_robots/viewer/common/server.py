"""Start the web server of a page."""

import logging
import threading
from typing import Any

import rich
import viser
import websockets.asyncio.server as websockets_server
from websockets.http11 import Response


def start_server(title: str, host: str, port: int) -> viser.ViserServer:
    """Return a server that runs; a taken port makes way for the next one, port 0 for any."""
    # Browsers open connections and drop them unused.
    logging.getLogger('websockets.server').setLevel(logging.CRITICAL)
    with quiet_console, _forbid_caching:
        return viser.ViserServer(host=host, port=port, label=title, verbose=False)


class _Shared:
    """A change of something global, in force while at least one thread is inside of it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0

    def __enter__(self) -> None:
        self._turn(1)

    def __exit__(self, *_: object) -> None:
        self._turn(-1)

    def _turn(self, change: int) -> None:
        with self._lock:
            self._count += change
            self._apply(self._count > 0)

    def _apply(self, active: bool) -> None:
        """Put the change in force, or end it."""
        raise NotImplementedError


class _QuietConsole(_Shared):
    """Keeps the server's banner off the terminal, where the program has its own words."""

    def _apply(self, active: bool) -> None:
        rich.get_console().quiet = active


class _ForbidCaching(_Shared):
    """Has servers that start meanwhile forbid browsers to store the page.

    Browsers keep a stored page that a person has left in their back/forward cache, with its
    connection open: nobody would see that the last visitor has left.
    """

    _serve = staticmethod(websockets_server.serve)

    def _apply(self, active: bool) -> None:
        serve: Any = self._uncached if active else self._serve
        websockets_server.serve = serve  # type: ignore[misc]

    def _uncached(self, *arguments: Any, **options: Any) -> Any:
        return self._serve(*arguments, process_response=_no_store, **options)


def _no_store(connection: object, request: object, response: Response) -> None:
    response.headers['Cache-Control'] = 'no-store'


quiet_console = _QuietConsole()
_forbid_caching = _ForbidCaching()
