"""The body and the legs along a route of planned footholds.

Contact by contact, legs are placed as early as their feet stay in reach, a leg is lifted as soon
as the body is stable without it, and the body goes along its route as far as the feet on the
ground permit. Beyond a place where a foot has to come down or to lift first, the body goes on as
long as that stays possible.
"""

import cmath
import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple, Self

import numpy as np

from walking_robots.body.motion import BodyController, BodyMotion
from walking_robots.body.regulators import PostureTarget, commanded_posture
from walking_robots.body.stability import stability_margin
from walking_robots.gaits.free.memory import BodyMemory
from walking_robots.gaits.free.rule_engine import Firing
from walking_robots.gaits.gait_step import GaitStep, PlannedSwing
from walking_robots.gaits.planned.feet import Feet, feet_of
from walking_robots.gaits.planned.planner import Route, Standing, level_sections
from walking_robots.gaits.planned.posed import is_posture, posture_over, usual_posture
from walking_robots.gaits.planned.regions import HalfPlanes, Region, reach, support
from walking_robots.gaits.planned.search import Swing, SwingTimes
from walking_robots.gaits.planned.sections import BodyPosture, Sections
from walking_robots.geometry.plane import Plane
from walking_robots.geometry.pose import Pose, Vector
from walking_robots.legs.clearance import clear_heights
from walking_robots.legs.states import Decision, DecisionKind, LegReport
from walking_robots.legs.working_volume import WorkingVolume
from walking_robots.robots.model import HexapodModel
from walking_robots.terrain.cells import TernaryTerrain

MARGIN = 0.0019
"""Least stability margin beyond the one that the leg servo demands for a lift, in spans."""

ROOM = 0.004
"""Least distance of feet from the borders of their volumes, in spans of the planner."""

EARLY = 8
"""Swings ahead of which legs are placed."""

SLACK = 0.6
"""Time, s, by which a leg lifts before its next swing, or the body, would have to wait for it."""

SIGHT = 0.8
"""How far ahead the body looks for the end of its way, in spans."""

KEPT = 0.002
"""Change of posture, rad and m, after which the sections of the working volumes are cut anew."""

ROUNDING = 1e-6
"""Error of a posture, rad and m, by rounding."""

SENTENCES = {
    'planned_place': 'leg {} goes to its planned foothold',
    'planned_lift': 'leg {} lifts: the plan goes on without it',
}
"""Why a leg is placed or lifted."""


class Waypoint(NamedTuple):
    """A place, m, that the body has to come to, and the area that it keeps to from there on.

    ``left`` counts the contacts and lifts of the route from there on.
    """

    left: int
    place: complex
    area: HalfPlanes


@dataclass
class RouteMemory:
    """The rest of a route: swings, and where the body, m, is in the end.

    ``stance`` are the three feet, m, by index of leg, that it stands on now, and ``start`` is a
    place of the body, m, where all others may be lifted. ``placed`` are the legs that were put
    down for swings to come. Without a ``posture`` the body keeps its usual one. ``later`` are the
    routes that follow in other postures.
    """

    moves: list[Swing] = field(default_factory=list)
    stance: dict[int, complex] = field(default_factory=dict)
    start: complex | None = None
    placed: set[int] = field(default_factory=set)
    end: complex = 0.0 + 0.0j
    posture: BodyPosture | None = None
    later: tuple[Route, ...] = ()


class RouteFollower:
    """Follows a route; ``route`` and ``body`` are all that it remembers."""

    def __init__(self, model: HexapodModel, span: float, body: BodyMemory) -> None:
        """Begin without a route; ``span``, m, is that of the planner."""
        self.model, self.span, self.body = model, span, body
        self.route = RouteMemory()
        self._controller = BodyController(model)
        self._times = SwingTimes.of(model.timing)
        self._sections = level_sections(model, 0.0, ROOM * span)
        self._shown: tuple[list[Swing], tuple[PlannedSwing, ...]] = ([], ())
        self._volumes = [WorkingVolume(leg) for leg in model.legs]

    def copy(self) -> Self:
        """Return a follower that goes on from here by itself."""
        found = copy.copy(self)
        found.route, found.body = copy.deepcopy(self.route), copy.deepcopy(self.body)
        return found

    def begin(self, route: Route, *later: Route) -> None:
        """Follow another route, and others after it."""
        self.route = RouteMemory(
            list(route.moves),
            dict(route.stance),
            route.start,
            set(),
            route.end,
            route.posture,
            later,
        )

    def go_on(self, last: Swing, moves: Sequence[Swing], end: complex) -> None:
        """Follow other swings, to where the body, m, ends, after one of those of the route."""
        ours = self.route.moves
        if last in ours:
            ours[ours.index(last) + 1 :] = moves
            self.route.end = end

    def drop(self, here: complex) -> None:
        """Forget the route; the body, m, rests in its posture."""
        self.route = RouteMemory(end=here, posture=self.route.posture)

    @property
    def moves(self) -> list[Swing]:
        """Return the swings of the route and of those after it."""
        return [*self.route.moves, *(move for route in self.route.later for move in route.moves)]

    def is_in_posture(self, pose: Pose, terrain: TernaryTerrain) -> bool:
        """Return whether the body has the posture of the route."""
        posture = posture_over(pose, terrain)
        wanted = self.route.posture or usual_posture(self.model, posture.yaw)
        return is_posture(posture, wanted, self.span)

    def standing_after(self, moves: Sequence[Swing]) -> Standing:
        """Return the robot as it is when the first swings of the route have been carried out."""
        stance = dict(self.route.stance)
        for move in moves:
            move.carry_out(stance)
        last = moves[-1]
        ready = tuple(max(time - last.time, 0.0) for time in last.ready)
        return Standing(last.lift_at, stance, ready)

    def swings(self, pose: Pose, terrain: TernaryTerrain) -> tuple[PlannedSwing, ...]:
        """Return the swings of the rest of the route, for a body at this height."""
        moves = self.moves
        if moves == self._shown[0]:
            return self._shown[1]
        stance, found = dict(self.route.stance), []
        for move in moves:
            move.carry_out(stance)
            body = (move.lift_at.real, move.lift_at.imag, pose.position[2])
            margin = stability_margin(
                [(foot.real, foot.imag) for foot in stance.values()], body, self.model.stability
            ).value
            found.append(PlannedSwing(move.leg + 1, _on(terrain, move.foot), body, margin))
        self._shown = moves, tuple(found)
        return self._shown[1]

    def step(
        self,
        reports: Sequence[LegReport],
        pose: Pose,
        speed: float,
        terrain: TernaryTerrain,
    ) -> GaitStep:
        """Decide one step along the route at a speed, m/s."""
        body, feet = self.body, feet_of(reports, pose)
        here = complex(*pose.position[:2])
        posture = posture_over(pose, terrain)
        usual = usual_posture(self.model, posture.yaw)
        posture = usual if np.allclose(posture, usual, rtol=0.0, atol=ROUNDING) else posture
        if np.abs(np.subtract(posture, self._sections.postures[0])).max() > KEPT:
            self._sections = Sections(self.model, (posture,), ROOM * self.span)
        settled = self.is_in_posture(pose, terrain)
        if settled and self._may_change(feet, here):
            self.begin(*self.route.later)
            settled = False
        speed = speed if settled else 0.0
        present = stability_margin(
            [(foot.real, foot.imag) for foot in feet.standing.values()],
            pose.position,
            self.model.stability,
        )
        waypoints, region = self._waypoints(feet), Region(self._support(feet.firm))
        for leg, foot in (feet.standing | feet.coming).items():
            region.add(self._reach(leg, foot))
        # Clearly inside, so that the body does not swing to and fro at a border.
        while waypoints and Region(waypoints[0].area).room(here) >= ROOM * self.span:
            region.add(waypoints.pop(0).area)
        velocity = self._velocity(pose, region, waypoints, speed)
        vx, vy, _ = pose.rotate_to_body(_vector(velocity))
        wanted = (self._started(vx, body.rates.vx), self._started(vy, body.rates.vy), 0.0)
        body.plane = Plane((0.0, 0.0, 1.0), -terrain.height(here.real, here.imag))
        body.outlook = self._controller.outlook(
            BodyMotion(pose, body.rates), wanted, 0, body.plane, self._commanded(body.plane)
        )
        body.rates = body.outlook.present.rates
        decisions = []
        if settled:
            decisions += self._place(reports, feet, waypoints, terrain)
            decisions += self._lift(reports, feet, here, waypoints, speed)
        return self._record(reports, feet, pose, decisions, present.value, terrain)

    def _may_change(self, feet: Feet, here: complex) -> bool:
        """Return whether the body rests where all feet are in reach in the next posture, too."""
        route, room = self.route, ROOM * self.span
        if route.moves or not route.later or not feet.settled or not self.body.rates.at_rest:
            return False
        yaw = self._sections.postures[0].yaw
        posture = route.later[0].posture or usual_posture(self.model, yaw)
        sections = Sections(self.model, (posture,), room)
        region = Region(*(reach(sections, 0, leg, foot) for leg, foot in feet.standing.items()))
        return region.room(here) >= 0.0

    def _commanded(self, plane: Plane) -> PostureTarget | None:
        return commanded_posture(plane, *self.route.posture) if self.route.posture else None

    def _reach(self, leg: int, foot: complex) -> HalfPlanes:
        return reach(self._sections, 0, leg, foot)

    def _support(self, feet: dict[int, complex]) -> HalfPlanes:
        return support(feet.values(), self.model.stability.lift + MARGIN * self.span)

    def _waypoints(self, feet: Feet) -> list[Waypoint]:
        """Return the places for the contacts and lifts of the route that are to come."""
        route, waypoints = self.route, []
        stance, left = dict(route.stance), 2 * len(route.moves)
        if route.start is not None and self._spare(feet):
            waypoints.append(Waypoint(left + 1, route.start, self._support(self._used(feet))))
        for move in route.moves:
            if feet.firm.get(move.leg) != move.foot:
                waypoints.append(Waypoint(left, move.put_at, self._reach(move.leg, move.foot)))
            move.carry_out(stance)
            waypoints.append(Waypoint(left - 1, move.lift_at, self._support(stance)))
            left -= 2
        return waypoints

    def _velocity(
        self, pose: Pose, region: Region, waypoints: Sequence[Waypoint], speed: float
    ) -> complex:
        """Return the velocity, m/s, by which the body goes as far as the feet permit."""
        model, rates = self.model, self.body.rates
        here = complex(*pose.position[:2])
        lag, inside = model.velocity.time_constant, ROOM * self.span
        velocity = complex(rates.vx, rates.vy) * cmath.rect(1.0, pose.yaw())
        # Where the body comes to rest, if nothing is commanded.
        leaves = region.room(here + lag * velocity) < min(region.room(here), 0.0) - ROUNDING
        points, room = [here], 0.0
        for at, then in [
            *((waypoint.place, waypoint.area) for waypoint in waypoints),
            (self.route.end, None),
        ]:
            start, length = points[-1], abs(at - points[-1])
            free = region.way(start, at)
            room += free
            points.append(start + (at - start) * (free / length) if length else at)
            if free < length - 1e-9 or room > SIGHT * self.span or then is None:
                break
            region.add(then)
        target = _beginning(points, max(lag * speed, 0.05 * self.span))[-1]
        if waypoints and Region(waypoints[0].area).room(target) < inside:
            target = points[1]
        direction = (target - here) / max(abs(target - here), 1e-9)
        left = room - lag * max((velocity * direction.conjugate()).real, 0.0)
        if left <= inside or leaves:
            return 0j
        slow = 6.0 * model.velocity.dead_zone
        return direction * min(speed, max(slow, left / (2.0 * model.timing.dt)))

    def _started(self, speed: float, now: float) -> float:
        """Return a speed, m/s, that the dead zone does not swallow when a body starts."""
        limits = self.model.velocity
        least = 1.01 * limits.dead_zone * limits.time_constant / self.model.timing.dt
        starts = now == 0.0 and limits.dead_zone <= abs(speed) < least
        return math.copysign(least, speed) if starts else speed

    def _spare(self, feet: Feet) -> list[int]:
        """Return the legs that stand and that the route, if there is one, does not use there."""
        if not self.route.stance:
            return []
        coming = {move.leg: move.foot for move in reversed(self.route.moves)}
        return [
            leg
            for leg, foot in feet.firm.items()
            if leg not in self.route.stance
            and not (leg in self.route.placed and coming.get(leg) == foot)
        ]

    def _used(self, feet: Feet) -> dict[int, complex]:
        """Return the feet that stand and that the route uses where they are."""
        spare = self._spare(feet)
        return {leg: foot for leg, foot in feet.firm.items() if leg not in spare}

    def _place(
        self,
        reports: Sequence[LegReport],
        feet: Feet,
        waypoints: Sequence[Waypoint],
        terrain: TernaryTerrain,
    ) -> list[Decision]:
        """Place the legs of the next moves whose feet are in reach from now to their move."""
        outlook = self.body.outlook
        soon = [complex(*motion.pose.position[:2]) for motion in (outlook.foothold, outlook.plan)]
        taken = [*feet.standing.values(), *feet.coming.values()]
        busy: set[int] = set()
        decisions = []
        for number, move in enumerate(self.route.moves[:EARLY]):
            free = all(abs(move.foot - foot) > 0.5 * self.model.cell for foot in taken)
            if free and move.leg not in busy and reports[move.leg].placeable:
                region = Region(self._reach(move.leg, move.foot))
                left = 2 * (len(self.route.moves) - number)
                way = [waypoint.place for waypoint in waypoints if waypoint.left >= left]
                if all(region.room(place) >= 0.0 for place in (*soon, *way)):
                    point = _on(terrain, move.foot)
                    self.route.placed.add(move.leg)
                    decisions.append(
                        Decision(DecisionKind.PLACE, move.leg + 1, 0, point, 'planned_place')
                    )
            taken.append(move.foot)
            busy |= {move.leg, move.lifted}
        return decisions

    def _lift(
        self,
        reports: Sequence[LegReport],
        feet: Feet,
        here: complex,
        waypoints: Sequence[Waypoint],
        speed: float,
    ) -> list[Decision]:
        """Go on to the next swing, and lift a leg that the route does not use, as late as it may.

        A foot that stays on the ground until then makes the body more stable and costs no time.
        """
        route, outlook = self.route, self.body.outlook
        soon = [
            complex(*motion.pose.position[:2]) for motion in (outlook.present, outlook.foothold)
        ]
        while route.moves and feet.firm.get(route.moves[0].leg) == route.moves[0].foot:
            after = self._used(feet)
            after.pop(route.moves[0].lifted, None)
            if not self._is_stable(after, here, *soon):
                break
            move = route.moves.pop(0)
            move.carry_out(route.stance)
            route.placed.discard(move.leg)
            route.start = move.lift_at
        for leg in self._spare(feet):
            others = {other: foot for other, foot in feet.firm.items() if other != leg}
            if (
                reports[leg].liftable
                and self._is_due(leg, feet.firm[leg], here, waypoints, speed)
                and self._is_stable(others, here, *soon)
            ):
                del feet.firm[leg]
                return [Decision(DecisionKind.LIFT, leg + 1, reason='planned_lift')]
        return []

    def _is_stable(self, feet: dict[int, complex], *places: complex) -> bool:
        region = Region(self._support(feet))
        return all(region.room(place) >= 0.0 for place in places)

    def _is_due(
        self, leg: int, foot: complex, here: complex, waypoints: Sequence[Waypoint], speed: float
    ) -> bool:
        """Return whether a leg has to lift now, lest its next swing or the body wait for it."""
        route, times = self.route, self._times
        if route.later and not route.moves:
            return True
        moves = len(route.moves)
        uses = (
            2 * (moves - number)
            for number, move in enumerate(route.moves)
            if move.leg == leg or abs(move.foot - foot) <= 0.5 * self.model.cell
        )
        use = next(uses, 0)
        way = [here, *(waypoint.place for waypoint in waypoints if waypoint.left >= use)]
        length = sum(abs(other - one) for one, other in pairwise(way))
        if use and length < (times.lift + times.place + SLACK) * speed:
            return True
        near = _beginning([*way, route.end], (times.lift + SLACK) * speed)
        region = Region(self._reach(leg, foot))
        return any(region.room(place) < 0.0 for place in near)

    def _record(
        self,
        reports: Sequence[LegReport],
        feet: Feet,
        pose: Pose,
        decisions: Sequence[Decision],
        margin: float,
        terrain: TernaryTerrain,
    ) -> GaitStep:
        """Write down what was decided, and why."""
        limits, outlook = self.model.kinematic_margin, self.body.outlook
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
            stop_reason='',
            deceleration=0,
            margin=margin,
            planned_margin=planned.value,
            kinematic_margins=tuple(
                self._volumes[leg].kinematic_margin(
                    pose.to_body(reports[leg].foothold or pose.apply(reports[leg].foot)),
                    self.body.rates,
                    limits,
                )
                if leg in feet.standing
                else None
                for leg in range(len(reports))
            ),
            footholds=tuple(footholds),
            support=tuple(sorted(leg + 1 for leg in feet.standing)),
            planned_support=tuple(sorted(leg + 1 for leg in feet.firm)),
            clear_heights=clear_heights(
                self.model,
                reports,
                *self.body.outlook.present,
                decisions,
                terrain,
            ),
        )


def _beginning(way: Sequence[complex], length: float) -> list[complex]:
    """Return a way through some points, m, up to a length, m, or all of it."""
    points = [way[0]]
    for one, other in pairwise(way):
        step = abs(other - one)
        if step > length:
            return [*points, one + (other - one) * (length / step)]
        length -= step
        points.append(other)
    return points


def _on(terrain: TernaryTerrain, place: complex) -> Vector:
    """Return the point of the terrain at a place, m."""
    return (place.real, place.imag, terrain.height(place.real, place.imag))


def _vector(velocity: complex) -> Vector:
    return velocity.real, velocity.imag, 0.0
