# mypy: disable-error-code="attr-defined"
"""The viewer's part for MDLe programs: what a person can ask for of their executor."""

import math
from collections.abc import Callable
from typing import Any

from std_srvs.srv import Trigger
from walking_robots_interfaces.action import RunPlan
from walking_robots_interfaces.msg import PlanValue
from walking_robots_interfaces.srv import (
    CheckPlan,
    ListElements,
    MoveObject,
    ResumePlan,
    SetPlanValue,
)

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.program_store import split_arguments
from walking_robots.nodes.common.goal_client import GoalClient
from walking_robots.nodes.common.page_node import PageNode
from walking_robots.nodes.mdle.page_state import PlanStateCache
from walking_robots.nodes.mdle.way_state import PlannerClient
from walking_robots.viewer.mdle.state import PlanControls, PlanView, ProgramText, Remark, Steering

EXECUTOR = 'mdle_executor'
ASK = 1.0
"""Wall time, s, between two questions for the plans, until they are known."""
GRACE = 1.0
"""Wall time, s, after a program was sent, within which its first status must have come."""

_SERVICES: tuple[tuple[Any, ...], ...] = (
    (Trigger, 'pause', 'step', 'stop_all'),
    (ResumePlan, 'resume'),
    (CheckPlan, 'check_plan'),
    (ListElements, 'list_elements'),
    (SetPlanValue, 'answer'),
)
_BUSY = 'A program has the robot: stop it first.'


class ProgramClient:
    """Runs, checks, pauses and stops programs; one that a person runs takes the robot over."""

    def __init__(
        self, node: PageNode, start: Callable[[], Pose2], take_over: Callable[[], None]
    ) -> None:
        """Listen, and prepare what a person may ask for.

        ``start``: where odom begins in map; ``take_over`` ends what else drives the robot.
        """
        self._node, self._take_over = node, take_over
        self._state = PlanStateCache(node, EXECUTOR, start)
        self._planner = PlannerClient(node, self._yield_robot)
        self._runner: Any = GoalClient(node, RunPlan, f'{EXECUTOR}/run_plan')
        node.closing.append(self._runner.destroy)
        for kind, *names in _SERVICES:
            node.offer(kind, *(f'{EXECUTOR}/{name}' for name in names))
        node.offer(MoveObject, 'scout_emulator/move_object')
        self._sent = -math.inf
        self._goal: Any = None
        self._canceled = False
        self._then: Callable[[], None] | None = None
        self._listed = False
        node.create_timer(ASK, self._ask_for_plans, clock=node.steady)

    def page_part(self, *arguments: Any) -> Any:
        """Return the programs' part of a page (viewer/common/part.py)."""
        from walking_robots.viewer.mdle.part import PlanPart

        server, panel, root, begin = arguments
        return PlanPart(server, panel, root, self.controls(), begin)

    def controls(self) -> PlanControls:
        """Return the controls of the page; they may be called from any thread."""
        ask = self._node.run_on_node
        return PlanControls(
            run=ask(self._run),
            check=ask(self._check),
            steer=ask(self._steer),
            cancel=ask(self._cancel),
            answer=ask(self._answer),
            move_object=ask(self._move_object),
            way=self._planner.controls(),
        )

    @property
    def runs(self) -> bool:
        """Return whether a program or the planner has the robot, or may have it at once."""
        sent = self._node.now() - self._sent < GRACE
        return self._state.runs or self._planner.runs or sent

    def view(self) -> PlanView:
        """Return the present moment, and do what had to wait for the end of a program."""
        if self._then is not None and not self.runs:
            act, self._then = self._then, None
            act()
        return self._state.view(self._planner.view())

    def stop_then(self, act: Callable[[], None]) -> None:
        """Do something that moves the robot; a program that has it is stopped first."""
        if not self.runs:
            act()
            return
        self.stop()
        self._then = act

    def stop(self) -> None:
        """End all programs and tasks, and forget what was to be done after them."""
        self._then = None
        self._planner.stop()
        name = f'{EXECUTOR}/stop_all'
        # Also where no program is known: its status may not have come yet.
        if self.runs or self._node.there(name):
            self._node.call(name, Trigger.Request())

    def _yield_robot(self) -> None:
        """End what else drives the robot, before the planner gets it."""
        self._take_over()
        if self._state.runs and not self._planner.runs:
            self.stop()

    # Running

    def _run(self, program: ProgramText) -> None:
        self._then = None
        if self.runs:
            self._node.warn(EXECUTOR, _BUSY)
            return
        if not self._runner.server_is_ready():
            self._node.warn(EXECUTOR, f'{EXECUTOR}/run_plan is not there: is its node running?')
            return
        try:
            arguments = split_arguments(program.arguments)
        except ValueError as error:
            self._node.warn(EXECUTOR, str(error))
            return
        self._take_over()
        self._state.keep(remarks=())
        self._sent = self._node.now()
        self._canceled = False
        goal = RunPlan.Goal(
            source=program.text,
            uri=program.name,
            format=program.form,
            arguments=[PlanValue(name=name, value=text) for name, text in arguments.items()],
        )
        self._runner.send_goal_async(goal).add_done_callback(
            self._node.guard(lambda future: self._accepted(future.result(), program))
        )

    def _accepted(self, handle: Any, program: ProgramText) -> None:
        if not handle.accepted:
            self._sent = -math.inf
            self._node.warn(EXECUTOR, f'{EXECUTOR} takes no programs now; its log says why')
            return
        self._goal = handle
        if self._canceled:
            self._cancel()
        handle.get_result_async().add_done_callback(
            self._node.guard(lambda future: self._ended(future.result().result, program))
        )

    def _ended(self, result: Any, program: ProgramText) -> None:
        self._sent, self._goal = -math.inf, None
        if result.outcome != 'REJECTED':
            return
        refused = Remark('error', result.message, result.code, result.line)
        self._state.keep(remarks=(refused,))
        if program.name:
            # Remarks stand beside the text, and who chose a plan does not look there.
            self._node.warn(EXECUTOR, result.message)
        if result.code and result.line:
            # The result names the first error only; an error without a line is not in the text.
            self._check(program)

    def _cancel(self) -> None:
        """End the program that was sent last, also where it is not accepted yet."""
        self._canceled = True
        if self._goal is not None:
            self._goal.cancel_goal_async()

    def _check(self, program: ProgramText) -> None:
        request = CheckPlan.Request(source=program.text, uri=program.name, format=program.form)
        self._node.ask(f'{EXECUTOR}/check_plan', request, self._checked)

    def _checked(self, answer: Any) -> None:
        remarks = [
            Remark(**{name: getattr(found, name) for name in Remark._fields})
            for found in answer.diagnostics
        ]
        if answer.valid:
            remarks.insert(0, Remark('sound', _bounds(answer)))
        self._state.keep(remarks=tuple(remarks))

    def _answer(self, text: str) -> None:
        self._node.call(f'{EXECUTOR}/answer', SetPlanValue.Request(value=text))

    def _steer(self, action: Steering) -> None:
        kind = ResumePlan if action == 'resume' else Trigger
        self._node.call(f'{EXECUTOR}/{action}', kind.Request())

    def _move_object(self, x: float, y: float) -> None:
        self._node.call('scout_emulator/move_object', MoveObject.Request(x=float(x), y=float(y)))

    # Which plans there are

    def _ask_for_plans(self) -> None:
        # A plan is offered when all is found that it takes to run and to stop it.
        there = self._runner.server_is_ready() and all(
            self._node.there(f'{EXECUTOR}/{name}') for _, *names in _SERVICES for name in names
        )
        if there and not self._listed:
            self._node.ask(f'{EXECUTOR}/list_elements', ListElements.Request(), self._list)
        # An executor that has come back may have others.
        self._listed = self._listed and there

    def _list(self, answer: Any) -> None:
        self._listed = True
        self._state.keep(plans=tuple(answer.plans))


def _bounds(answer: Any) -> str:
    """Say that a program can be run, and how long and how far it may go."""
    time = f'{answer.time_bound:.4g} s' if math.isfinite(answer.time_bound) else 'without end'
    way = f'{answer.path_bound:.3g} m' if math.isfinite(answer.path_bound) else 'any way'
    return f'No mistakes. At most: {time}, {way}.'
