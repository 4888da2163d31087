"""Routes on which the body pitches and sinks, so that its legs reach farther.

They lead over one gap that a level body does not span, from rest to rest. All stances in a few
postures are looked at, and the way that is found is divided into routes in one posture each.
"""

import math
from collections.abc import Sequence
from itertools import groupby, zip_longest

import numpy as np

from walking_robots.gaits.planned.crossing import StanceSearch, gap_ahead, next_gap
from walking_robots.gaits.planned.planner import Planner, Route, Standing, level_sections
from walking_robots.gaits.planned.search import Aim, WalkBeam, follow, walk_at
from walking_robots.gaits.planned.sections import FAR, BodyPosture, Sections
from walking_robots.gaits.planned.stances import StanceGraph, Stances, feet_at, ground_of
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
    routes: list[Route] = []
    walk = walk_at(start, path[0])
    parts = [list(part) for _, part in groupby(path, lambda stance: int(stance.posture[0]))]
    for part, following in zip_longest(parts, parts[1:]):
        begin, index = walk.body, part[0].posture[0]
        moves, walk, places = follow(graph, walk, part, aim, planner.times)
        if following is None:
            end = furthest(places, np.array([aim.ahead]))
        else:
            turns = graph.turns(part[-1], places)
            end = nearest(turns.places[turns.posture == following[0].posture], walk.body)
        posture = graph.sections.postures[index] if index else None
        time, stance = float(walk.time[0]), feet_at(graph, part[0])
        routes.append(Route(stance, complex(begin[0]), moves, complex(end[0]), time, posture))
        walk = walk._replace(body=end)
    return tuple(routes)
