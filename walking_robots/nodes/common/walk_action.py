# mypy: disable-error-code="attr-defined"
"""The action `walk`: goals become walks of the operator, and walks become results."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rclpy.action import CancelResponse, GoalResponse
from walking_robots_interfaces.action import Walk as WalkMessage

from walking_robots.gaits.commands.operator import Operator
from walking_robots.gaits.commands.walk import Walk, WalkGoal
from walking_robots.gaits.gait_step import GaitStep
from walking_robots.nodes.common.conversions import twist_from_msg
from walking_robots.nodes.common.goal_server import GoalServer

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
        self._goals: dict[bytes, tuple[Walk, Any]] = {}
        self._server = GoalServer(
            node, WalkMessage, 'walk', self._begin, self._cancel, self._judge
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
        walk = self._operator.start(_goal(handle.request))
        self._goals[bytes(handle.goal_id.uuid)] = (walk, handle)
        handle.execute()
        self.settle()

    def settle(self) -> None:
        """Return the results of walks that have ended."""
        for name, (walk, handle) in list(self._goals.items()):
            if not walk.ended:
                continue
            del self._goals[name]
            if walk.ending == 'reached':
                handle.succeed()
            elif handle.is_cancel_requested:
                handle.canceled()
            else:
                handle.abort()
            result = WalkMessage.Result(
                reached=walk.ending == 'reached',
                reason=walk.ending,
                distance=walk.distance,
                duration=walk.duration,
                min_margin=walk.min_margin,
                steps=walk.steps,
            )
            self._server.finish(handle, result)

    def publish_feedback(self, step: GaitStep) -> None:
        """Publish the feedback of the present walk."""
        apart = max(1, round(FEEDBACK_TIME / self._operator.mobility.dt))
        for walk, handle in self._goals.values():
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
