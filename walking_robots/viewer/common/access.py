"""Decide which requests the server of a page answers."""

import ipaddress
import secrets
import socket
from dataclasses import dataclass, field

from websockets.http11 import Request

_ANY: dict[str, tuple[socket.AddressFamily, str]] = {
    '0.0.0.0': (socket.AF_INET, '192.0.2.1'),
    '::': (socket.AF_INET6, '2001:db8::1'),
}
"""Addresses that stand for all interfaces, each with its family and an address that is elsewhere.

Both are reserved for documentation (RFC 5737, RFC 3849).
"""


@dataclass(frozen=True)
class Access:
    """The address of a page, which is the permission to use it.

    host: name or address of this machine in it; token: a secret of this run.
    """

    host: str
    token: str = field(default_factory=lambda: secrets.token_urlsafe(16))

    def origin(self, port: int) -> str:
        """Return scheme, host and port of the page as a browser writes them."""
        host = f'[{self.host}]' if ':' in self.host else self.host.lower()
        return f'http://{host}' if port == 80 else f'http://{host}:{port}'

    def url(self, port: int) -> str:
        """Return the address to open."""
        return f'{self.origin(port)}/{self.token}/'

    def refusal(self, request: Request, port: int) -> str | None:
        """Return why a request that came to a port is refused, None for one that is answered.

        A browser names the site that a script comes from in Origin, and the host that it believes
        to talk to in Host, also where the site's name leads to this machine (DNS rebinding). A
        program that sends no Origin is no browser and needs the token only.
        """
        origin = self.origin(port)
        if request.headers.get_all('Host') != [origin.removeprefix('http://')]:
            return f'This page is served at {origin} only: open the address that was printed.'
        given = request.path.partition('?')[0].split('/')[1:2]
        if not given or not secrets.compare_digest(_bytes(given[0]), _bytes(self.token)):
            return 'The token is missing or wrong: open the address that was printed, all of it.'
        if request.headers.get_all('Origin') not in ([], [origin]):
            return 'Another site may not use this page: open the address that was printed.'
        return None

    def path_below(self, request: Request) -> str:
        """Return the path of a request without the token."""
        return '/' + request.path.removeprefix(f'/{self.token}').lstrip('/')


def family_of(host: str) -> socket.AddressFamily:
    """Return the address family of a host."""
    return socket.AF_INET6 if ':' in host else socket.AF_INET


def host_to_print(host: str) -> str:
    """Return the host by which others reach a server that is bound to `host`."""
    if host not in _ANY:
        return host
    family, elsewhere = _ANY[host]
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            # Chooses the interface of the default route; nothing is sent.
            probe.connect((elsewhere, 9))
        except OSError:
            return socket.gethostname()
        return str(probe.getsockname()[0])


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach a server that is bound to `host`."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == 'localhost'


def _bytes(text: str) -> bytes:
    return text.encode(errors='replace')
