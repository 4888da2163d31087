"""The coordinator that follows footholds planned ahead.

Contact by contact, it places legs as early as their feet stay in reach, lifts a leg as soon as the
body is stable without it, and lets the body go along its route as far as the feet on the ground
permit. Beyond a place where a foot has to come down or to lift first, the body goes on as long as
that stays possible.
"""

import cmath
from collections.abc import Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from walking_robots.body.motion import BodyController, BodyMotion, still
from walking_robots.body.stability import stability_margin
from walking_robots.gaits.free.memory import BodyMemory
from walking_robots.gaits.free.rule_engine import Firing
from walking_robots.gaits.gait_step import Command, GaitStep
from walking_robots.gaits.planned.planner import Planner, Route, Standing, level_sections
from walking_robots.gaits.planned.regions import HalfPlanes, Region, reach, support
from walking_robots.gaits.planned.search import Swing
from walking_robots.geometry.plane import Plane
from walking_robots.geometry.pose import Pose, Rates, Vector
from walking_robots.legs.states import Decision, DecisionKind, LegReport, PlanState
from walking_robots.legs.working_volume import WorkingVolume
from walking_robots.robots.model import HexapodModel
from walking_robots.terrain.cells import TernaryTerrain

MARGIN = 1.05
"""Least stability margin, in margins that the leg servo demands for a lift."""

ROOM = 0.004
"""Least distance of feet from the borders of their volumes, in spans of the planner."""

PLANNING = 5
"""Steps from the request of a plan to its use, even if it is ready before."""

RENEW, KEPT = 1.5, 0.6
"""How much of a route is left when the next one is requested, and how far on that one begins, in
spans."""

AGAIN = 0.4
"""How far the body goes at least between two requests, in spans."""

EARLY = 8
"""Swings ahead of which legs are placed."""

SIGHT = 0.8
"""How far ahead the body looks for the end of its way, in spans."""

TURNED = 0.02
"""Change of the direction of a command, rad, that asks for another route."""


class Feet(NamedTuple):
    """The feet of one step, m, by index of leg.

    ``standing`` are on the ground, ``firm`` those of them that are not about to lift; ``coming``
    are on their way down.
    """

    standing: dict[int, complex]
    firm: dict[int, complex]
    coming: dict[int, complex]


class Request(NamedTuple):
    """A plan that is computed: over which ground, and the moves that are carried out before it.

    It is used from the step ``due`` on.
    """

    plan: 'Future[Route | None]'
    terrain: TernaryTerrain
    kept: list[Swing]
    due: int


@dataclass
class PlanMemory:
    """All that the coordinator remembers.

    ``stance`` are the three feet, m, by index of leg, that the route stands on now, ``start`` the
    place of the body, m, where all others may be lifted, ``line`` a point, m, on the line of the
    command, and ``wanted`` its direction. ``requested_at`` is how far ahead, m, the body was at
    the last request.
    """

    body: BodyMemory
    moves: list[Swing] = field(default_factory=list)
    stance: dict[int, complex] = field(default_factory=dict)
    start: complex | None = None
    end: complex = 0.0 + 0.0j
    line: complex = 0.0 + 0.0j
    wanted: complex = 0.0 + 0.0j
    requested_at: float = 0.0
    steps: int = 0
    plans: int = 0
    stop_reason: str = ''

    def lines(self) -> list[str]:
        """Write what is planned."""
        return [f'swings_planned({len(self.moves)})', f'plans({self.plans})']


class PlannedCoordinator:
    """Coordinates legs and body by footholds that are planned over the horizon of a search."""

    def __init__(
        self,
        model: HexapodModel,
        pose: Pose,
        *,
        background: Executor,
        patient: bool = True,
    ) -> None:
        """Begin with a body at rest at ``pose``.

        Plans are computed in the background; a ``patient`` coordinator waits for one that is due,
        so that its walk is reproducible.
        """
        self.model = model
        self.memory = PlanMemory(BodyMemory(Rates(), still(pose)))
        self._controller = BodyController(model)
        self._planner = Planner(model)
        self._sections = level_sections(model, 0.0, ROOM * self._planner.span)
        self._volumes = [WorkingVolume(leg) for leg in model.legs]
        self._background, self._patient = background, patient
        self._requested: Request | None = None
        self._failed: TernaryTerrain | None = None

    def step(
        self, reports: Sequence[LegReport], pose: Pose, command: Command, terrain: TernaryTerrain
    ) -> GaitStep:
        """Decide one step, as `TerrainCoordinator.step` does."""
        memory, body, model = self.memory, self.memory.body, self.model
        feet = _feet(reports, pose)
        here, yaw = complex(*pose.position[:2]), pose.yaw()
        heading = cmath.rect(1.0, yaw)
        velocity = complex(*command[:2]) * heading
        if abs(yaw - self._sections.postures[0].yaw) > TURNED * 0.1:
            self._sections = level_sections(model, yaw, ROOM * self._planner.span)
        memory.stop_reason = self._refusal(command, terrain)
        if memory.stop_reason:
            velocity = 0j
        self._plan_ahead(reports, feet, here, yaw, velocity, terrain)
        self._check_route(terrain, here)
        present = stability_margin(
            [(foot.real, foot.imag) for foot in feet.standing.values()],
            pose.position,
            model.stability,
        )
        wanted = self._velocity(here, feet, abs(velocity)) / heading
        body.plane = Plane((0.0, 0.0, 1.0), -terrain.height(here.real))
        body.outlook = self._controller.outlook(
            BodyMotion(pose, body.rates), (wanted.real, wanted.imag, 0.0), 0, body.plane
        )
        body.rates = body.outlook.present.rates
        decisions = [*self._lift(reports, here, feet), *self._place(reports, feet, terrain)]
        memory.steps += 1
        return self._record(reports, feet, pose, decisions, present.value)

    def _refusal(self, command: Command, terrain: TernaryTerrain) -> str:
        """Say why a command is not followed, or nothing."""
        if command[2]:
            return 'footholds are not planned for turns; send a velocity without one'
        if not terrain.is_level:
            return 'footholds are planned on level ground only'
        return ''

    def _check_route(self, terrain: TernaryTerrain, here: complex) -> None:
        """Drop the route if one of its footholds is forbidden by now."""
        memory = self.memory
        if not all(terrain.permitted(move.foot.real, move.foot.imag) for move in memory.moves):
            memory.moves.clear()
            memory.end, self._requested = here, None

    def _plan_ahead(
        self,
        reports: Sequence[LegReport],
        feet: Feet,
        here: complex,
        yaw: float,
        velocity: complex,
        terrain: TernaryTerrain,
    ) -> None:
        """Take over a route that is due, and request the next one in time."""
        memory = self.memory
        if not velocity:
            return
        wanted = velocity / abs(velocity)
        if abs(wanted - memory.wanted) > TURNED:
            memory.moves.clear()
            memory.stance, memory.wanted, memory.line, memory.end = {}, wanted, here, here
            self._requested = self._failed = None
        if self._requested is not None:
            due = memory.steps >= self._requested.due
            if due and (self._patient or self._requested.plan.done()):
                self._take_over(self._requested)
        elif self._failed != terrain:
            standing = self._next_start(reports, feet, here)
            if standing is not None:
                memory.requested_at = (here * wanted.conjugate()).real
                work = partial(self._planner.plan, terrain, standing, yaw, memory.line, velocity)
                kept = memory.moves[: self._kept(here)]
                self._requested = Request(
                    self._background.submit(work), terrain, kept, memory.steps + PLANNING
                )
        self._explain()

    def _kept(self, here: complex) -> int:
        """Return how many moves of the route are carried out while the next one is planned."""
        memory = self.memory
        enough = ((here * memory.wanted.conjugate()).real) + KEPT * self._planner.span
        for number, move in enumerate(memory.moves, 1):
            if (move.lift_at * memory.wanted.conjugate()).real >= enough:
                return number
        return len(memory.moves)

    def _next_start(
        self, reports: Sequence[LegReport], feet: Feet, here: complex
    ) -> Standing | None:
        """Return where the next route begins, if one is needed now."""
        memory = self.memory
        if not memory.moves:
            settled = feet.standing == feet.firm and not feet.coming
            if settled and memory.body.rates.at_rest:
                return Standing(here, feet.standing, (0.0,) * len(reports))
            return None
        left = ((memory.end - here) * memory.wanted.conjugate()).real
        gone = (here * memory.wanted.conjugate()).real - memory.requested_at
        if left > RENEW * self._planner.span or gone < AGAIN * self._planner.span:
            return None
        stance = dict(memory.stance)
        kept = memory.moves[: self._kept(here)]
        for move in kept:
            stance[move.leg] = move.foot
            del stance[move.lifted]
        last = kept[-1]
        ready = tuple(max(time - last.time, 0.0) for time in last.ready)
        return Standing(last.lift_at, stance, ready)

    def _take_over(self, request: Request) -> None:
        """Go on with the route that was requested, after the moves that were kept for it."""
        memory, kept = self.memory, request.kept
        self._requested = None
        route = request.plan.result()
        memory.plans += 1
        if route is None:
            self._failed = request.terrain
        elif not kept:
            memory.stance, memory.start = dict(route.stance), route.start
            memory.moves, memory.end = list(route.moves), route.end
        elif memory.moves and kept[-1] in memory.moves:
            memory.moves[memory.moves.index(kept[-1]) + 1 :] = route.moves
            memory.end = route.end

    def _explain(self) -> None:
        """Say why the body rests."""
        memory = self.memory
        if not memory.moves and self._requested is not None:
            memory.stop_reason = 'footholds are being planned'
        elif not memory.moves and self._failed is not None:
            memory.stop_reason = 'no way over the ground ahead was found'

    def _reach(self, leg: int, foot: complex) -> HalfPlanes:
        return reach(self._sections, 0, leg, foot)

    def _support(self, feet: dict[int, complex]) -> HalfPlanes:
        return support(feet.values(), MARGIN * self.model.stability.lift)

    def _way(self, feet: Feet) -> list[tuple[complex, HalfPlanes]]:
        """Return the places that the body has to come to, and what has to hold from there on."""
        memory = self.memory
        way = []
        stance = dict(memory.stance)
        if memory.start is not None and self._spare(feet):
            way.append((memory.start, self._support(stance)))
        for move in memory.moves:
            if feet.firm.get(move.leg) != move.foot:
                way.append((move.put_at, self._reach(move.leg, move.foot)))
            stance[move.leg] = move.foot
            del stance[move.lifted]
            way.append((move.lift_at, self._support(stance)))
        return way

    def _velocity(self, here: complex, feet: Feet, speed: float) -> complex:
        """Return the velocity, m/s, by which the body goes as far as the feet permit."""
        memory, model = self.memory, self.model
        region = Region()
        for leg, foot in (feet.standing | feet.coming).items():
            region.add(self._reach(leg, foot))
        region.add(self._support(feet.firm))
        way = self._way(feet)
        # Clearly inside, so that the body does not swing to and fro at a border.
        inside = ROOM * self._planner.span
        while way and Region(way[0][1]).room(here) >= inside:
            region.add(way.pop(0)[1])
        points, room = [here], 0.0
        for at, then in [*way, (memory.end, None)]:
            start, length = points[-1], abs(at - points[-1])
            free = region.way(start, at)
            room += free
            points.append(start + (at - start) * (free / length) if length else at)
            if free < length - 1e-9 or room > SIGHT * self._planner.span or then is None:
                break
            region.add(then)
        lag = model.velocity.time_constant
        direction = _direction(points, max(lag * speed, 0.05 * self._planner.span))
        velocity = complex(memory.body.rates.vx, memory.body.rates.vy)
        left = room - lag * max((velocity * direction.conjugate()).real, 0.0)
        if left <= inside:
            return 0j
        slow = 6.0 * model.velocity.dead_zone
        return direction * min(speed, max(slow, left / (1.3 * lag)))

    def _spare(self, feet: Feet) -> list[int]:
        """Return the legs that stand and that the route does not use where they are."""
        used = {move.leg: move.foot for move in reversed(self.memory.moves)}
        return [
            leg
            for leg, foot in feet.firm.items()
            if leg not in self.memory.stance and used.get(leg) != foot
        ]

    def _lift(self, reports: Sequence[LegReport], here: complex, feet: Feet) -> list[Decision]:
        """Lift a leg that the route does not need, or the leg of the first move."""
        memory = self.memory
        spare = self._spare(feet) if memory.stance else []
        first = memory.moves[0] if memory.moves else None
        if first is not None and feet.firm.get(first.leg) == first.foot:
            spare.append(first.lifted)
        outlook = memory.body.outlook
        soon = [
            complex(*motion.pose.position[:2]) for motion in (outlook.present, outlook.foothold)
        ]
        for leg in spare:
            others = {other: foot for other, foot in feet.firm.items() if other != leg}
            if (
                reports[leg].liftable
                and min(Region(self._support(others)).room(place) for place in (here, *soon))
                >= 0.0
            ):
                del feet.firm[leg]
                if first is not None and leg == first.lifted:
                    memory.moves.pop(0)
                    memory.stance[first.leg] = first.foot
                    del memory.stance[leg]
                return [Decision(DecisionKind.LIFT, leg + 1, reason='planned_lift')]
        return []

    def _place(
        self, reports: Sequence[LegReport], feet: Feet, terrain: TernaryTerrain
    ) -> list[Decision]:
        """Place the legs of the next moves whose feet are in reach from now to their move."""
        memory, outlook = self.memory, self.memory.body.outlook
        way = [complex(*motion.pose.position[:2]) for motion in (outlook.foothold, outlook.plan)]
        taken = [*feet.standing.values(), *feet.coming.values()]
        busy: set[int] = set()
        decisions = []
        for move in memory.moves[:EARLY]:
            way.append(move.put_at)
            free = all(abs(move.foot - foot) > 0.5 * self.model.cell for foot in taken)
            if free and move.leg not in busy and reports[move.leg].placeable:
                region = Region(self._reach(move.leg, move.foot))
                if all(region.room(place) >= 0.0 for place in way):
                    point = (move.foot.real, move.foot.imag, terrain.height(move.foot.real))
                    decisions.append(
                        Decision(DecisionKind.PLACE, move.leg + 1, 0, point, 'planned_place')
                    )
            taken.append(move.foot)
            way.append(move.lift_at)
            busy |= {move.leg, move.lifted}
        return decisions

    def _record(
        self,
        reports: Sequence[LegReport],
        feet: Feet,
        pose: Pose,
        decisions: Sequence[Decision],
        margin: float,
    ) -> GaitStep:
        """Write down what was decided, and why."""
        memory, limits = self.memory, self.model.kinematic_margin
        outlook = memory.body.outlook
        planned = stability_margin(
            [(foot.real, foot.imag) for foot in feet.firm.values()],
            outlook.plan.pose.position,
            self.model.stability,
        )
        footholds: list[Vector | None] = [report.foothold for report in reports]
        for decision in decisions:
            if decision.foothold is not None:
                footholds[decision.leg - 1] = decision.foothold
        return GaitStep(
            decisions=tuple(decisions),
            motion=outlook.present,
            mode='planned',
            cycle=0,
            state='',
            fired=tuple(
                Firing(
                    decision.reason, SENTENCES[decision.reason].format(decision.leg), decision.leg
                )
                for decision in decisions
            ),
            stop_reason=memory.stop_reason,
            deceleration=0,
            margin=margin,
            planned_margin=planned.value,
            kinematic_margins=tuple(
                self._volumes[leg].kinematic_margin(
                    pose.to_body(reports[leg].foothold or pose.apply(reports[leg].foot)),
                    memory.body.rates,
                    limits,
                )
                if leg in feet.standing
                else None
                for leg in range(len(reports))
            ),
            footholds=tuple(footholds),
            support=tuple(sorted(leg + 1 for leg in feet.standing)),
            planned_support=tuple(sorted(leg + 1 for leg in feet.firm)),
        )


SENTENCES = {
    'planned_place': 'leg {} goes to its planned foothold',
    'planned_lift': 'leg {} lifts: the plan goes on without it',
}
"""Why a leg is placed or lifted."""


def _feet(reports: Sequence[LegReport], pose: Pose) -> Feet:
    """Sort the legs by what they do."""
    standing, firm, coming = {}, {}, {}
    for report in reports:
        leg = report.number - 1
        if report.control.carries:
            standing[leg] = complex(*(report.foothold or pose.apply(report.foot))[:2])
            if report.plan.carries:
                firm[leg] = standing[leg]
        elif report.plan is PlanState.PLANNED_CONTACT and report.foothold is not None:
            coming[leg] = complex(*report.foothold[:2])
    return Feet(standing, firm, coming)


def _direction(points: Sequence[complex], distance: float) -> complex:
    """Return the direction from the first of some points to one so far, m, along them."""
    target = points[-1]
    for one, other in pairwise(points):
        length = abs(other - one)
        if length >= distance:
            target = one + (other - one) * (distance / length)
            break
        distance -= length
    way = target - points[0]
    return way / abs(way) if abs(way) > 1e-9 else 0j
