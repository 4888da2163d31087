"""What the demos of all systems share."""

from collections.abc import Callable
from typing import NamedTuple, Protocol, runtime_checkable

from walking_robots.nodes.common.composition import Overrides


class Presenter(Protocol):
    """A node that makes the robot do something and prints what that is."""

    ended: bool
    """There is nothing more to show."""

    @property
    def succeeded(self) -> bool:
        """Whether the robot did what was to be shown."""


@runtime_checkable
class RestartingPresenter(Protocol):
    """A presenter that has other nodes restarted now and then."""

    def changes(self) -> Overrides:
        """Return new parameters of the nodes to restart; each change is returned once."""


class Show(NamedTuple):
    """How a system is demonstrated.

    ``make`` starts the presenter, given a function that prints a line and the options of a node;
    ``overrides`` returns the parameters of the system's nodes at a real-time factor; ``without``
    names nodes that are not started.
    """

    make: Callable[..., Presenter]
    overrides: Callable[[float], Overrides]
    without: tuple[str, ...] = ()
