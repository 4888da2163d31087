# mypy: disable-error-code="attr-defined"
"""Goals of Nav2's clients, where nav2_msgs is installed: each becomes a task of `plan_task`."""

import math
from functools import partial
from importlib import import_module
from typing import Any

from rclpy.action import CancelResponse, GoalResponse
from walking_robots_interfaces.action import PlanTask

from walking_robots.geometry.se2 import Pose2
from walking_robots.nodes.common.conversions import planar_pose_from_msg
from walking_robots.nodes.common.goal_client import GoalClient
from walking_robots.nodes.common.goal_server import GoalServer
from walking_robots.nodes.common.node import GraphNode


def nav2_action() -> Any:
    """Return the action NavigateToPose, None where nav2_msgs is not installed."""
    try:
        return import_module('nav2_msgs.action').NavigateToPose
    except ImportError:
        return None


class NavigateToPoseServer:
    """Serves ``navigate_to_pose``; the planner refuses, ends and cancels as for its own tasks."""

    def __init__(self, node: GraphNode, action: Any, client: GoalClient, frame: str) -> None:
        """Offer the action; client: of `plan_task`; frame: of the map."""
        self._node, self._action, self._client, self._frame = node, action, client, frame
        self._tasks: dict[Any, Any] = {}
        self._server = GoalServer(
            node, action, 'navigate_to_pose', self.begin, self.cancel, self.accept
        )

    def destroy(self) -> None:
        """Take the action away."""
        self._server.destroy()

    def accept(self, goal: Any) -> GoalResponse:
        """Refuse what is not a pose in the map; the planner decides on the rest."""
        try:
            task_of(goal.pose, self._frame)
        except ValueError as error:
            self._node.warn_throttled(f'refuses a goal of navigate_to_pose: {error}')
            return GoalResponse.REJECT
        return GoalResponse.ACCEPT

    def begin(self, handle: Any) -> None:
        """Ask the planner."""
        handle.execute()
        sent = self._client.send_goal_async(
            PlanTask.Goal(task=task_of(handle.request.pose, self._frame)),
            feedback_callback=partial(
                self._publish_feedback, handle, self._node.get_clock().now()
            ),
        )
        sent.add_done_callback(self._node.guard(partial(self._answered, handle)))

    def cancel(self, handle: Any) -> CancelResponse:
        """Cancel the task, which then ends the goal."""
        task = self._tasks.get(handle)
        if task is None:
            return CancelResponse.REJECT
        task.cancel_goal_async()
        return CancelResponse.ACCEPT

    def _publish_feedback(self, handle: Any, begun: Any, message: Any) -> None:
        feedback = self._action.Feedback()
        feedback.navigation_time = (self._node.get_clock().now() - begun).to_msg()
        remaining = message.feedback.remaining
        feedback.distance_remaining = remaining if math.isfinite(remaining) else 0.0
        handle.publish_feedback(feedback)

    def _answered(self, handle: Any, future: Any) -> None:
        task = future.result()
        if not task.accepted:
            self._end(
                handle, False, 'the planner refuses it: another task runs, or no map is there'
            )
            return
        self._tasks[handle] = task
        task.get_result_async().add_done_callback(self._node.guard(partial(self._done, handle)))

    def _done(self, handle: Any, future: Any) -> None:
        del self._tasks[handle]
        result = future.result().result
        self._end(handle, result.succeeded, result.reason)

    def _end(self, handle: Any, succeeded: bool, reason: str) -> None:
        if handle.is_cancel_requested:
            handle.canceled()
        elif succeeded:
            handle.succeed()
        else:
            handle.abort()
        result = self._action.Result()
        # Older distributions have no text there.
        if not succeeded and hasattr(result, 'error_msg'):
            result.error_msg = reason
        self._server.finish(handle, result)


def task_of(message: Any, frame: str) -> str:
    """Return the task of `plan_task` for a PoseStamped; raise ValueError for another frame."""
    if message.header.frame_id not in ('', frame):
        raise ValueError(f"its pose is in '{message.header.frame_id}'; give it in '{frame}'")
    pose: Pose2 = planar_pose_from_msg(message.pose)
    if not all(map(math.isfinite, pose)):
        raise ValueError('its pose is not finite')
    return f'{pose.x:.6f},{pose.y:.6f},{pose.heading:.6f}rad'
