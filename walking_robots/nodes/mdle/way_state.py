# mypy: disable-error-code="attr-defined"
"""The newest state of cartographer and planner, for the page, and tasks for the planner."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from action_msgs.msg import GoalStatus, GoalStatusArray
from action_msgs.srv import CancelGoal
from geometry_msgs.msg import PoseWithCovarianceStamped
from map_msgs.msg import OccupancyGridUpdate
from nav_msgs.msg import OccupancyGrid, Path
from visualization_msgs.msg import Marker, MarkerArray
from walking_robots_interfaces.action import PlanTask

from walking_robots.mdle.cartographer.map_files import map_files
from walking_robots.mdle.planner.ground import KnownGround
from walking_robots.nodes.common.conversions import FARTHEST, planar_pose_from_msg
from walking_robots.nodes.common.goal_client import GoalClient
from walking_robots.nodes.common.page_node import PageNode
from walking_robots.nodes.common.qos import LATCHED
from walking_robots.nodes.mdle.map_conversions import ground_from_msg, updated_ground
from walking_robots.nodes.mdle.plan_markers import AREA, FRONTIERS, GOAL, TUBE
from walking_robots.viewer.mdle.way_state import MapCells, Places, Spread, WayControls, WayView

PLANNER = 'mdle_planner'
_ACTION = f'{PLANNER}/plan_task'
_CANCEL = f'{_ACTION}/_action/cancel_goal'
_UNDER_WAY = (
    GoalStatus.STATUS_ACCEPTED, GoalStatus.STATUS_EXECUTING, GoalStatus.STATUS_CANCELING
)  # fmt: skip


class PlannerClient:
    """Gives tasks to the planner, one after the other, and keeps what it and the map say."""

    def __init__(self, node: PageNode, take_over: Callable[[], None]) -> None:
        """Listen by ``node``; ``take_over`` ends what else drives the robot."""
        self._node, self._take_over = node, take_over
        self._view = WayView()
        self._ground: KnownGround | None = None
        self._active = False
        self._next = ''
        self._client: Any = GoalClient(node, PlanTask, _ACTION)
        node.closing.append(self._client.destroy)
        node.offer(CancelGoal, _CANCEL)
        node.listen(OccupancyGrid, 'map', self._take_map, LATCHED)
        node.listen(OccupancyGridUpdate, 'map_updates', self._take_update)
        node.listen(PoseWithCovarianceStamped, 'pose', self._take_pose, LATCHED)
        node.listen(Path, 'plan', self._take_way, LATCHED)
        node.listen(MarkerArray, 'plan/markers', self._take_markers, LATCHED)
        # Those of anybody's task.
        feedback = PlanTask.Impl.FeedbackMessage
        node.listen(feedback, f'{_ACTION}/_action/feedback', self._take_feedback)
        node.listen(GoalStatusArray, f'{_ACTION}/_action/status', self._take_status, LATCHED)

    def controls(self) -> WayControls:
        """Return the controls of the page; they may be called from any thread."""
        on_node = self._node.run_on_node
        return WayControls(on_node(self._ask), on_node(self.stop), self._files)

    @property
    def runs(self) -> bool:
        """Return whether a task runs."""
        return self._active and self._is_offered()

    def view(self) -> WayView:
        """Return the present moment."""
        state = (self._is_offered(), self.runs)
        if state != (self._view.offered, self._view.active):
            self._keep(offered=state[0], active=state[1])
        return self._view

    def stop(self) -> None:
        """End all tasks."""
        self._next = ''
        if self.runs:
            # An empty goal stands for all of them.
            self._node.call(_CANCEL, CancelGoal.Request())

    def _is_offered(self) -> bool:
        return bool(self._client.server_is_ready())

    def _ask(self, task: str) -> None:
        """Give a task in place of the one that runs."""
        if not self._is_offered():
            self._node.warn(PLANNER, f'{_ACTION} is not there: is its node running?')
            return
        self._take_over()
        if self.runs:
            self.stop()
            self._next = task
        else:
            self._send(task)

    def _send(self, task: str) -> None:
        sent = self._client.send_goal_async(PlanTask.Goal(task=task))
        sent.add_done_callback(self._node.guard(self._answered))

    def _answered(self, future: Any) -> None:
        handle = future.result()
        if not handle.accepted:
            self._node.warn(PLANNER, f'{PLANNER} takes no task now; its log says why')
            return
        handle.get_result_async().add_done_callback(self._node.guard(self._ended))

    def _ended(self, future: Any) -> None:
        result = future.result().result
        if not result.succeeded:
            self._node.warn(PLANNER, result.reason)

    def _files(self) -> Mapping[str, bytes]:
        ground = self._ground
        if ground is None:
            return {}
        return map_files('map', ground.classes, ground.resolution, ground.origin)

    # What is heard

    def _keep(self, **fields: Any) -> None:
        self._view = replace(self._view, **fields)

    def _take_map(self, message: Any) -> None:
        self._draw(ground_from_msg(message))

    def _take_update(self, message: Any) -> None:
        if self._ground is not None:
            self._draw(updated_ground(self._ground, message))

    def _draw(self, ground: KnownGround) -> None:
        self._ground = ground
        self._keep(map=MapCells(ground.classes, ground.resolution, ground.origin))

    def _take_pose(self, message: Any) -> None:
        pose = planar_pose_from_msg(message.pose.pose)
        covariance = message.pose.covariance
        spread = Spread(*(float(covariance[place]) for place in (0, 7, 1)))
        if not all(map(math.isfinite, spread)):
            raise ValueError('its covariance is not finite')
        self._keep(pose=pose, spread=spread)

    def _take_way(self, message: Any) -> None:
        self._keep(way=_places(pose.pose.position for pose in message.poses))

    def _take_markers(self, message: Any) -> None:
        found = {marker.ns: marker for marker in message.markers}
        shown = {
            name: _places(marker.points if marker.action == Marker.ADD else ())
            for name, marker in found.items()
        }
        width = found[TUBE].scale.x if TUBE in found else 0.0
        if not math.isfinite(width):
            raise ValueError('the width of the tube is not finite')
        self._keep(
            tube=shown.get(TUBE, ()), width=width, frontiers=shown.get(FRONTIERS, ()),
            goal=shown.get(GOAL, ()), area=shown.get(AREA, ()),
        )  # fmt: skip

    def _take_feedback(self, message: Any) -> None:
        said = message.feedback
        self._keep(state=said.state, reason=said.reason, remaining=said.remaining)

    def _take_status(self, message: Any) -> None:
        self._active = any(goal.status in _UNDER_WAY for goal in message.status_list)
        if not self._active:
            self._keep(state='', reason='', remaining=math.nan)
            if self._next:
                task, self._next = self._next, ''
                self._send(task)


def _places(points: Any) -> Places:
    found = tuple((float(point.x), float(point.y)) for point in points)
    if not all(abs(x) <= FARTHEST and abs(y) <= FARTHEST for x, y in found):
        raise ValueError('a place is out of range')
    return found
