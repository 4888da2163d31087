"""How high feet in the air have to be for the ground on their way."""

import math
from collections.abc import Mapping, Sequence
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.pose import Pose, Vector
from walking_robots.legs.foothold_search import Candidates
from walking_robots.legs.states import ControlState, Decision, LegReport
from walking_robots.robots.model import HexapodModel
from walking_robots.terrain.cells import TernaryTerrain

Array = NDArray[np.float64]

HIGHEST = 2.0
"""Height up to which feet are raised over the usual ground below the body, in heights of a
lift."""

CLEARANCE = 0.25
"""Height of feet over the highest ground on their way, as a share of the height of a lift."""

SPACING = 0.5
"""Distance between the places at which ground is looked at, in cells."""


def clear_heights(
    model: HexapodModel,
    reports: Sequence[LegReport],
    pose: Pose,
    decisions: Sequence[Decision],
    terrain: TernaryTerrain,
) -> tuple[float, ...]:
    """Return the height (m, odom) that each foot in the air has to keep, leg 1 first.

    ``pose`` is that of the body, ``decisions`` are those of this step. A foot is on its way to its
    foothold, or to where it waits for one. Feet do not get over ground that is higher than they
    can be raised.
    """
    placed = {made.partner or made.leg: made.foothold for made in decisions if made.foothold}
    targets = [_target(model, report, pose, placed) for report in reports]
    ways = np.array(
        [
            (pose.apply(report.foot)[:2], target[:2])
            for report, target in zip(reports, targets, strict=True)
        ]
    )
    clear: list[float] = _clear_heights(model, ways[:, 0], ways[:, 1], terrain).tolist()
    most = [
        max(_most(model, pose, report.foot), _most(model, pose, pose.to_body(target)))
        for report, target in zip(reports, targets, strict=True)
    ]
    return tuple(map(min, clear, most))


def in_the_clear(
    model: HexapodModel,
    reports: Sequence[LegReport],
    pose: Pose,
    way: Sequence[complex],
    candidates: Mapping[int, Candidates],
    terrain: TernaryTerrain,
) -> Mapping[int, Candidates]:
    """Return the footholds of some legs that feet get to, and back from, over all ground.

    ``pose`` is that of the body, ``way`` how far, m, odom, it goes while a foot stands.
    """
    if np.ptp(terrain.heights) <= (HIGHEST - CLEARANCE) * model.timing.lift_height:
        return candidates
    gone = [(0.0, 0.0), *((place.real, place.imag) for place in way)]
    found = {}
    for leg, those in candidates.items():
        foot, ready = reports[leg - 1].foot, model.legs[leg - 1].ready_foot
        starts = np.concatenate(([pose.apply(foot)[:2]], np.add(pose.apply(ready)[:2], gone)))
        there = np.array((those.x, those.y)).T
        heights = _clear_heights(
            model, np.repeat(starts, len(there), axis=0), np.tile(there, (len(starts), 1)), terrain
        )
        places = zip(those.x, those.y, those.z, strict=True)
        most = np.array([_most(model, pose, pose.to_body(place)) for place in places])
        most = np.maximum(most, _most(model, pose, foot))
        free = (heights.reshape(len(starts), -1) <= most).all(axis=0).tolist()
        found[leg] = Candidates(*(list(compress(values, free)) for values in those))
    return found


def _clear_heights(
    model: HexapodModel, starts: Array, ends: Array, terrain: TernaryTerrain
) -> Array:
    """Return how high, m, feet have to be on their ways from some places to others, (n, 2), m."""
    longest = float(np.hypot(*(ends - starts).T).max(initial=0.0))
    shares = np.linspace(0.0, 1.0, 2 + math.ceil(longest / (SPACING * terrain.cell)))
    places = starts[:, None] + shares[None, :, None] * (ends - starts)[:, None]
    ground = terrain.heights_at(places.reshape(-1, 2)).reshape(len(ends), len(shares))
    return np.asarray(ground.max(axis=1) + CLEARANCE * model.timing.lift_height)


def _most(model: HexapodModel, pose: Pose, place: Vector) -> float:
    """Return how high, m, a foot can be raised at a place, m, body axes."""
    top = HIGHEST * model.timing.lift_height - model.start_position[2]
    return pose.apply((place[0], place[1], top))[2]


def _target(
    model: HexapodModel, report: LegReport, pose: Pose, placed: Mapping[int, Vector]
) -> Vector:
    """Return where a foot is going."""
    if report.number in placed:
        return placed[report.number]
    if report.foothold is not None and report.control is ControlState.ADVANCE:
        return report.foothold
    return pose.apply(model.legs[report.number - 1].ready_foot)
