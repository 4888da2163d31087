# mypy: disable-error-code="attr-defined"
"""The planner: the action `plan_task` leads a robot by programs that the executor runs."""

import math
from functools import partial
from typing import Any

import numpy as np
from geometry_msgs.msg import PoseStamped
from map_msgs.msg import OccupancyGridUpdate
from nav_msgs.msg import OccupancyGrid, Odometry
from nav_msgs.msg import Path as PathMsg
from rclpy.action import CancelResponse, GoalResponse
from sensor_msgs.msg import Range
from tf2_msgs.msg import TFMessage
from walking_robots_interfaces.action import PlanTask, RunPlan

from walking_robots.geometry.se2 import ORIGIN, Pose2, Twist2, quaternion
from walking_robots.mdle.planner.echoes import AHEAD, echo_arcs
from walking_robots.mdle.planner.ground import FREE, OCCUPIED, UNKNOWN, KnownGround
from walking_robots.mdle.planner.mission import PlannerTask, parse_place, parse_task
from walking_robots.mdle.planner.motion_model import motion_model
from walking_robots.mdle.planner.navigator import DEADLINE, Navigator, PlannerDecision
from walking_robots.nodes.common.conversions import (
    fill_pose,
    header_to_msg,
    planar_pose_from_msg,
    planar_twist_from_msg,
)
from walking_robots.nodes.common.goal_client import GoalClient
from walking_robots.nodes.common.goal_server import GoalServer
from walking_robots.nodes.common.health import OK, PATIENCE, WARN, Health
from walking_robots.nodes.common.node import ConfigurationError, GraphNode
from walking_robots.nodes.common.qos import LATCHED
from walking_robots.nodes.common.running import run_node
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.virtual_robots.scout import scout_spec

ROUND = len(SUPER_SCOUT.sonar.order) * SUPER_SCOUT.sonar.period
"""Time, s, between two looks at the map: a round of the sonars."""
LONGEST = 1800.0
"""Time, s, that a task may take where its goal says nothing."""
LATENCY = 0.15
"""Time, s, from a decision until the executor has taken its program."""


class MdlePlannerNode(GraphNode):
    """Serves `plan_task`, one task at a time; whatever ends it, the robot is stopped."""

    def __init__(self, **options: Any) -> None:
        """Listen to map, odometry and sonars; raise ConfigurationError for a wrong parameter."""
        super().__init__('mdle_planner', **options)
        own = partial(self.parameter, fixed=True)
        self._frames = (
            own('map_frame', 'map', 'of the map'),
            own('odom_frame', 'odom', 'of odometry'),
        )
        radius = own('radius', SUPER_SCOUT.radius, 'of the robot', 'm', low=0.05, high=5.0)
        speed = own('speed', 0.3, 'greatest speed', 'm/s', low=0.05, high=2.0)
        self._deadline: float = own(
            'deadline', 0.03, 'for improvements of a way', 's', low=0.0, high=DEADLINE
        )
        self._places: dict[str, Pose2] = {}
        for text in own('places', [''], 'named places, such as "kitchen = 1.5,2,90deg"'):
            self._add_place(text)
        spec = scout_spec()
        self._nearest = spec.outputs['sonar'].low
        self._model = motion_model(spec, radius, speed=speed)
        self._ground: KnownGround | None = None
        self._frame: Pose2 | None = None
        self._odom: Pose2 | None = None
        self._home: Pose2 | None = None
        self._twist = Twist2()
        self._heard = -math.inf
        self._ranges = [math.inf] * SUPER_SCOUT.sonar.count
        self._task: PlannerTask | None = None
        self._handle: Any = None
        self._runner: Any = GoalClient(self, RunPlan, 'mdle_executor/run_plan')
        self._forget_run()
        self._last = PlannerDecision('wait', 'no task was given')
        self._begun, self._limit, self._way, self._programs = 0.0, LONGEST, 0.0, 0
        self._path = self.create_publisher(PathMsg, 'plan', LATCHED)
        self.listen(OccupancyGrid, 'map', self._take_map, LATCHED)
        self.listen(OccupancyGridUpdate, 'map_updates', self._take_update)
        self.listen(TFMessage, '/tf', self._take_frame)
        self.listen(Odometry, 'odom', self._move)
        for number in range(SUPER_SCOUT.sonar.count):
            self.listen(Range, f'sonar/range_{number}', partial(self._hear, number))
        self._server = GoalServer(
            self, PlanTask, '~/plan_task', self._begin, self._cancel, self._accept
        )
        self.closing += [self._server.destroy, self._runner.destroy]
        self.create_timer(ROUND, self._look)

    def _add_place(self, text: str) -> None:
        name, equals, place = (part.strip() for part in text.partition('='))
        if not text:
            return
        try:
            if not equals or not name:
                raise ValueError('write "kitchen = 1.5,2"')
            self._places[name] = parse_place(place, ORIGIN, {})[0]
        except ValueError as error:
            raise ConfigurationError(f"mdle_planner: parameter 'places': {error}.") from None

    # What is known

    def _take_map(self, message: Any) -> None:
        info = message.info
        values = np.array(message.data, dtype=np.int8)
        if values.size != info.width * info.height or not values.size:
            raise ValueError('its data are not width x height cells')
        origin = info.origin.position
        self._ground = KnownGround(
            _classes(values.reshape(info.height, info.width)),
            info.resolution,
            (origin.x, origin.y),
        )

    def _take_update(self, message: Any) -> None:
        if self._ground is None:
            return
        rows, columns = self._ground.classes.shape
        low, left = message.y, message.x
        values = np.array(message.data, dtype=np.int8)
        if (
            values.size != message.width * message.height
            or not 0 <= low <= low + message.height <= rows
            or not 0 <= left <= left + message.width <= columns
        ):
            raise ValueError('it does not lie in the map')
        classes = self._ground.classes.copy()
        classes[low : low + message.height, left : left + message.width] = _classes(
            values.reshape(message.height, message.width)
        )
        self._ground = KnownGround(classes, self._ground.resolution, self._ground.origin)

    def _take_frame(self, message: Any) -> None:
        for transform in message.transforms:
            if (transform.header.frame_id, transform.child_frame_id) == self._frames:
                # The transform gives odometry in the map; programs run in odometry.
                self._frame = planar_pose_from_msg(transform.transform).inverse()

    def _move(self, message: Any) -> None:
        self._odom = planar_pose_from_msg(message.pose.pose)
        self._twist = planar_twist_from_msg(message.twist.twist)
        self._heard = self.now()

    def _hear(self, number: int, message: Any) -> None:
        inside = message.min_range <= message.range < message.max_range
        self._ranges[number] = message.range if inside else math.inf

    @property
    def _believed(self) -> Pose2 | None:
        """Return where the robot is in the map, None while it is not known."""
        if self._odom is None or self._frame is None:
            return None
        return self._frame.inverse() @ self._odom

    # Tasks

    def _accept(self, request: Any) -> GoalResponse:
        missing = [
            what
            for what, found in (
                ('map', self._ground), ('odom', self._odom), ('map -> odom', self._frame)
            )
            if found is None
        ]  # fmt: skip
        refusal = f'nothing was heard yet of {", ".join(missing)}' if missing else ''
        if self._task is not None:
            refusal = 'another task runs; cancel it first'
        if not self._runner.server_is_ready():
            refusal = 'there is no mdle_executor; start it'
        if refusal:
            self.warn_throttled(f'refuses a task: {refusal}')
            return GoalResponse.REJECT
        return GoalResponse.ACCEPT

    def _begin(self, handle: Any) -> None:
        pose = self._believed
        assert pose is not None
        self._home = self._home or pose
        self._handle = handle
        self._begun, self._way, self._programs = self.now(), 0.0, 0
        self._limit = handle.request.time_limit or LONGEST
        handle.execute()
        self.navigator = Navigator(
            self._model, pose, nearest=self._nearest, deadline=self._deadline
        )
        try:
            self._task = parse_task(handle.request.task, self.navigator, self._home, self._places)
        except ValueError as error:
            self._finish(False, str(error))
            return
        self._look()

    def _cancel(self, handle: Any) -> CancelResponse:
        if handle is not self._handle and self._handle is None:
            return CancelResponse.REJECT
        self._stop_run()
        self._finish(False, 'canceled')
        return CancelResponse.ACCEPT

    def _look(self) -> None:
        """Decide what to do after a round of the sensors."""
        pose, ground, frame = self._believed, self._ground, self._frame
        if self._task is None or pose is None or ground is None or frame is None or self._waits:
            return
        if self.now() - self._begun > self._limit:
            self._stop_run()
            self._finish(False, f'not done within {self._limit:.0f} s')
            return
        if self.now() - self._heard > PATIENCE:
            self._stop_run()
            self._note(PlannerDecision('wait', 'no odometry is heard'))
            return
        elapsed = None if self._run is None else max(self.now() - self._run_begun, 0.0)
        if elapsed is not None:
            # Where the robot stops when another program takes over.
            slope = self._twist.v / (2.0 * self._model.braking)
            pose = pose.advance(self._twist, LATENCY + abs(slope))
        self.navigator.ahead = min(
            reach
            for number, reach in enumerate(self._ranges)
            if abs(math.remainder(SUPER_SCOUT.sonar.bearing(number), math.tau)) <= 0.51 * AHEAD
        )
        self.navigator.echoes = echo_arcs(SUPER_SCOUT.sonar, self._ranges, pose)
        decision = self._task.step(ground, pose, elapsed, frame)
        self._note(decision)
        if decision.kind in ('reached', 'unreachable'):
            self._stop_run()
            self._finish(decision.kind == 'reached', decision.text)
        elif decision.kind == 'run' and decision.plan:
            self._start(decision)
        elif decision.kind == 'wait':
            self._stop_run()

    def _note(self, decision: PlannerDecision) -> None:
        self._last = decision
        plan = self.navigator.plan
        running = self._run is not None and plan is not None
        self._handle.publish_feedback(
            PlanTask.Feedback(
                state=decision.kind,
                reason=decision.text,
                program=plan.program.source if running and plan else '',
                tube=plan.program.tube if running and plan else 0.0,
                remaining=plan.way.length if plan else math.nan,
            )
        )

    def _finish(self, succeeded: bool, reason: str) -> None:
        handle, self._handle, self._task = self._handle, None, None
        if handle is None:
            return
        if handle.is_cancel_requested:
            handle.canceled()
        elif succeeded:
            handle.succeed()
        else:
            handle.abort()
        self._server.finish(
            handle,
            PlanTask.Result(
                succeeded=succeeded,
                reason=reason,
                duration=self.now() - self._begun,
                way=self._way,
                programs=self._programs,
            ),
        )

    # Programs

    def _forget_run(self) -> None:
        self._run: Any = None
        self._waits = False
        self._run_begun = 0.0

    def _start(self, decision: PlannerDecision) -> None:
        """Send a program to the executor in place of the one that runs."""
        assert decision.plan
        program = decision.plan.program
        self._waits = True
        self._programs += 1
        self._way += decision.plan.now.length
        goal = RunPlan.Goal(source=program.source, on_busy=RunPlan.Goal.PREEMPT)
        sent = self._runner.send_goal_async(goal)
        sent.add_done_callback(self.guard(self._accepted))
        self._publish_path(program.trajectory)

    def _accepted(self, future: Any) -> None:
        handle = future.result()
        self._waits = False
        if handle is None or not handle.accepted:
            self._forget_run()
            self.warn_throttled('the executor refuses a program; is it active?')
            return
        self._run, self._run_begun = handle, self.now()
        if self._task is None:
            # The task ended meanwhile.
            self._stop_run()
            return
        handle.get_result_async().add_done_callback(self.guard(partial(self._ended, handle)))

    def _ended(self, handle: Any, future: Any) -> None:
        if handle is not self._run:
            return
        self._forget_run()
        result = future.result().result
        if result.outcome == 'REJECTED':
            self.warn_throttled(f'the executor rejects a program: {result.message}')
        elif result.outcome in ('DONE', 'INTERRUPT'):
            self._look()

    def _stop_run(self) -> None:
        if self._run is not None:
            self._run.cancel_goal_async()
        self._forget_run()

    def _publish_path(self, trajectory: Any) -> None:
        header = header_to_msg(self.get_clock().now().nanoseconds, self._frames[0])
        path = PathMsg(header=header)
        for x, y, heading in trajectory[::5].tolist():
            pose = PoseStamped(header=header)
            fill_pose(pose.pose, (x, y, 0.0), quaternion(heading))
            path.poses.append(pose)
        self._path.publish(path)

    # Health

    def rest(self, why: str) -> None:
        """Stop what the executor runs for this node."""
        self._stop_run()
        self._finish(False, why)

    def health(self) -> Health:
        """Return what the planner does, or which input is missing."""
        if self._ground is None:
            return WARN, 'waits for a map'
        if self._believed is None:
            return WARN, 'waits for odometry and map -> odom'
        if self._task is None:
            return OK, 'waits for a task'
        return OK, f'{self._last.kind}: {self._last.text}'


def _classes(values: Any) -> Any:
    """Return the classes of an occupancy grid's values: 0 to 100, -1 for unknown."""
    return np.where(values < 0, UNKNOWN, np.where(values >= 50, OCCUPIED, FREE)).astype(np.int8)


def main() -> int:
    """Run the node as a process."""
    return run_node(MdlePlannerNode)
