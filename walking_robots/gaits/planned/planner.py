"""Plan footholds over the ground ahead: searches from the fast one to the thorough one."""

import cmath
import itertools
import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from walking_robots.gaits.planned.crossing import StanceSearch, gap_ahead, wide_gaps
from walking_robots.gaits.planned.search import (
    Aim,
    Swing,
    SwingTimes,
    WalkBeam,
    follow,
    search,
    walk_at,
)
from walking_robots.gaits.planned.sections import STRICT, BodyPosture, Sections
from walking_robots.gaits.planned.stances import (
    IN_THE_AIR,
    STANDING,
    Ground,
    StanceGraph,
    Stances,
    feet_at,
    ground_of,
    thinned,
)
from walking_robots.geometry.polygons import dot, furthest, intersect, nearest
from walking_robots.geometry.pose import Pose
from walking_robots.robots.model import HexapodModel
from walking_robots.terrain.cells import TernaryTerrain

HORIZON = 3.2
"""How far a plan goes ahead, in spans."""


class Rung(NamedTuple):
    """One search: how many walks it keeps, and what it allows.

    ``lane``: how far the body may go aside, in spans. ``margin``: stability margin beyond the one
    that the leg servo demands for a lift, in spans. ``room``: distance of feet from the borders of
    their volumes, in spans. ``sample``: seed of a random sample of the ground where many cells are
    permitted. ``thorough``: all stances are looked at for some way first, over sparse ground to
    its end; the walks keep to its cells, and without one the way itself is taken.
    """

    width: int
    lane: float
    margin: float
    room: float
    sample: int
    thorough: bool


LADDER = (
    Rung(40, 0.4, 0.019, 0.02, 1, thorough=False),
    Rung(64, math.inf, 0.0095, 0.01, 1, thorough=True),
    Rung(64, math.inf, 0.0046, 0.006, 2, thorough=True),
)
"""Searches in their order; the first that finds a plan is enough."""

WIDE = 1.0
"""Width of a gap of the ground over which no plan ends, in spans."""

CLEAR = 1.0
"""How far the body comes by a plan beyond where all feet are over such a gap, in spans."""

SPARSE = 0.07
"""Share of permitted cells below which a search in a sample leads into dead ends."""

MOST_STANCES = 1500
"""Stances to look at for a way."""

OBLIQUE = tuple(math.radians(3.0 * k) for k in range(16))
"""Turns of the body away from its way, rad, among which the best is looked for."""

ASIDE = 1.5
"""How far from its usual place a foot may stand, in cells."""

LIFTS_APART = 0.2
"""Time, s, between the lifts of feet that a plan does not need."""


class Standing(NamedTuple):
    """A robot from which a plan goes on: body, m, the feet that stand, m, by index of leg.

    ``ready``: time, s, until each leg that stands may be lifted and each other one be placed.
    """

    body: complex
    feet: Mapping[int, complex]
    ready: tuple[float, ...]


class Route(NamedTuple):
    """A plan: the three feet that it starts on, and where, m; its swings; the body in the end.

    Without a ``posture`` the body keeps its usual one.
    """

    stance: dict[int, complex]
    start: complex
    moves: tuple[Swing, ...]
    end: complex
    time: float
    posture: BodyPosture | None = None


def level_sections(model: HexapodModel, yaw: float, room: float = STRICT) -> Sections:
    """Return the sections of a level body at a yaw, rad; feet stay ``room`` m inside."""
    return Sections(model, (BodyPosture(yaw, 0.0, model.start_position[2]),), room)


class Planner:
    """Plans for a robot with a level body; it holds no state."""

    def __init__(
        self,
        model: HexapodModel,
        horizon: Callable[[], float] = lambda: 0.0,
        given_up: Callable[[], bool] = lambda: False,
    ) -> None:
        """Prepare for a robot.

        ``horizon`` gives how far plans go, m, or 0 for the usual horizon. A plan that is
        ``given_up`` meanwhile is None.
        """
        self.model, self.given_up = model, given_up
        self._horizon = horizon
        self.span = level_sections(model, 0.0).span()
        self.times = SwingTimes.of(model.timing)

    @property
    def usual_horizon(self) -> float:
        """Return how far a plan goes, m."""
        return HORIZON * self.span

    def plan(
        self,
        terrain: TernaryTerrain,
        standing: Standing,
        yaw: float,
        line: complex,
        velocity: complex,
        place: complex | None = None,
    ) -> Route | None:
        """Return a route along a velocity, m/s, at a yaw, rad; None if none was found.

        ``line`` is a point, m, on the line that the body keeps near; the route ends at a ``place``
        of the body, m, that is within the horizon.
        """
        ground = ground_of(terrain, list(standing.feet.values()))
        ahead = velocity / abs(velocity)
        way = self._way(ground, standing.body, yaw, ahead)
        left = math.inf if place is None else ((place - standing.body) * ahead.conjugate()).real
        if left > way:
            place = None
            if way <= 0.1 * self.span:
                return None
        sections = level_sections(self.model, yaw)
        here = (standing.body * ahead.conjugate()).real
        goal = here + min(way, left)
        if left > way:
            goal = self._beside_ditches(ground, sections, here, ahead, goal)
        if gap_ahead(sections, ground, standing.feet.values(), ahead, goal):
            return None
        aim = Aim(ahead, goal, abs(velocity), place)
        sparse = ground.permitted.mean() < SPARSE
        far = goal
        if sparse and place is None:
            far = max(goal, self._end(ground, yaw, ahead) - self.span)
        for rung in [rung for rung in LADDER if rung.thorough] if sparse else LADDER:
            sections = level_sections(self.model, yaw, rung.room * self.span)
            cells = thinned(ground, self.span, rung.sample)
            if rung.thorough:
                route = self._search_all(rung, sections, cells, standing, line, aim, far)
            else:
                route = self._search(rung, sections, cells, standing, line, aim)
            if route is not None:
                return route
        return None

    def _search_all(
        self,
        rung: Rung,
        sections: Sections,
        ground: Ground,
        standing: Standing,
        line: complex,
        aim: Aim,
        far: float,
    ) -> Route | None:
        """Return a route on the cells of one way to an end, m, that is beyond the goal.

        The way is found by a look at all stances.
        """
        graph = StanceGraph(sections, ground, self._margin(rung))
        start = self.starts(graph, standing, aim.speed)
        search = StanceSearch(graph, start.stances, aim.ahead, far)
        arrived = search.run(MOST_STANCES, self.given_up)
        end = min(search.furthest, far)
        if end < aim.goal or not (arrived or search.exhausted):
            return None
        way = search.path()
        kept = np.zeros(len(ground.permitted) + len(standing.feet), bool)
        for stance in way:
            kept[stance.feet[stance.feet != IN_THE_AIR]] = True
        cells = ground._replace(permitted=ground.permitted & kept[: len(ground.permitted)])
        route = self._search(rung, sections, cells, standing, line, aim._replace(goal=end))
        if route is None and aim.place is None:
            walk = walk_at(start, way[0])
            moves, after, places = follow(graph, walk, way, aim, self.times)
            route = Route(
                feet_at(graph, way[0]),
                complex(walk.body[0]),
                moves,
                complex(furthest(places, np.array([aim.ahead]))[0]),
                float(after.time[0]),
            )
        return route

    def _margin(self, rung: Rung) -> float:
        return self.model.stability.lift + rung.margin * self.span

    def _beside_ditches(
        self, ground: Ground, sections: Sections, here: float, ahead: complex, goal: float
    ) -> float:
        """Return how far to go, m, so that a plan does not end with feet on both sides of a ditch.

        Such a plan may have come to a stance out of which no foot gets over.
        """
        along = dot(sections.corners, np.array([ahead]))
        front, rear = float(np.nanmax(along)), -float(np.nanmin(along))
        end = self._end(ground, sections.postures[0].yaw, ahead)
        for near, far in wide_gaps(ground, ahead, WIDE * self.span):
            before, beyond = near - front, max(far, near + rear) + CLEAR * self.span
            beyond = min(beyond, end)
            if before < goal < beyond and far > here:
                goal = before if before - here > self.span else beyond
        return goal

    def way(self, terrain: TernaryTerrain, body: complex, yaw: float, velocity: complex) -> float:
        """Return how far ahead of a body, m, plans and forecasts go."""
        return self._way(ground_of(terrain, []), body, yaw, velocity / abs(velocity))

    def oblique(self, heading: float, velocity: complex) -> tuple[float, ...]:
        """Return yaws, rad, other than a heading, at which legs reach farther along a velocity."""
        corners = level_sections(self.model, 0.0).corners
        ahead = velocity * cmath.rect(1.0, -heading)
        reach = [
            float(np.nanmax(dot(corners, np.array([ahead * cmath.rect(1.0, -turn)]))))
            for turn in OBLIQUE
        ]
        best = OBLIQUE[int(np.argmax(reach))]
        return tuple(heading + share * best for share in (0.75, -0.75, 1.0, -1.0)) if best else ()

    def is_spanned(
        self, terrain: TernaryTerrain, pose: Pose, yaw: float, velocity: complex
    ) -> bool:
        """Return whether legs span all gaps of the ground ahead at another yaw, rad."""
        ground, body = ground_of(terrain, []), complex(*pose.position[:2])
        ahead = velocity / abs(velocity)
        goal = (body * ahead.conjugate()).real + self._way(ground, body, yaw, ahead)
        sections = level_sections(self.model, yaw)
        return not gap_ahead(sections, ground, self.usual_feet(body, yaw), ahead, goal)

    def usual_stance(self, terrain: TernaryTerrain, body: complex, yaw: float) -> Standing | None:
        """Return a robot that stands as at its start, on permitted cells; None without those."""
        cells = ground_of(terrain, [])
        permitted = cells.centres[: len(cells.permitted)][cells.permitted]
        feet = {}
        for leg, foot in enumerate(self.usual_feet(body, yaw)):
            near = permitted[np.argmin(np.abs(permitted - foot))] if len(permitted) else np.inf
            if abs(near - foot) > ASIDE * terrain.cell:
                return None
            feet[leg] = complex(near)
        return Standing(body, feet, (0.0,) * len(feet))

    def usual_feet(self, body: complex, yaw: float) -> list[complex]:
        """Return where the feet of a body at a yaw, rad, are as at its start, m."""
        turn = cmath.rect(1.0, yaw)
        return [body + complex(*leg.start_foot[:2]) * turn for leg in self.model.legs]

    def _way(self, ground: Ground, body: complex, yaw: float, ahead: complex) -> float:
        here = (body * ahead.conjugate()).real
        return min(self._horizon() or self.usual_horizon, self._end(ground, yaw, ahead) - here)

    def _end(self, ground: Ground, yaw: float, ahead: complex) -> float:
        """Return how far the body can go, m, until its feet, as at the start, leave the ground."""
        start = np.array([complex(*leg.start_foot[:2]) for leg in self.model.legs])
        front = float(dot(start * cmath.rect(1.0, yaw), np.array([ahead])).max())
        cells = ground.centres[: len(ground.permitted)][ground.permitted]
        return float(dot(cells, np.array([ahead])).max(initial=-np.inf)) - front

    def _search(
        self,
        rung: Rung,
        sections: Sections,
        ground: Ground,
        standing: Standing,
        line: complex,
        aim: Aim,
    ) -> Route | None:
        side = 1j * aim.ahead
        middle = (line * side.conjugate()).real
        # A body that has come aside has to get back.
        width = rung.lane * self.span + abs((standing.body * side.conjugate()).real - middle)
        lane = [(side, width + middle), (-side, width - middle)] if math.isfinite(width) else []
        graph = StanceGraph(sections, ground, self._margin(rung), lane)
        beam = self.starts(graph, standing, aim.speed)
        if not len(beam.time):
            return None
        plan = search(graph, beam, aim, self.times, rung.width, self.given_up)
        if plan is None:
            return None
        feet = beam.stances.feet[plan.start].tolist()
        return Route(
            {leg: standing.feet[leg] for leg, cell in enumerate(feet) if cell != IN_THE_AIR},
            complex(beam.body[plan.start]),
            plan.moves,
            plan.end,
            plan.time,
        )

    def starts(
        self, graph: StanceGraph, standing: Standing, speed: float, posture: int = 0
    ) -> WalkBeam:
        """Return the stances in a posture on three of the feet that stand, the others lifted."""
        legs = list(standing.feet)
        first = len(graph.ground.permitted)
        feet = np.array(
            [
                [first + legs.index(leg) if leg in three else IN_THE_AIR for leg in range(6)]
                for three in itertools.combinations(legs, STANDING)
            ],
            np.int32,
        ).reshape(-1, 6)
        stances = Stances(np.full(len(feet), posture), feet)
        rows, places = graph.reach(stances)
        planes = [
            graph.sections.bodies(
                stances.posture[rows], np.full(len(rows), leg), np.full(len(rows), foot)
            )
            for leg, foot in standing.feet.items()
        ]
        kept, places = intersect(places, *map(np.hstack, zip(*planes, strict=True)))
        rows = rows[kept]
        kept, places = graph.stable(stances.rows(rows), places)
        rows = rows[kept]
        spare = len(legs) - STANDING
        body = nearest(places, np.full(len(rows), standing.body))
        time = np.abs(body - standing.body) / speed + LIFTS_APART * spare
        ready = np.tile(standing.ready, (len(rows), 1))
        lifted = (feet[rows] == IN_THE_AIR) & np.isin(np.arange(6), legs)
        ready = np.where(lifted, time[:, None] + self.times.lift, ready)
        return WalkBeam(stances.rows(rows), body, time, ready)
