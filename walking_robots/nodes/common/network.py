"""Where DDS is heard: on this machine only, and in a ROS domain that nothing else there uses."""

import os
import random
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version

from walking_robots.documents.shared import shared_path

_DOMAINS = range(1, 102)
"""Domains whose ports end before those of outgoing connections."""
_PARTICIPANTS = 32
"""How many processes of a domain ROS 2 finds on one machine."""

_PROFILES = ('FASTRTPS_DEFAULT_PROFILES_FILE', 'FASTDDS_DEFAULT_PROFILES_FILE')
"""Variables that name a profile for Fast DDS 2 (Jazzy) and 3; the other one causes a warning."""


def stay_on_this_machine() -> None:
    """Bind DDS to 127.0.0.1, unless the environment names a profile of Fast DDS; call it first.

    The range LOCALHOST, which is set for other implementations and beside such a profile, binds
    Fast DDS to all addresses and adds shared memory, through which a node that was killed and
    started again may receive nothing (Fast DDS issues 5053 and 5469).
    """
    fast_dds = os.environ.get('RMW_IMPLEMENTATION', 'rmw_fastrtps_cpp').startswith('rmw_fastrtps')
    if not fast_dds or any(name in os.environ for name in _PROFILES):
        os.environ.setdefault('ROS_AUTOMATIC_DISCOVERY_RANGE', 'LOCALHOST')
        return
    is_new = int(version('rclpy').split('.')[0]) > 7
    os.environ[_PROFILES[is_new]] = str(shared_path('config/loopback.xml'))
    # Every other range would add transports to the profile.
    os.environ['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'SYSTEM_DEFAULT'
    os.environ.pop('ROS_LOCALHOST_ONLY', None)


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
