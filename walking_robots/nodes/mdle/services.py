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
        for kind, name, answer in (
            (CheckPlan, 'check_plan', self._check),
            (ListElements, 'list_elements', self._list),
            (DescribeElement, 'describe_element', self._describe),
            (LoadLibrary, 'load_library', self._load),
            (Trigger, 'pause', self._pause),
            (ResumePlan, 'resume', self._resume),
            (Trigger, 'step', self._step),
            (Trigger, 'stop_all', self._stop),
            (SetBreakpoint, 'set_breakpoint', self._break),
            (SetPlanValue, 'set_arg', self._set),
            (SetPlanValue, 'answer', self._answer),
            (GetPlanSnapshot, 'get_snapshot', self._look),
        ):
            node.create_service(kind, f'~/{name}', answer)

    def _check(self, request: Any, response: Any) -> Any:
        session = self._session
        try:
            source, form, file = source_of(request, self._store)
            too_long = session.too_long_now(source)
            if too_long:
                raise ValueError(too_long)
            program = parse_program(source, form, file)
        except ProgramError as error:
            response.diagnostics = diagnostics_to_msg(error.diagnostics)
            return response
        except ValueError as error:
            response.diagnostics = [PlanDiagnostic(code='E206', severity='error', text=str(error))]
            return response
        spec = session.executor.robot.spec
        report = check_program(
            program, session.library, spec, request.entry, session.executor.settings
        )
        response.valid = report.ok
        response.diagnostics = diagnostics_to_msg(report.diagnostics)
        response.program = digest(program)
        response.time_bound = response.path_bound = math.inf
        if report.most:
            response.time_bound, response.path_bound = report.most
        if report.measures:
            found = report.measures
            response.length, response.size, response.depth = found.length, found.size, found.depth
            response.alphabet = found.alphabet
            response.description_length = found.description
        return response

    def _list(self, request: Any, response: Any) -> Any:
        response.elements = [
            message_of(PlanElement, found)
            for found in catalogue(self._session.library)
            if request.module in ('', found.module)
        ][:LONGEST_LIST]
        response.plans = self._store.names()
        return response

    def _describe(self, request: Any, response: Any) -> Any:
        try:
            found = describe(self._session.library, request.name)
        except ValueError as error:
            response.message = str(error)
            return response
        response.success = True
        response.element = message_of(PlanElement, found)
        outputs = self._session.executor.robot.spec.outputs
        delays = [
            outputs[name].period + outputs[name].latency for name in found.reads if name in outputs
        ]
        tick = self._session.executor.settings.tick_period
        response.detection_latency = tick + max(delays) if delays else math.nan
        return response

    def _load(self, request: Any, response: Any) -> Any:
        try:
            module = load_module(self._store.find(request.uri))
        except (ValueError, OSError) as error:
            response.message = str(error)
            return response
        # What runs keeps the library that it was started with.
        self._session.library = {**self._session.library, module.name: module}
        response.success = True
        response.message = f"programs may import '{module.name}' from now on"
        return response

    # What an operator may do

    def _ask(self, response: Any, request: OperatorRequest, wanted: RunPhase, state: str) -> Any:
        phase = self._session.executor.phase
        response.success = phase is wanted
        if response.success:
            self._session.executor.ask(request)
            response.message = 'done in the next tick'
        else:
            response.message = f'no program is {state} (it is {phase.name.lower()})'
        return response

    def _pause(self, request: Any, response: Any) -> Any:
        return self._ask(
            response, OperatorRequest('pause', 'by the operator'), RunPhase.RUNNING, 'running'
        )

    def _resume(self, request: Any, response: Any) -> Any:
        policy: Any = request.policy or POLICIES[0]
        if policy not in POLICIES:
            response.message = f'policy {policy!r} is unknown; use {" or ".join(POLICIES)}'
            return response
        # Where a person wants to see every transition, going on means to the next one.
        kind: Any = 'step' if self._autonomy() == 'step' else 'resume'
        return self._ask(response, OperatorRequest(kind, policy=policy), RunPhase.PAUSED, 'paused')

    def _step(self, request: Any, response: Any) -> Any:
        return self._ask(response, OperatorRequest('step'), RunPhase.PAUSED, 'paused')

    def _stop(self, request: Any, response: Any) -> Any:
        self._session.stop_all('stopped by the operator')
        response.success, response.message = True, 'all programs end, the robot stops'
        return response

    def _break(self, request: Any, response: Any) -> Any:
        session = self._session
        executor = session.executor
        paths = set(executor.settings.breakpoints)
        (paths.add if request.enabled else paths.discard)(request.path)
        session.executor.settings = replace(
            session.executor.settings, breakpoints=frozenset(paths)
        )
        response.success = True
        response.message = 'counts at once'
        response.breakpoints = sorted(paths)
        return response

    def _set(self, request: Any, response: Any) -> Any:
        try:
            self._session.set_value(request.name, request.value)
        except ValueError as error:
            response.message = str(error)
            return response
        response.success, response.message = True, f'bb.{request.name} is set'
        return response

    def _answer(self, request: Any, response: Any) -> Any:
        response.success = self._calls.answer(request.value)
        response.message = 'thank you' if response.success else 'nobody has asked'
        return response

    def _look(self, request: Any, response: Any) -> Any:
        self._snapshot(response)
        return response
