"""What the demos of all systems share."""

from collections.abc import Callable
from typing import Any, NamedTuple

from std_srvs.srv import SetBool, Trigger

from walking_robots.nodes.common.composition import Overrides
from walking_robots.nodes.common.intra_process import IntraProcessNode


class Presenter(IntraProcessNode):
    """A node that makes the robot do something and prints what that is.

    ``simulation``: the node to pause and to reset, if any; ``ended``: there is nothing more to
    show; ``succeeded``: the robot has done it.
    """

    simulation = ''

    def __init__(self, say: Callable[[str], None], **options: Any) -> None:
        """Begin to show; ``say`` prints a line."""
        super().__init__('presenter', **options)
        self._say = say
        self.ended = self.succeeded = False
        if self.simulation:
            self._pause: Any = self.create_client(SetBool, f'{self.simulation}/pause')
            self._reset: Any = self.create_client(Trigger, f'{self.simulation}/reset')

    def rewind(self) -> Overrides:
        """Prepare for the next presenter; return nodes to restart, with new parameters."""
        if self.simulation:
            self._pause.call_async(SetBool.Request(data=True))
            self._reset.call_async(Trigger.Request())
        return {}

    def changes(self) -> Overrides:
        """Return new parameters of nodes to restart; each change is returned once."""
        return {}


class Show(NamedTuple):
    """How a system is demonstrated.

    ``make`` starts the presenter, given a function that prints a line and the options of a node;
    ``overrides`` returns the parameters of the system's nodes at a real-time factor; ``without``
    names nodes that are not started, ``also`` some that run only where they are asked for;
    ``system`` is whose nodes these are, empty for the demonstrated one's.
    """

    make: Callable[..., Presenter]
    overrides: Callable[[float], Overrides]
    without: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    system: str = ''
