# mypy: disable-error-code="attr-defined"
"""The action `walk`: goals become walks of the operator, and walks become results."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.task import Future
from walking_robots_interfaces.action import Walk as WalkMessage

from walking_robots.gaits.commands.operator import Operator
from walking_robots.gaits.commands.walk import Walk, WalkGoal
from walking_robots.gaits.gait_step import GaitStep
from walking_robots.nodes.common.conversions import twist_from_msg
from walking_robots.nodes.common.qos import ACTION_SERVER

if TYPE_CHECKING:
    from walking_robots.nodes.common.node import GraphNode

FEEDBACK_TIME = 0.2
"""The walk's own time between two feedbacks, s."""


class WalkAction:
    """Serves `walk`; a new goal supersedes the one before."""

    def __init__(
        self, node: 'GraphNode', operator: Operator, refusal: Callable[[WalkGoal], str]
    ) -> None:
        """Offer the action on ``node``; ``refusal`` says why a goal cannot be walked, or ''."""
        self._refusal = refusal
        self._node = node
        self._operator = operator
        self._goals: dict[bytes, tuple[Walk, Any, Future[Any]]] = {}
        self._server = ActionServer(
            node,
            WalkMessage,
            'walk',
            execute_callback=self._execute,
            goal_callback=node.guard(self._judge, lambda _: GoalResponse.REJECT),
            handle_accepted_callback=node.guard(self._begin),
            cancel_callback=node.guard(self._cancel, lambda _: CancelResponse.REJECT),
            **ACTION_SERVER,
        )

    def _judge(self, request: Any) -> GoalResponse:
        try:
            goal = _goal(request)
            fault = goal.fault() or self._refusal(goal)
            if self._node.resumes:
                fault = 'the node stood still just now; send the goal again'
        except ValueError as error:
            fault = str(error)
        if fault:
            self._node.warn_throttled(f'refuses to walk: {fault}')
            return GoalResponse.REJECT
        return GoalResponse.ACCEPT

    def _cancel(self, handle: Any) -> CancelResponse:
        found = self._goals.get(bytes(handle.goal_id.uuid))
        if found is None:
            return CancelResponse.REJECT
        found[0].stop('cancelled')
        return CancelResponse.ACCEPT

    def _begin(self, handle: Any) -> None:
        # The walk counts from the moment its goal is accepted, not from when a task gets to it.
        walk = self._operator.start(_goal(handle.request))
        done: Future[Any] = Future(executor=self._node.executor)
        self._goals[bytes(handle.goal_id.uuid)] = (walk, handle, done)
        handle.execute()
        self.settle()

    async def _execute(self, handle: Any) -> Any:
        result = await self._goals[bytes(handle.goal_id.uuid)][2]
        del self._goals[bytes(handle.goal_id.uuid)]
        return result

    def settle(self) -> None:
        """Return the results of walks that have ended."""
        for walk, handle, done in self._goals.values():
            if not walk.ended or done.done():
                continue
            if walk.ending == 'reached':
                handle.succeed()
            elif handle.is_cancel_requested:
                handle.canceled()
            else:
                handle.abort()
            done.set_result(
                WalkMessage.Result(
                    reached=walk.ending == 'reached',
                    reason=walk.ending,
                    distance=walk.distance,
                    duration=walk.duration,
                    min_margin=walk.min_margin,
                    steps=walk.steps,
                )
            )

    def publish_feedback(self, step: GaitStep) -> None:
        """Publish the feedback of the present walk."""
        apart = max(1, round(FEEDBACK_TIME / self._operator.mobility.dt))
        for walk, handle, _ in self._goals.values():
            if walk.steps % apart == 0 and not walk.ended:
                handle.publish_feedback(
                    WalkMessage.Feedback(
                        distance=walk.distance,
                        remaining=walk.remaining,
                        mode=step.mode,
                        margin=step.margin,
                    )
                )

    def close(self) -> None:
        """Take the action away."""
        self._goals.clear()
        self._server.destroy()


def _goal(request: Any) -> WalkGoal:
    rates = twist_from_msg(request.velocity)
    target = request.target
    return WalkGoal(
        velocity=(rates.vx, rates.vy, rates.wz),
        distance=request.distance,
        target=(target.x, target.y, target.theta) if request.to_pose else None,
        tolerance=request.tolerance or 0.05,
        max_time=request.max_time,
    )
