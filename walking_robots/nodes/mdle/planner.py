# mypy: disable-error-code="attr-defined"
"""The planner: the action `plan_task` leads a robot by programs that the executor runs."""

import math
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np
from nav_msgs.msg import Path as PathMsg
from numpy.typing import NDArray
from rclpy.action import CancelResponse, GoalResponse
from visualization_msgs.msg import MarkerArray
from walking_robots_interfaces.action import PlanTask, RunPlan

from walking_robots.geometry.se2 import ORIGIN, Pose2
from walking_robots.mdle.cartographer.cartographer import TRUSTED
from walking_robots.mdle.knowledge.library import library_with
from walking_robots.mdle.planner.atom_selection import AtomSelection
from walking_robots.mdle.planner.echoes import AHEAD
from walking_robots.mdle.planner.ground import ANYWHERE, Area
from walking_robots.mdle.planner.mission import Explore, TrustedArrival, parse_place, parse_task
from walking_robots.mdle.planner.motion_model import SPEED, sampled
from walking_robots.mdle.planner.navigator import DEADLINE, Navigator, PlannerDecision
from walking_robots.mdle.planner.program_text import PlannedProgram
from walking_robots.nodes.common.goal_client import GoalClient
from walking_robots.nodes.common.goal_server import GoalServer
from walking_robots.nodes.common.health import OK, WARN, Health
from walking_robots.nodes.common.node import ConfigurationError, GraphNode
from walking_robots.nodes.common.qos import LATCHED
from walking_robots.nodes.common.running import run_node
from walking_robots.nodes.mdle.navigate_to_pose import NavigateToPoseServer, nav2_action
from walking_robots.nodes.mdle.plan_markers import path_to_msg, plan_markers
from walking_robots.nodes.mdle.planned_robot import RADIUS, ROUND, planned_robot
from walking_robots.nodes.mdle.planner_inputs import PlannerInputs

LONGEST = 1800.0
"""Time, s, that a task may take where its goal says nothing."""
LATENCY = 0.15
"""Time, s, from a decision until the executor has taken its program."""
GIVE_UP = 30.0
"""Time, s, of silence or of failures that ends a task; a choice."""
MOST_FAILURES = 10
"""Programs in a row that fail, within GIVE_UP at least, after which a task ends; a choice."""
FAILURE_MEMORY = 6.0
"""Time, s, without a failure after which those of before do not count any more; a choice."""


class MdlePlannerNode(GraphNode):
    """Serves `plan_task`, one task at a time; whatever ends it, the robot is stopped."""

    def __init__(self, **options: Any) -> None:
        """Listen to map, odometry and sonars; raise ConfigurationError for a wrong parameter."""
        super().__init__('mdle_planner', **options)
        own = partial(self.parameter, fixed=True)
        frames = own('map_frame', 'map', 'of the map'), own('odom_frame', 'odom', 'of odometry')
        self._map_frame = frames[0]
        radius = own('radius', 0.0, RADIUS, 'm', low=0.0, high=5.0)
        speed = own('speed', SPEED, 'greatest speed', 'm/s', low=0.05, high=2.0)
        self._deadline: float = own(
            'deadline', 0.03, 'for improvements of a way', 's', low=0.0, high=DEADLINE
        )
        self._places: dict[str, Pose2] = {}
        for text in own('places', [''], 'named places, such as "kitchen = 1.5,2,90deg"'):
            self._add_place(text)
        self._area = area_of(
            own(
                'area', [0.0] * 4,
                'that the robot may not leave: x and y of its lower left and its upper right '
                'corner in the map; all 0: no bounds', 'm',
            )
        )  # fmt: skip
        self._autostart: str = own('autostart', '', 'task to begin with, such as explore')
        self._robot = planned_robot(self, radius, speed)
        # What an executor knows without further files.
        self._atoms = AtomSelection(library_with()[0], self._robot.model.spaces)
        self._inputs = PlannerInputs(
            self, self._robot.sonar, frames, self._check_echoes, self._touch
        )
        self._home: Pose2 | None = None
        self._task: TrustedArrival | None = None
        self._handle: Any = None
        self._failures = 0
        self._failed_at = self._failing_since = -math.inf
        self._shown: Any = None
        self._runner: Any = GoalClient(self, RunPlan, 'mdle_executor/run_plan')
        self._forget_run()
        self._last = PlannerDecision('wait', 'no task was given')
        self._begun, self._limit, self._way, self._programs = 0.0, LONGEST, 0.0, 0
        self._path = self.create_publisher(PathMsg, 'plan', LATCHED)
        self._markers = self.create_publisher(MarkerArray, 'plan/markers', LATCHED)
        self._server = GoalServer(
            self, PlanTask, '~/plan_task', self._begin, self._cancel, self._accept
        )
        self._self: Any = GoalClient(self, PlanTask, '~/plan_task')
        self._publish_markers(None)
        self.closing += [self._server.destroy, self._runner.destroy, self._self.destroy]
        action = nav2_action()
        if action is not None:
            nav2 = NavigateToPoseServer(self, action, self._self, self._map_frame)
            self.closing.append(nav2.destroy)
        self.create_timer(ROUND, self._end_round)

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

    # Tasks

    def _refusal(self) -> str:
        if not self._runner.server_is_ready():
            return 'there is no mdle_executor; start it'
        if self._handle is not None:
            return 'another task runs; cancel it first'
        pose, missing = self._inputs.pose, self._inputs.missing
        if pose is not None and not self._area.contains(pose.x, pose.y):
            return (
                f'the robot stands at x {pose.x:.2f} m, y {pose.y:.2f} m, beyond the area that it '
                "may not leave; bring it back, or change the parameter 'area'"
            )
        return f'nothing was heard yet of {", ".join(missing)}' if missing else ''

    def _accept(self, request: Any) -> GoalResponse:
        refusal = self._refusal()
        if refusal:
            self.warn_throttled(f'refuses a task: {refusal}')
            return GoalResponse.REJECT
        return GoalResponse.ACCEPT

    def _start_by_itself(self) -> None:
        if self._autostart and self._self.server_is_ready() and not self._refusal():
            self._self.send_goal_async(PlanTask.Goal(task=self._autostart))
            self._autostart = ''

    def _begin(self, handle: Any) -> None:
        pose = self._inputs.pose
        assert pose is not None
        self._home = self._home or pose
        self._handle = handle
        now = self.task_time()
        self._begun, self._way, self._programs = now, 0.0, 0
        self._inputs.reset_timeouts()
        self._inputs.moved = None
        self._failed_at = -math.inf
        self._limit = handle.request.time_limit or LONGEST
        handle.execute()
        self.get_logger().info(f"begins '{handle.request.task}'")
        self.navigator = Navigator(
            self._robot.model,
            pose,
            nearest=self._robot.nearest,
            has_contact=self._robot.has_contact,
            deadline=self._deadline,
            atoms=self._atoms,
            area=self._area,
        )
        try:
            task = parse_task(handle.request.task, self.navigator, self._home, self._places)
        except ValueError as error:
            self._finish(False, str(error))
            return
        self._task = TrustedArrival(task, self.navigator, self._home)
        self._look()

    def _cancel(self, handle: Any) -> CancelResponse:
        if handle is not self._handle:
            return CancelResponse.REJECT
        self._stop_run()
        self._task = None
        # The goal counts as being canceled once this has returned.
        timer = self.create_timer(
            0.01, lambda: self._finish(False, 'canceled', timer), clock=self.steady
        )
        return CancelResponse.ACCEPT

    def _end_round(self) -> None:
        # Not a partial: rclpy hands callbacks that take arguments a TimerInfo.
        self._look(fresh=True)

    def _look(self, *, fresh: bool = False) -> None:
        """Decide what to do; fresh: after a round of the sensors."""
        self._start_by_itself()
        inputs = self._inputs
        pose, ground, frame = inputs.pose, inputs.ground, inputs.frame
        if self._task is None or pose is None or ground is None or frame is None or self._waits:
            return
        if self.task_time() - self._begun > self._limit:
            self._finish(False, f'not done within {self._limit:.0f} s')
            return
        if self._is_silent():
            return
        elapsed = self._elapsed
        if elapsed is not None:
            # Where the robot is when another program takes over.
            pose = pose.advance(inputs.twist, LATENCY)
        sonar = self._robot.sonar
        if sonar is not None and inputs.echoes is not None:
            self.navigator.ahead = min(
                reach
                for number, reach in enumerate(inputs.ranges)
                if abs(math.remainder(sonar.bearing(number), math.tau)) <= 0.51 * AHEAD
            )
            self.navigator.echoes = inputs.echoes.arcs
        self.navigator.trusted = 2.0 * inputs.sigma <= TRUSTED
        if isinstance(self._task.task, Explore):
            self._task.task.moved = inputs.moved
        self.navigator.fresh = fresh
        decision = self._task.step(ground, pose, elapsed, frame)
        self._note(decision)
        if decision.kind in ('reached', 'unreachable'):
            self._finish(decision.kind == 'reached', decision.text)
        elif decision.kind == 'run' and decision.plan:
            self._way += decision.plan.now.length
            self._start(decision.plan.program)
        elif decision.kind == 'wait':
            self._stop_run()

    @property
    def _elapsed(self) -> float | None:
        """Return for how long, s, a program has run, None for none."""
        return None if self._run is None else max(self.task_time() - self._run_begun, 0.0)

    def _check_echoes(self, arcs: NDArray[np.float64]) -> None:
        """Look at once where a sonar hears something that came near."""
        pose = self._inputs.pose
        if self._task is None or pose is None or self._waits:
            return
        if self.navigator.check_echoes(arcs, pose, self._elapsed):
            self._look()

    def _touch(self, pose: Pose2) -> None:
        if self._task is not None:
            self.navigator.touch(pose)

    def _is_silent(self) -> bool:
        """Stop the robot while something that it goes by is silent, and end the task in time."""
        silence, why = self._inputs.silence()
        if not why:
            return False
        self._stop_run()
        if silence > GIVE_UP:
            self._finish(False, why)
        else:
            self._note(PlannerDecision('wait', why))
        return True

    def _note(self, decision: PlannerDecision) -> None:
        self._last = decision
        plan = self.navigator.plan
        running = decision.kind in ('run', 'keep') and plan is not None
        if decision.kind == 'run' and decision.plan:
            way = decision.plan.way
            self._publish_path(sampled(way.moves, way.start, 0.1))
        self._publish_markers(plan.program if running and plan else None)
        self._handle.publish_feedback(
            PlanTask.Feedback(
                state=decision.kind,
                reason=decision.text,
                program=plan.program.source if running and plan else '',
                tube=plan.program.tube if running and plan else 0.0,
                remaining=plan.way.length if plan else math.nan,
            )
        )

    def _finish(self, succeeded: bool, reason: str, timer: Any = None) -> None:
        """End the task, the robot at rest."""
        if timer is not None:
            self.destroy_timer(timer)
        self._stop_run()
        handle, self._handle, self._task = self._handle, None, None
        if handle is None:
            return
        self.get_logger().info(f"'{handle.request.task}' has ended: {reason}")
        self._publish_path(())
        self._publish_markers(None)
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
                duration=self.task_time() - self._begun,
                way=self._way,
                programs=self._programs,
            ),
        )

    # Programs

    def _forget_run(self) -> None:
        self._run: Any = None
        self._waits = False
        self._run_begun = 0.0

    def _start(self, program: PlannedProgram) -> None:
        """Send a program to the executor in place of the one that runs."""
        self._waits = True
        self._programs += 1
        goal = RunPlan.Goal(source=program.source, on_busy=RunPlan.Goal.TAKE_OVER)
        sent = self._runner.send_goal_async(goal)
        sent.add_done_callback(self.guard(self._accepted))

    def _accepted(self, future: Any) -> None:
        handle = future.result()
        self._waits = False
        if handle is None or not handle.accepted:
            self._forget_run()
            self.warn_throttled('the executor refuses a program; is it active?')
            return
        self._run, self._run_begun = handle, self.task_time()
        if self._task is None:
            # The task ended meanwhile.
            self._stop_run()
            return
        handle.get_result_async().add_done_callback(self.guard(partial(self._ended, handle)))

    def _ended(self, handle: Any, future: Any) -> None:
        if handle is not self._run or self._waits:
            # Another program was sent, or is being sent, in its place.
            return
        self._forget_run()
        result = future.result().result
        said = result.message or result.outcome
        if result.outcome in ('DONE', 'INTERRUPT'):
            self._failed_at = -math.inf
            self._look()
        elif result.outcome in ('CANCELED', 'PREEMPTED'):
            self._finish(False, f'somebody else has taken the robot: {said}')
        else:
            self._count_failure(said)

    def _count_failure(self, said: str) -> None:
        """End the task where programs fail again and again."""
        now = self.task_time()
        if now - self._failed_at > FAILURE_MEMORY:
            self._failures, self._failing_since = 0, now
        self._failures, self._failed_at = self._failures + 1, now
        if self._failures >= MOST_FAILURES and now - self._failing_since > GIVE_UP:
            why = f'{self._failures} programs in a row have failed, the last one by'
            self._finish(False, f'{why} {said}')

    def _stop_run(self) -> None:
        if self._run is not None:
            self._run.cancel_goal_async()
        self._forget_run()

    def _publish_path(self, poses: Iterable[Sequence[float]]) -> None:
        stamp = self.get_clock().now().nanoseconds
        self._path.publish(path_to_msg(poses, stamp, self._map_frame))

    def _publish_markers(self, program: PlannedProgram | None) -> None:
        """Publish what is driven now, and what is looked for, if that has changed."""
        task = self._task and self._task.task
        shown = (
            program,
            [frontier.middle for frontier in task.frontiers] if isinstance(task, Explore) else [],
            None if task is None else self.navigator.goal,
        )
        if shown == self._shown:
            return
        self._shown = shown
        self._markers.publish(
            plan_markers(
                self.get_clock().now().nanoseconds,
                self._map_frame,
                tube=program.tube if program else 0.0,
                predicted=program.trajectory[::5].tolist() if program else [],
                frontiers=shown[1],
                goal=shown[2],
                area=self._area,
            )
        )

    # Health

    def rest(self, why: str) -> None:
        """Stop what the executor runs for this node."""
        self._finish(False, why)

    def health(self) -> Health:
        """Return what the planner does, or which input is missing."""
        if self._inputs.ground is None:
            return WARN, 'waits for a map'
        if self._inputs.pose is None:
            return WARN, 'waits for odometry and map -> odom'
        if self._task is None:
            return OK, 'waits for a task'
        return OK, f'{self._last.kind}: {self._last.text}'


def area_of(corners: Sequence[float]) -> Area:
    """Return the area of the parameter; raise ConfigurationError for wrong corners."""
    if not any(corners):
        return ANYWHERE
    if len(corners) != 4 or not all(map(math.isfinite, corners)):
        raise ConfigurationError("mdle_planner: 'area' must be x, y of two corners, m.")
    area = Area(*corners)
    if area.left >= area.right or area.low >= area.high:
        raise ConfigurationError(
            "mdle_planner: 'area' must be its lower left corner, then its upper right one, m."
        )
    return area


def main() -> int:
    """Run the node as a process."""
    return run_node(MdlePlannerNode)
