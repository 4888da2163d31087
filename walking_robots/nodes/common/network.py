"""A ROS domain that nothing else on this machine uses."""

import random
import socket
from collections.abc import Iterator
from contextlib import contextmanager

_DOMAINS = range(1, 102)
"""Domains whose ports end before those of outgoing connections."""
_PARTICIPANTS = 32
"""How many processes of a domain ROS 2 finds on one machine."""


@contextmanager
def free_domain() -> Iterator[int]:
    """Choose a ROS domain from 1 to 101 without a participant on this machine, and reserve it.

    No other process gets it from this function meanwhile. Raises RuntimeError if all are used.
    """
    for domain in random.sample(_DOMAINS, len(_DOMAINS)):
        # Its name is not a file: it is free again when the process has ended, even by SIGKILL.
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as reservation:
            try:
                reservation.bind(f'\0walking_robots/domain/{domain}')
            except OSError:
                continue
            if not _has_participants(domain):
                yield domain
                return
    raise RuntimeError('all ROS domains from 1 to 101 are used on this machine')


def _has_participants(domain: int) -> bool:
    """Return whether a UDP port is taken by which a participant of a domain is found."""
    first = 7400 + 250 * domain
    ports = [first, *range(first + 10, first + 10 + 2 * _PARTICIPANTS, 2)]
    return any(_is_taken(port) for port in ports)


def _is_taken(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.bind(('', port))
        except OSError:
            return True
    return False
