# mypy: disable-error-code="attr-defined, type-arg"
"""Action servers whose goals last, without a coroutine for each."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rclpy.action import ActionServer, CancelResponse, GoalResponse

from walking_robots.nodes.common.qos import ACTION_SERVER

if TYPE_CHECKING:
    from walking_robots.nodes.common.node import GraphNode


class GoalServer(ActionServer):
    """An action server with guarded callbacks.

    A goal is executing from ``handle.execute()`` until `finish`. An execute callback that awaited
    the result would be resumed in every spin of the events executor, which then never sleeps.
    """

    def __init__(
        self,
        node: 'GraphNode',
        kind: Any,
        name: str,
        begin: Callable[[Any], None],
        cancel: Callable[[Any], CancelResponse],
        accept: Callable[[Any], GoalResponse] = lambda request: GoalResponse.ACCEPT,
        **options: Any,
    ) -> None:
        """Offer an action; ``begin`` and ``cancel`` get handles, ``accept`` gets requests."""
        super().__init__(
            node,
            kind,
            name,
            execute_callback=lambda handle: None,
            goal_callback=node.guard(accept, lambda _: GoalResponse.REJECT),
            handle_accepted_callback=node.guard(begin),
            cancel_callback=node.guard(cancel, lambda _: CancelResponse.REJECT),
            **ACTION_SERVER,
            **options,
        )

    def notify_execute(self, goal_handle: Any, execute_callback: Any) -> None:
        """Do nothing: the goal goes on by itself."""

    def finish(self, handle: Any, result: Any) -> None:
        """Send the result of a goal that has succeeded or was canceled or aborted."""
        super().notify_execute(handle, lambda _: result)
