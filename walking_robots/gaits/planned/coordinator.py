"""The coordinator that plans footholds ahead, beside the rules.

The rules walk as long as a simulation of them gets on, if they are preferred, and they turn the
body. Where they do not get on, the body comes to rest, and a route of planned footholds is
followed, if need be with the body turned away from its way so that legs reach farther.
"""

import cmath
import copy
import math
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from functools import partial
from typing import NamedTuple

from walking_robots.gaits.free.coordinator import TerrainCoordinator
from walking_robots.gaits.free.memory import resumed
from walking_robots.gaits.free.repairs import Repairs
from walking_robots.gaits.gait_step import Command, GaitStep, PlanAhead
from walking_robots.gaits.planned.detour import DIRECTION, Detour
from walking_robots.gaits.planned.feet import feet_of
from walking_robots.gaits.planned.follower import RouteFollower
from walking_robots.gaits.planned.forecast import (
    TURN_TOLERANCE,
    Forecast,
    ProgressChecker,
    SimulatedRules,
    forecast,
    turn_rate,
)
from walking_robots.gaits.planned.memory import Phase, PlanMemory
from walking_robots.gaits.planned.planner import Planner
from walking_robots.gaits.planned.plans import STRAIGHT, Routes, Turn, Way, plan_at_rest, plan_on
from walking_robots.gaits.planned.search import Swing
from walking_robots.geometry.pose import Pose, from_quaternion
from walking_robots.geometry.se2 import wrap
from walking_robots.legs.states import (
    Decision,
    DecisionKind,
    LegReport,
    PlanState,
    failed_legs,
)
from walking_robots.robots.model import HexapodModel
from walking_robots.terrain.cells import TernaryTerrain

DELAY = 5
"""Steps from a request to the use of its answer, even if it is ready before."""

RENEW, KEPT = 1.5, 0.6
"""How much of a route, or of the way that a forecast covers, is left when the next one is
requested, and how far on the next route begins, in spans."""

AGAIN = 0.4
"""How far the body goes at least between two requests of one kind, in spans."""

BACK = 1.0
"""How far the body goes along a route before it returns to the rules or to its heading, in
spans."""

SAME = 1e-6
"""Distance, m, up to which a body is where it was simulated."""

REST: Command = (0.0, 0.0, 0.0)

Answer = Forecast | Routes | Turn | None


class Workers(NamedTuple):
    """What computes plans, and what computes forecasts."""

    plans: Executor
    forecasts: Executor


class Request(NamedTuple):
    """An answer that is computed: over which ground, and the swings carried out before it.

    It takes effect at a step, or as soon after it as it is ready.
    """

    answer: 'Future[Answer]'
    terrain: TernaryTerrain
    kept: Sequence[Swing]
    effective_step: int


class PlannedCoordinator:
    """Coordinates legs and body by planned footholds and by rules."""

    def __init__(
        self,
        model: HexapodModel,
        repairs: Repairs,
        pose: Pose,
        *,
        workers: Workers,
        patient: bool = True,
        prefer_rules: bool = False,
        cross_ditches: bool = True,
        horizon: Callable[[], float] = lambda: 0.0,
    ) -> None:
        """Begin with a body at rest at ``pose``.

        A ``patient`` coordinator waits for its workers at the steps at which answers take
        effect, so that its walk is reproducible. With ``prefer_rules`` the rules walk where they
        get on. ``horizon`` gives how far ahead, m, plans and forecasts go, or 0 for as far as
        usual.
        """
        self.model = model
        self._make_rules = partial(TerrainCoordinator, model, repairs)
        self.rules = self._make_rules(pose, cross_ditches=cross_ditches)
        self._turning = self.rules
        self._ended = threading.Event()
        self._planner = Planner(model, horizon, self._ended.is_set)
        self._span = self._planner.span
        self.follower = RouteFollower(model, self._span, self.rules.memory.body)
        self.memory = PlanMemory(Phase.RULES, pose.yaw(), pose.yaw())
        self._progress = ProgressChecker(model)
        self._detour = Detour(model)
        self._workers, self._patient, self._prefer_rules = workers, patient, prefer_rules
        self._cross_ditches = cross_ditches
        self._walks = False
        self.goal: complex | None = None
        self._request: Request | None = None
        self._simulated: SimulatedRules | None = None
        self._simulated_from = 0

    def reference(self, pose: Pose) -> Pose:
        """Return the pose that commands refer to: without a turn away from the way."""
        if self.memory.phase is Phase.RULES or not self._walks:
            return pose
        half = 0.5 * self.memory.heading
        return from_quaternion(pose.position, (math.cos(half), 0.0, 0.0, math.sin(half)))

    def close(self) -> None:
        """Give up what is being computed."""
        self._ended.set()

    def ahead(self, pose: Pose, terrain: TernaryTerrain) -> PlanAhead:
        """Return what is planned ahead; nothing while the rules walk."""
        if self.memory.phase is not Phase.ROUTE:
            return PlanAhead()
        return PlanAhead(self.follower.swings(pose, terrain), self._otherwise())

    def step(
        self, reports: Sequence[LegReport], pose: Pose, command: Command, terrain: TernaryTerrain
    ) -> GaitStep:
        """Decide one step, as `TerrainCoordinator.step` does."""
        memory, here = self.memory, complex(*pose.position[:2])
        # Routes are planned for six legs.
        sound = not failed_legs(reports)
        plannable = (not command[2] or self._posed) and terrain.is_level and sound
        if not plannable:
            self._use_rules()
            memory.wanted = 0j
        if memory.phase is Phase.RULES:
            memory.heading = pose.yaw()
        velocity = complex(*command[:2]) * cmath.rect(1.0, memory.heading)
        self._walks = bool(velocity)
        if velocity and plannable:
            wanted = velocity / abs(velocity)
            veered = self.goal is None and abs(wanted - memory.wanted) > DIRECTION
            if veered or self.goal != memory.goal or not memory.wanted:
                self._begin(pose, wanted)
            self._take_answer(pose)
            if self._request is None:
                self._look_ahead(reports, pose, velocity, terrain)
        self._check_route(terrain, here)
        self._change_phase(reports, pose)
        found = self._walk(reports, pose, command, abs(velocity), terrain)
        memory.steps += 1
        return self._explained(found)

    def _begin(self, pose: Pose, wanted: complex) -> None:
        """Forget what is known of the way in another direction."""
        memory, here = self.memory, complex(*pose.position[:2])
        memory.wanted, memory.line, memory.goal = wanted, here, self.goal
        memory.ending = memory.failed = None
        memory.forecast_to = memory.requested_at = self._along(here)
        memory.forecast_at = memory.turned_at = self._along(here) - BACK * self._span
        memory.turn_to = pose.yaw()
        self._request = self._simulated = None
        self._progress = ProgressChecker(self.model)
        self.follower.drop(here)

    def _along(self, place: complex) -> float:
        return (place * self.memory.wanted.conjugate()).real

    def _use_rules(self) -> None:
        """Let the rules go on from here."""
        memory, follower = self.memory, self.follower
        if memory.phase in (Phase.ROUTE, Phase.TURNING):
            self.rules.memory = resumed(follower.body, self.model.plane_period)
            follower.body = self.rules.memory.body
        memory.phase, memory.ending, self._request = Phase.RULES, None, None

    # Requests

    def _look_ahead(
        self, reports: Sequence[LegReport], pose: Pose, velocity: complex, terrain: TernaryTerrain
    ) -> None:
        """Request a forecast or a route when it is time for one."""
        memory, span, route = self.memory, self._span, self.follower.route
        here = complex(*pose.position[:2])
        along = self._along(here)
        if memory.phase is Phase.RULES:
            if not self._is_as_simulated(here):
                self._simulated, memory.forecast_to = None, along
            if not self._prefer_rules or self._progress.stalled(along):
                memory.phase = Phase.SETTLING
            elif (
                not self.rules.memory.facts.ditch_mode
                and memory.forecast_to - along < RENEW * span
                and along - memory.forecast_at >= AGAIN * span
            ):
                self._request_forecast(reports, pose, velocity, terrain)
        elif memory.phase is Phase.ROUTE and memory.failed != terrain:
            if route.later or (self._posed and route.moves):
                return
            if route.moves:
                left, gone = self._along(route.end) - along, along - memory.requested_at
                if left > RENEW * span or gone < AGAIN * span or route.end == self.goal:
                    return
            elif not (self._settled(reports, pose) and self.follower.is_in_posture(pose, terrain)):
                return
            straight = abs(wrap(pose.yaw() - memory.heading)) < STRAIGHT and not self._posed
            if self._prefer_rules and straight and along - memory.forecast_at >= BACK * span:
                self._request_forecast(reports, pose, velocity, terrain)
            else:
                self._request_route(reports, pose, velocity, terrain)

    def _request_forecast(
        self, reports: Sequence[LegReport], pose: Pose, velocity: complex, terrain: TernaryTerrain
    ) -> None:
        memory, here = self.memory, complex(*pose.position[:2])
        memory.veer(here, velocity / abs(velocity))
        memory.forecast_at = self._along(here)
        way = self._planner.way(terrain, here, pose.yaw(), velocity)
        if self.goal is not None:
            way = min(way, abs(self.goal - here))
        memory.forecast_to = memory.forecast_at + way
        by_rules = memory.phase is Phase.RULES
        if self._simulated is None or not by_rules:
            rules = self._make_rules(pose, cross_ditches=self._cross_ditches)
            rules.memory = copy.deepcopy(self.rules.memory)
            route = None if by_rules else self.follower.copy()
            self._simulated = SimulatedRules(rules, reports, pose, route, DELAY)
            self._simulated_from = memory.steps
        work = partial(
            forecast, self._simulated, _command(velocity, pose), terrain, memory.forecast_to,
            self._ended.is_set,
        )  # fmt: skip
        self._submit(self._workers.forecasts, work, terrain)

    def _is_as_simulated(self, here: complex) -> bool:
        """Return whether the body is where the simulation had it in this step."""
        if self._simulated is None:
            return True
        step, places = self.memory.steps - self._simulated_from, self._simulated.places
        return step >= len(places) or abs(places[step] - here) <= SAME

    def _request_route(
        self, reports: Sequence[LegReport], pose: Pose, velocity: complex, terrain: TernaryTerrain
    ) -> None:
        memory, moves = self.memory, self.follower.route.moves
        here = complex(*pose.position[:2])
        if self.goal is not None:
            memory.veer(here, velocity / abs(velocity))
            memory.line = self.goal
        along = self._along(here)
        memory.requested_at = along
        back = along - memory.turned_at >= BACK * self._span
        way = Way(terrain, memory.line, velocity, memory.heading, back, self.goal)
        work: Callable[[], Answer]
        if moves:
            kept = self._kept(along)
            standing = self.follower.standing_after(kept)
            work = partial(plan_on, self._planner, standing, pose.yaw(), way)
        else:
            kept = []
            rules = partial(self._make_rules, pose, cross_ditches=False)
            work = partial(plan_at_rest, self._planner, rules, reports, pose, way)
        self._submit(self._workers.plans, work, terrain, kept)

    def _kept(self, along: float) -> Sequence[Swing]:
        """Return the swings of the route that are carried out while the next one is planned."""
        moves, enough = self.follower.route.moves, along + KEPT * self._span
        for number, move in enumerate(moves, 1):
            if self._along(move.lift_at) >= enough:
                return moves[:number]
        return moves[:]

    def _submit(
        self,
        worker: Executor,
        work: Callable[[], Answer],
        terrain: TernaryTerrain,
        kept: Sequence[Swing] = (),
    ) -> None:
        self._request = Request(worker.submit(work), terrain, kept, self.memory.steps + DELAY)

    # Answers

    def _take_answer(self, pose: Pose) -> None:
        """Act on an answer from the step on at which it takes effect."""
        memory, request = self.memory, self._request
        if request is None or memory.steps < request.effective_step:
            return
        if not (self._patient or request.answer.done()):
            return
        answer, last = request.answer.result(), request.kept[-1:]
        self._request = None
        if isinstance(answer, Forecast):
            # Rules take over a route only as they were simulated to: in that step, and there.
            on_time = memory.steps == request.effective_step
            on_time = on_time and self._is_as_simulated(complex(*pose.position[:2]))
            if answer.reached and (memory.phase is Phase.RULES or on_time):
                self._use_rules()
            elif not answer.reached:
                memory.ending, self._simulated = answer, None
                memory.phase = Phase.SETTLING if memory.phase is Phase.RULES else memory.phase
            return
        memory.plans += 1
        if answer is None and last:
            # The route is followed to its end, where more is tried.
            memory.requested_at = math.inf
        elif answer is None:
            memory.failed = request.terrain
        elif isinstance(answer, Turn):
            if last:
                self.follower.go_on(last[0], (), last[0].lift_at)
            else:
                self._turn(pose, answer.yaw)
        elif last:
            self.follower.go_on(last[0], answer[0].moves, answer[0].end)
        else:
            self.follower.begin(*answer)

    def _turn(self, pose: Pose, yaw: float) -> None:
        """Let rules that cross no ditches turn the body on the spot."""
        memory, follower = self.memory, self.follower
        self._turning = self._make_rules(pose, cross_ditches=False)
        self._turning.memory = resumed(follower.body, self.model.plane_period)
        follower.body = self._turning.memory.body
        memory.phase, memory.turn_to = Phase.TURNING, yaw
        memory.turned_at = memory.requested_at

    def _check_route(self, terrain: TernaryTerrain, here: complex) -> None:
        """Drop the route if one of its footholds is forbidden by now."""
        moves = self.follower.moves
        if not all(terrain.permitted(move.foot.real, move.foot.imag) for move in moves):
            self.follower.drop(here)
            self._request = None

    # Motion

    @property
    def _posed(self) -> bool:
        """Return whether the route leads through other postures, in which no rules walk."""
        route = self.follower.route
        return bool(route.later) or route.posture is not None

    def _change_phase(self, reports: Sequence[LegReport], pose: Pose) -> None:
        """Go on to a route when the body has come to rest, or has turned."""
        memory = self.memory
        turned = abs(wrap(memory.turn_to - pose.yaw())) < TURN_TOLERANCE
        resting = memory.phase is Phase.SETTLING or (memory.phase is Phase.TURNING and turned)
        if resting and self._settled(reports, pose):
            memory.phase = Phase.ROUTE
            self.follower.drop(complex(*pose.position[:2]))

    def _settled(self, reports: Sequence[LegReport], pose: Pose) -> bool:
        return feet_of(reports, pose).settled and self.follower.body.rates.at_rest

    def _walk(
        self,
        reports: Sequence[LegReport],
        pose: Pose,
        command: Command,
        speed: float,
        terrain: TernaryTerrain,
    ) -> GaitStep:
        memory = self.memory
        if memory.phase is Phase.ROUTE:
            return self.follower.step(reports, pose, speed, terrain)
        if memory.phase is Phase.TURNING:
            turn = turn_rate(self.model, wrap(memory.turn_to - pose.yaw())) if speed else 0.0
            return self._turning.step(reports, pose, (0.0, 0.0, turn), terrain)
        if memory.phase is Phase.RULES:
            around: Command | None = command
            if not terrain.is_level:
                around = self._detour.command(pose, command, terrain, self.goal)
                self.rules.way = self._detour.ahead(pose)
            memory.blocked = around is None
            return self.rules.step(reports, pose, around or REST, terrain)
        step = self.rules.step(reports, pose, REST, terrain)
        return step._replace(decisions=_without_lifts(step.decisions, reports))

    def _explained(self, step: GaitStep) -> GaitStep:
        """Say in a step why the body does not follow the command, and note the facts."""
        memory, moves = self.memory, self.follower.moves
        if memory.phase is Phase.RULES:
            memory.facts = tuple(self.rules.memory.lines())
            blocked = 'no way round the high ground ahead is known'
            return step._replace(stop_reason=blocked) if memory.blocked else step
        facts, why = [f'swings_planned({len(moves)})', f'plans({memory.plans})'], ''
        if memory.phase is Phase.TURNING:
            why = 'the body turns, so that legs reach farther ahead'
        elif memory.failed is not None and not moves:
            why = 'no way over the ground ahead was found'
        elif self._request is not None and not moves:
            why = 'footholds are being planned'
        if memory.ending is not None:
            place = memory.ending.place
            facts.append(f'rules_would_end({place.real:.2f},{place.imag:.2f})')
            why = why and f'{why}; {self._otherwise()}'
        memory.facts = tuple(facts)
        return step._replace(stop_reason=why)

    def _otherwise(self) -> str:
        """Say what the rules would do, or nothing where that was not asked."""
        ending = self.memory.ending
        if ending is None:
            return ''
        return f'the rules would get to x = {ending.place.real:.2f} m: {ending.why}'


def _without_lifts(
    decisions: Sequence[Decision], reports: Sequence[LegReport]
) -> tuple[Decision, ...]:
    """Return decisions by which no leg lifts any more that has not begun to."""
    placed = (decision for decision in decisions if decision.kind is DecisionKind.PLACE)
    waiting = (PlanState.PLANNED_LIFT, PlanState.PLANNED_EXCHANGE)
    cancelled = (
        Decision(DecisionKind.CANCEL_LIFT, report.number, reason='comes to rest')
        for report in reports
        if report.plan in waiting
    )
    return (*placed, *cancelled)


def _command(velocity: complex, pose: Pose) -> Command:
    """Return a velocity over the ground, m/s, as a command in the axes of the body."""
    velocity *= cmath.rect(1.0, -pose.yaw())
    return (velocity.real, velocity.imag, 0.0)
