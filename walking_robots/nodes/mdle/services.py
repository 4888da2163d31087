"""The services of the executor: checking, the knowledge base, and what an operator may do."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from std_srvs.srv import Trigger
from walking_robots_interfaces.msg import PlanDiagnostic, PlanElement
from walking_robots_interfaces.srv import (
    CheckPlan,
    DescribeElement,
    GetPlanSnapshot,
    ListElements,
    LoadLibrary,
    ResumePlan,
    SetBreakpoint,
    SetPlanValue,
)

from walking_robots.mdle.knowledge.catalogue import catalogue, describe
from walking_robots.mdle.knowledge.library import load_module
from walking_robots.mdle.language.diagnostics import ProgramError
from walking_robots.mdle.language.digest import digest
from walking_robots.mdle.program_store import ProgramStore, parse_program
from walking_robots.mdle.runtime.executor import RunPhase
from walking_robots.mdle.runtime.settings import OperatorRequest
from walking_robots.mdle.session import Session, check_program
from walking_robots.nodes.common.node import GraphNode
from walking_robots.nodes.mdle.action import source_of
from walking_robots.nodes.mdle.conversions import diagnostics_to_msg, message_of
from walking_robots.nodes.mdle.external_calls import RosExternalCalls

POLICIES = ('continue', 'restart_atom', 'fail')
LONGEST_LIST = 10_000


class PlanServices:
    """Answers at once; what concerns a run is done in the next tick."""

    def __init__(
        self,
        node: GraphNode,
        session: Session,
        store: ProgramStore,
        calls: RosExternalCalls,
        autonomy: Callable[[], str],
        snapshot: Callable[[Any], None],
    ) -> None:
        """Offer the services on ``node``; ``snapshot`` fills what is known of the run."""
        self._session, self._store, self._calls = session, store, calls
        self._autonomy, self._snapshot = autonomy, snapshot
        for kind, name, act in (
            (CheckPlan, 'check_plan', self._check),
            (ListElements, 'list_elements', self._list),
            (GetPlanSnapshot, 'get_snapshot', self._look),
            (DescribeElement, 'describe_element', self._describe),
            (LoadLibrary, 'load_library', self._load),
            (Trigger, 'pause', self._pause),
            (ResumePlan, 'resume', self._resume),
            (Trigger, 'step', self._step),
            (Trigger, 'stop_all', self._stop),
            (SetBreakpoint, 'set_breakpoint', self._break),
            (SetPlanValue, 'set_arg', self._set),
            (SetPlanValue, 'answer', self._answer),
        ):
            node.provide(kind, f'~/{name}', act)

    def _check(self, request: Any, response: Any) -> None:
        session = self._session
        try:
            source, form, file = source_of(request, self._store)
            session.check_length(source)
            program = parse_program(source, form, file)
        except ProgramError as error:
            response.diagnostics = diagnostics_to_msg(error.diagnostics)
            return
        except ValueError as error:
            response.diagnostics = [PlanDiagnostic(code='E206', severity='error', text=str(error))]
            return
        executor = session.executor
        report = check_program(
            program, session.library, executor.robot.spec, request.entry, executor.settings
        )
        response.valid = report.ok
        response.diagnostics = diagnostics_to_msg(report.diagnostics)
        response.program = digest(program)
        response.time_bound, response.path_bound = report.most or (math.inf, math.inf)
        if report.measures:
            found = report.measures
            response.length, response.size, response.depth = found.length, found.size, found.depth
            response.alphabet = found.alphabet
            response.description_length = found.description

    def _list(self, request: Any, response: Any) -> None:
        response.elements = [
            message_of(PlanElement, found)
            for found in catalogue(self._session.library)
            if request.module in ('', found.module)
        ][:LONGEST_LIST]
        response.plans = self._store.names()

    def _look(self, request: Any, response: Any) -> None:
        self._snapshot(response)

    def _describe(self, request: Any, response: Any) -> str:
        found = describe(self._session.library, request.name)
        response.element = message_of(PlanElement, found)
        executor = self._session.executor
        outputs = executor.robot.spec.outputs
        delays = [
            outputs[name].period + outputs[name].latency for name in found.reads if name in outputs
        ]
        tick = executor.settings.tick_period
        response.detection_latency = tick + max(delays) if delays else math.nan
        return ''

    def _load(self, request: Any, response: Any) -> str:
        module = load_module(self._store.find(request.uri))
        # What runs keeps the library that it was started with.
        self._session.library = {**self._session.library, module.name: module}
        return f"programs may import '{module.name}' from now on"

    # What an operator may do

    def _ask(self, request: OperatorRequest, wanted: RunPhase) -> str:
        phase = self._session.executor.phase
        if phase is not wanted:
            raise ValueError(f'no program is {wanted.name.lower()} (it is {phase.name.lower()})')
        self._session.executor.ask(request)
        return 'done in the next tick'

    def _pause(self, request: Any, response: Any) -> str:
        return self._ask(OperatorRequest('pause', 'by the operator'), RunPhase.RUNNING)

    def _resume(self, request: Any, response: Any) -> str:
        policy: Any = request.policy or POLICIES[0]
        if policy not in POLICIES:
            raise ValueError(f'policy {policy!r} is unknown; use {" or ".join(POLICIES)}')
        # Where a person wants to see every transition, going on means to the next one.
        kind: Any = 'step' if self._autonomy() == 'step' else 'resume'
        return self._ask(OperatorRequest(kind, policy=policy), RunPhase.PAUSED)

    def _step(self, request: Any, response: Any) -> str:
        return self._ask(OperatorRequest('step'), RunPhase.PAUSED)

    def _stop(self, request: Any, response: Any) -> str:
        self._session.stop_all('stopped by the operator')
        return 'all programs end, the robot stops'

    def _break(self, request: Any, response: Any) -> str:
        executor = self._session.executor
        paths = executor.settings.breakpoints - {request.path}
        paths |= {request.path} if request.enabled else set()
        executor.settings = replace(executor.settings, breakpoints=paths)
        response.breakpoints = sorted(paths)
        return 'counts at once'

    def _set(self, request: Any, response: Any) -> str:
        self._session.set_value(request.name, request.value)
        return f'bb.{request.name} is set'

    def _answer(self, request: Any, response: Any) -> str:
        if not self._calls.answer(request.value):
            raise ValueError('no program waits for an answer')
        return 'the program goes on'
