# mypy: disable-error-code="attr-defined"
"""The action `run_plan`: goals become orders of the session, and requests become results."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from rclpy.action import CancelResponse, GoalResponse
from walking_robots_interfaces.action import RunPlan
from walking_robots_interfaces.msg import PlanFrame, PlanStatus

from walking_robots.mdle.program_store import FORMATS, ProgramStore
from walking_robots.mdle.session import RunHandle, RunRequest, Session
from walking_robots.nodes.common.goal_server import GoalServer
from walking_robots.nodes.mdle.conversions import request_from_goal, result_to_msg

if TYPE_CHECKING:
    from walking_robots.nodes.common.node import GraphNode


def source_of(request: Any, store: ProgramStore) -> tuple[str, str, str]:
    """Return text, format and name of the program that a goal or a request means.

    Raises ValueError where there is none.
    """
    if request.source:
        return request.source, request.format or FORMATS[0], 'program'
    if request.uri:
        source, form, file = store.read(request.uri)
        return source, request.format or form, file
    raise ValueError('there is no program: give its text as source, or its name as uri')


class PlanAction:
    """Serves `run_plan`; a result is given when the robot has been seen to rest."""

    def __init__(
        self,
        node: 'GraphNode',
        session: Session,
        store: ProgramStore,
        clock: Callable[[], int],
        autonomy: Callable[[], str],
        refusal: Callable[[], str],
    ) -> None:
        """Offer the action on ``node``; ``refusal`` says why no goal is taken now, '' for none."""
        self._node, self._session, self._store = node, session, store
        self._clock, self._autonomy, self._refusal = clock, autonomy, refusal
        self._goals: dict[bytes, tuple[RunHandle, Any]] = {}
        self._server = GoalServer(
            node, RunPlan, '~/run_plan', self._begin, self._cancel, self._accept
        )

    def _accept(self, request: Any) -> GoalResponse:
        refusal = self._refusal()
        if self._node.resumes:
            refusal = 'the node stood still just now; send the goal again'
        if refusal:
            self._node.warn_throttled(f'refuses a program: {refusal}')
            return GoalResponse.REJECT
        return GoalResponse.ACCEPT

    def _begin(self, handle: Any) -> None:
        # A program that is wrong is accepted and aborted at once: only a result can say why.
        ticket = self._submit(handle.request)
        self._goals[bytes(handle.goal_id.uuid)] = (ticket, handle)
        handle.execute()
        self.settle()

    def _submit(self, request: Any) -> RunHandle:
        try:
            order = request_from_goal(request, *source_of(request, self._store))
        except ValueError as error:
            ticket = RunHandle(RunRequest(''))
            ticket.refuse('REJECTED', str(error))
            return ticket
        if self._autonomy() != 'full':
            order = replace(order, start_paused=True)
        return self._session.submit(order, self._clock())

    def _cancel(self, handle: Any) -> CancelResponse:
        found = self._goals.get(bytes(handle.goal_id.uuid))
        if found is None or not self._session.cancel(found[0]):
            return CancelResponse.REJECT
        return CancelResponse.ACCEPT

    def settle(self) -> None:
        """Return the results of orders that have ended."""
        for name, (ticket, handle) in list(self._goals.items()):
            result = ticket.result
            if result is None:
                continue
            del self._goals[name]
            if handle.is_cancel_requested and result.outcome == 'CANCELED':
                handle.canceled()
            elif result.succeeded:
                handle.succeed()
            else:
                handle.abort()
            self._server.finish(handle, result_to_msg(ticket))

    def publish_feedback(self, status: PlanStatus, event: str) -> None:
        """Publish the feedback of the program that runs."""
        innermost = status.frames[-1] if status.frames else PlanFrame()
        for ticket, handle in self._goals.values():
            if ticket is self._session.current:
                handle.publish_feedback(
                    RunPlan.Feedback(
                        stack=status.stack,
                        iterations=[frame.iteration for frame in status.frames],
                        time=innermost.time,
                        time_limit=innermost.time_limit,
                        control=status.control,
                        last_event=event,
                    )
                )

    def close(self) -> None:
        """Take the action away."""
        self._goals.clear()
        self._server.destroy()
