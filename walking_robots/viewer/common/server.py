"""Start the web server of a page, which answers only who has its address."""

import asyncio
import logging
import socket
import threading
from collections.abc import Awaitable, Callable
from contextlib import suppress
from http import HTTPStatus
from typing import Any

import rich
import viser
import websockets.asyncio.server as websockets_server
from websockets.asyncio.server import ServerConnection
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from walking_robots.viewer.common.access import Access, family_of, host_to_print, is_loopback
from walking_robots.viewer.common.assets import page_head
from walking_robots.viewer.common.controls import Axis
from walking_robots.viewer.common.heartbeat import PATH, Heartbeat
from walking_robots.viewer.common.messages import MOST_OFTEN, MessageFilter

MOST_BYTES = 2**20
"""Size of a message of a page."""

_PROTOCOL = f'viser-v{viser.__version__}'

Handler = Callable[[ServerConnection], Awaitable[None]]
Responder = Callable[[ServerConnection, Request], Response | None]


class PageServer:
    """The library's server of a page behind a check of all that comes in."""

    def __init__(self, title: str, host: str, port: int) -> None:
        """Run the server; a taken port makes way for the next one, port 0 for any.

        Raise ValueError for a host that is not an address of this machine.
        """
        # Browsers open connections and drop them unused.
        logging.getLogger('websockets.server').setLevel(logging.CRITICAL)
        self._access = Access(host_to_print(host))
        self.is_open_to_network = not is_loopback(host)
        self.heartbeat = Heartbeat()
        self.axes: tuple[Axis, ...] | None = ()
        try:
            # The library would try all ports in vain, and wait for ever.
            socket.create_server((host, 0), family=family_of(host)).close()
        except OSError as error:
            raise ValueError(f'host {host!r} is not an address of this machine') from error
        with quiet_console, _starting:
            websockets_server.serve = self._serve  # type: ignore[misc, assignment]
            try:
                self.viser = viser.ViserServer(host=host, port=port, label=title, verbose=False)
            finally:
                websockets_server.serve = _SERVE  # type: ignore[misc]
        self._filter = MessageFilter(self.viser.gui)

    @property
    def origin(self) -> str:
        """Return the address of the page without its token."""
        return self._access.origin(self.viser.get_port())

    @property
    def url(self) -> str:
        """Return the address of the page, with its token."""
        return self._access.url(self.viser.get_port())

    def stop(self) -> None:
        """Stop the server."""
        with quiet_console:
            self.viser.stop()

    def _serve(
        self,
        handler: Handler,
        host: str,
        port: int,
        *,
        process_request: Responder,
        **options: Any,
    ) -> Any:
        """Start to serve in place of the library, which calls this."""

        def respond(connection: ServerConnection, request: Request) -> Response | None:
            reason = self._access.refusal(request, connection.local_address[1])
            if reason is not None:
                return connection.respond(HTTPStatus.FORBIDDEN, f'{reason}\n')
            if 'Upgrade' in request.headers:
                return None
            # Without its headers, the answer is not compressed.
            plain = Request(self._access.path_below(request), Headers())
            return _with_head(process_request(connection, plain), page_head(self.axes))

        async def handle(connection: ServerConnection) -> None:
            assert connection.request is not None
            with suppress(ConnectionClosed):
                if self._access.path_below(connection.request) == PATH:
                    await self.heartbeat.serve(connection)
                elif connection.subprotocol == _PROTOCOL:
                    connection.recv = self._checked(connection.recv)  # type: ignore[method-assign]
                    await handler(connection)

        options |= {'process_request': respond, 'max_size': MOST_BYTES}
        return _SERVE(handle, host, port, **options)

    def _checked(self, receive: Callable[[], Awaitable[Any]]) -> Any:
        """Return a function that receives only what the filter accepts, and not too often."""

        async def receive_checked() -> Any:
            while True:
                await asyncio.sleep(MOST_OFTEN)
                message = await receive()
                if self._filter.accepts(message):
                    return message

        return receive_checked


def _with_head(response: Response | None, head: str) -> Response | None:
    """Add markup to the head of a page."""
    if response is not None and response.status_code == HTTPStatus.OK:
        markup = f'<head>{head}'.encode()
        response.body = bytes(response.body).replace(b'<head>', markup, 1)
        del response.headers['Content-Length']
        response.headers['Content-Length'] = str(len(response.body))
    return response


class _QuietConsole:
    """Keeps the server's banner off the terminal, where the program has its own words.

    In force while at least one thread is inside of it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0

    def __enter__(self) -> None:
        self._change(1)

    def __exit__(self, *_: object) -> None:
        self._change(-1)

    def _change(self, change: int) -> None:
        with self._lock:
            self._count += change
            rich.get_console().quiet = self._count > 0


quiet_console = _QuietConsole()
_starting = threading.Lock()
_SERVE = websockets_server.serve
