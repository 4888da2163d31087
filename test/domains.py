"""ROS domains of the tests: each of those that run at a time has its own."""

from collections import deque
from contextlib import ExitStack

from walking_robots.nodes.common.network import free_domain

__all__ = ['SESSION_DOMAIN', 'private_domain']

_session = ExitStack()
SESSION_DOMAIN = _session.enter_context(free_domain())

# No test has more graphs than these at a time.
_reserved: deque[ExitStack] = deque(maxlen=8)


def private_domain() -> int:
    """Return a ROS domain that no other test uses at the time."""
    if len(_reserved) == _reserved.maxlen:
        _reserved.popleft().close()
    _reserved.append(ExitStack())
    return _reserved[-1].enter_context(free_domain())
