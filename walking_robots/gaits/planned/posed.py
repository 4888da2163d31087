"""Routes on which the body pitches and sinks, so that its legs reach farther.

They lead over one gap that a level body does not span, from rest to rest. All stances in a few
postures are looked at, and the way that is found is divided into routes in one posture each.
"""

import math
from collections.abc import Sequence
from itertools import zip_longest

import numpy as np

from walking_robots.gaits.planned.crossing import StanceSearch, gap_ahead, next_gap
from walking_robots.gaits.planned.planner import Planner, Route, Standing, level_sections
from walking_robots.gaits.planned.search import Aim, Swing, WalkBeam, swing_of, timed
from walking_robots.gaits.planned.sections import FAR, BodyPosture, Sections
from walking_robots.gaits.planned.stances import (
    IN_THE_AIR,
    StanceGraph,
    Stances,
    ground_of,
)
from walking_robots.geometry.polygons import furthest, nearest
from walking_robots.geometry.pose import Pose
from walking_robots.robots.model import HexapodModel
from walking_robots.terrain.cells import TernaryTerrain

PITCH = math.radians(10.0)
"""Pitch of a body that reaches far, nose up or down, rad."""

LOW = 0.74
"""Height of a body that reaches far, in usual heights."""

MARGIN, ROOM = 1.25, 0.01
"""Least stability margin, in margins that the leg servo demands for a lift, and distance of feet
from the borders of their volumes, in spans.

The volumes are convex, so feet that have room before and after a small turn have some in between.
"""

BEFORE, FARTHER = 0.5, 0.5
"""How far before the gap the body leaves a level route, and how far beyond it the way leads, in
spans."""

LANE = 1.5
"""How far the body may go aside, in spans."""

TOLERANCE = 0.005
"""Error of the pitch, rad, and of the height, in spans, up to which a body has a posture."""

MOST_STANCES = 4000
"""Stances to look at for a way."""


def posture_over(pose: Pose, terrain: TernaryTerrain) -> BodyPosture:
    """Return the posture of a body over level ground."""
    x, y, z = pose.position
    return BodyPosture(pose.yaw(), pose.pitch(), z - terrain.height(x, y))


def usual_posture(model: HexapodModel, yaw: float) -> BodyPosture:
    """Return the usual posture at a yaw, rad."""
    return BodyPosture(yaw, 0.0, model.start_position[2])


def is_posture(posture: BodyPosture, wanted: BodyPosture, span: float) -> bool:
    """Return whether a posture has the pitch and height of another, for a planner's ``span``."""
    turn, rise = abs(posture.pitch - wanted.pitch), abs(posture.height - wanted.height)
    return turn < TOLERANCE and rise < TOLERANCE * span


def is_usual(planner: Planner, posture: BodyPosture) -> bool:
    """Return whether a posture is the usual one."""
    return is_posture(posture, usual_posture(planner.model, posture.yaw), planner.span)


def plan_posed(
    planner: Planner,
    terrain: TernaryTerrain,
    standing: Standing,
    posture: BodyPosture,
    velocity: complex,
) -> tuple[Route, ...]:
    """Return routes over the gap ahead along a velocity, m/s; none if no way is found.

    The body is in a ``posture``, and in its usual one at the end. Without a gap that it does not
    span in its usual posture, there are routes back to that only.
    """
    model, span, yaw = planner.model, planner.span, posture.yaw
    ground = ground_of(terrain, list(standing.feet.values()))
    ahead = velocity / abs(velocity)
    gap = next_gap(level_sections(model, yaw), ground, standing.feet.values(), ahead)
    if gap is None:
        if is_usual(planner, posture):
            return ()
        goal = -FAR
    else:
        goal = gap[1] + FARTHER * span
        left = gap[0] - BEFORE * span - (standing.body * ahead.conjugate()).real
        if left > BEFORE * span and is_usual(planner, posture):
            place = standing.body + left * ahead
            route = planner.plan(terrain, standing, yaw, standing.body, velocity, place)
            if route is not None:
                end = _standing_after(route, len(standing.ready))
                onwards = plan_posed(planner, terrain, end, posture, velocity)
                if onwards:
                    return (route, *onwards)
    sections = _sections(planner, yaw)
    if gap_ahead(sections, ground, standing.feet.values(), ahead, goal):
        return ()
    side = 1j * ahead
    middle, width = (standing.body * side.conjugate()).real, LANE * span
    lane = ((side, width + middle), (-side, width - middle))
    graph = StanceGraph(sections, ground, MARGIN * model.stability.lift, lane)
    start = planner.starts(graph, standing, abs(velocity), _nearest(sections, posture))
    starts, path, there = start.stances, [], graph
    if gap is not None:
        over = StanceSearch(graph, starts, ahead, goal)
        if not over.run(MOST_STANCES, planner.given_up):
            return ()
        *path, starts = over.path()
        there = StanceGraph(sections, ground, graph.margin, (*lane, (-ahead, -gap[1])))
    # Back rather than on, as feet come together so, but not over the gap.
    up = StanceSearch(there, starts, -ahead, -FAR, final=0)
    if not up.run(MOST_STANCES, planner.given_up):
        return ()
    path += up.path()
    return _routes(planner, graph, start, path, Aim(ahead, goal, abs(velocity)))


def is_spanned_posed(
    planner: Planner, terrain: TernaryTerrain, pose: Pose, yaw: float, velocity: complex
) -> bool:
    """Return whether a body at a yaw, rad, spans the gap ahead in a low posture, and only so."""
    ground, body = ground_of(terrain, []), complex(*pose.position[:2])
    ahead = velocity / abs(velocity)
    gap = next_gap(level_sections(planner.model, yaw), ground, (body,), ahead)
    if gap is None:
        return False
    feet, goal = planner.usual_feet(body, yaw), gap[1] + FARTHER * planner.span
    return not gap_ahead(_sections(planner, yaw), ground, feet, ahead, goal)


def _sections(planner: Planner, yaw: float) -> Sections:
    """Return the sections of the postures at a yaw, rad: the usual one, and the low ones."""
    usual = usual_posture(planner.model, yaw)
    low = (BodyPosture(yaw, pitch, LOW * usual.height) for pitch in (0.0, -PITCH, PITCH))
    return Sections(planner.model, (usual, *low), ROOM * planner.span)


def _standing_after(route: Route, legs: int) -> Standing:
    """Return a robot at rest at the end of a route."""
    stance = dict(route.stance)
    for move in route.moves:
        move.carry_out(stance)
    return Standing(route.end, stance, (0.0,) * legs)


def _nearest(sections: Sections, posture: BodyPosture) -> int:
    """Return the index of the posture that is nearest to another."""
    _, pitch, height = posture
    far = [abs(p.pitch - pitch) / PITCH + abs(p.height / height - 1.0) for p in sections.postures]
    return int(np.argmin(far))


def _routes(
    planner: Planner,
    graph: StanceGraph,
    start: WalkBeam,
    path: Sequence[Stances],
    aim: Aim,
) -> tuple[Route, ...]:
    """Return the routes along a path of stances, one for each posture on it."""
    ahead = np.array([aim.ahead])
    row = np.flatnonzero((start.stances.feet == path[0].feet).all(axis=1))[:1]
    walk = WalkBeam(path[0], start.body[row], start.time[row], start.ready[row])
    routes: list[Route] = []
    moves: list[Swing] = []
    stance, begin = _feet(graph, path[0]), walk.body
    for before, after in zip_longest(path, path[1:]):
        _, reach = graph.reach(before)
        _, stable = graph.stable(before, reach)
        if after is not None and after.posture == before.posture:
            exchanges = graph.exchanges(before, stable)
            same = (graph.after(before, exchanges).feet == after.feet).all(axis=1)
            swings = graph.swings(before, reach, stable, exchanges.rows(np.flatnonzero(same)))
            put_at, walk = timed(walk, swings, ahead, aim.speed, planner.times)
            moves.append(swing_of(graph, swings.exchanges, put_at, walk, 0))
            continue
        if after is None:
            end = furthest(stable, ahead)
        else:
            turns = graph.turns(before, stable)
            end = nearest(turns.places[turns.posture == after.posture], walk.body)
        posture = graph.sections.postures[before.posture[0]] if before.posture[0] else None
        time = float(walk.time[0])
        routes.append(
            Route(stance, complex(begin[0]), tuple(moves), complex(end[0]), time, posture)
        )
        if after is not None:
            stance, begin, moves = _feet(graph, after), end, []
            walk = walk._replace(body=end)
    return tuple(routes)


def _feet(graph: StanceGraph, stance: Stances) -> dict[int, complex]:
    """Return the feet of one stance, m, by index of leg."""
    return {
        leg: complex(graph.ground.centres[cell])
        for leg, cell in enumerate(stance.feet[0].tolist())
        if cell != IN_THE_AIR
    }
