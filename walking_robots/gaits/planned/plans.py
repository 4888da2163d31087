"""What is computed in the background: routes, and turns that make a route possible."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from walking_robots.gaits.free.coordinator import TerrainCoordinator
from walking_robots.gaits.planned.feet import feet_of
from walking_robots.gaits.planned.forecast import turned
from walking_robots.gaits.planned.planner import Planner, Route, Standing
from walking_robots.gaits.planned.posed import (
    is_spanned_posed,
    is_usual,
    plan_posed,
    posture_over,
)
from walking_robots.gaits.planned.sections import BodyPosture
from walking_robots.geometry.pose import Pose
from walking_robots.geometry.se2 import wrap
from walking_robots.legs.states import LegReport
from walking_robots.terrain.cells import TernaryTerrain

STRAIGHT = 0.03
"""Difference of yaws, rad, up to which a body does not turn."""


Routes = tuple[Route, ...]
"""Routes one after another."""


class Turn(NamedTuple):
    """The advice to turn to a yaw, rad, before a route is planned."""

    yaw: float


class Way(NamedTuple):
    """Where to: over which ground, near which point of a line, m, at which velocity, m/s.

    ``heading`` is the yaw, rad, without a turn away from the way, and ``back`` whether the body
    may turn back to it; the body stops at a ``place``, m, if there is one.
    """

    terrain: TernaryTerrain
    line: complex
    velocity: complex
    heading: float
    back: bool
    place: complex | None = None


def plan_at_rest(
    planner: Planner,
    make_rules: Callable[[], TerrainCoordinator],
    reports: Sequence[LegReport],
    pose: Pose,
    way: Way,
) -> Routes | Turn | None:
    """Return routes for a body at rest, or how it has to turn for one; None if none is found.

    Rules turn the body, which is simulated before a turn is advised. Routes in other postures than
    the usual one lead over gaps that are too wide for it, or back to it.
    """
    terrain, line, velocity, heading, back, place = way
    posture, standing = posture_over(pose, terrain), resting(reports, pose)
    here = posture.yaw

    def level(standing: Standing, there: BodyPosture) -> Routes:
        route = planner.plan(terrain, standing, there.yaw, line, velocity, place)
        return (route,) if route else ()

    def posed(standing: Standing, there: BodyPosture) -> Routes:
        return plan_posed(planner, terrain, standing, there, velocity)

    def turning(
        yaws: Iterable[float],
        plan: Callable[[Standing, BodyPosture], Routes],
        is_hopeful: Callable[[TernaryTerrain, Pose, float, complex], bool],
    ) -> Routes | Turn | None:
        for yaw in yaws:
            if abs(wrap(yaw - here)) < STRAIGHT:
                routes = plan(standing, posture)
                if routes:
                    return routes
            elif is_hopeful(terrain, pose, yaw, velocity):
                after = turned(make_rules(), reports, pose, terrain, yaw, planner.given_up)
                if after is not None and plan(
                    resting(after.reports, after.pose), posture_over(after.pose, terrain)
                ):
                    return Turn(yaw)
        return None

    if not is_usual(planner, posture):
        return posed(standing, posture) or None

    def yaws(*first: float) -> Iterator[float]:
        yield from first
        yield from planner.oblique(heading, velocity)

    first = [heading] if back and abs(wrap(heading - here)) >= STRAIGHT else []
    found = turning(yaws(*first, here), level, planner.is_spanned)
    return found or turning(yaws(here), posed, partial(is_spanned_posed, planner))


def plan_on(planner: Planner, standing: Standing, yaw: float, way: Way) -> Routes | Turn | None:
    """Return a route that goes on from a stance at a yaw, rad; None if none is found.

    It is the advice to turn back to the preferred yaw, if a route would be found there.
    """
    terrain, line, velocity, heading, back, place = way
    if back and abs(wrap(heading - yaw)) >= STRAIGHT:
        turned_back = planner.usual_stance(terrain, standing.body, heading)
        if turned_back and planner.plan(terrain, turned_back, heading, line, velocity, place):
            return Turn(heading)
    route = planner.plan(terrain, standing, yaw, line, velocity, place)
    return (route,) if route else None


def resting(reports: Sequence[LegReport], pose: Pose) -> Standing:
    """Return a robot at rest as one from which a plan begins."""
    feet = feet_of(reports, pose).standing
    return Standing(complex(*pose.position[:2]), feet, (0.0,) * len(reports))
