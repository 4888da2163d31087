"""ROS domains of the tests: each of those that run at a time has its own."""

import os
from itertools import count

__all__ = ['private_domain']

# Domains over 101 can take the ports of outgoing connections.
_ALL = 100
_WORKERS = int(os.environ.get('PYTEST_XDIST_WORKER_COUNT', '1'))
_WORKER = int(os.environ.get('PYTEST_XDIST_WORKER', 'gw0').removeprefix('gw'))
_SHARE = _ALL // _WORKERS

# Workers of pytest-xdist inherit the domain of the process that has started them.
_SESSION = int(os.environ.get('ROS_DOMAIN_ID', '1')) if _WORKERS > 1 else os.getpid()
_steps = count()


def private_domain() -> int:
    """Return a ROS domain that no other test uses at the time."""
    return 1 + (_SESSION + _WORKER * _SHARE + next(_steps) % _SHARE) % _ALL
