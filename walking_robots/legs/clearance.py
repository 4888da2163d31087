"""How high feet in the air have to be for the ground on their way."""

import math
from collections.abc import Mapping, Sequence
from itertools import compress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.pose import Pose, Rates, Vector
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

AHEAD = 8
"""For how many steps of the body's motion ground before a waiting foot counts."""

STANDSTILL = 1e-9
"""Pace, m in a step, below which a foot goes nowhere."""


class _Way(NamedTuple):
    """Where a foot in the air goes, m, odom, and how far in a step, m."""

    end: Vector
    pace: float


def clear_heights(
    model: HexapodModel,
    reports: Sequence[LegReport],
    pose: Pose,
    rates: Rates,
    decisions: Sequence[Decision],
    terrain: TernaryTerrain,
) -> tuple[float, ...]:
    """Return the height (m, odom) that each foot in the air has to keep, leg 1 first.

    ``pose`` and ``rates`` are those of the body, ``decisions`` those of this step. A foot is on
    its way to its foothold, or to where it waits for one. Ground that it reaches in a later step
    counts less by what it rises until then, as fast as it is lifted. Feet do not get over ground
    that is higher than they can be raised.
    """
    timing = model.timing
    placed = {made.partner or made.leg: made.foothold for made in decisions if made.foothold}
    ways = [_way(model, report, pose, rates, placed) for report in reports]
    starts = np.array([pose.apply(report.foot)[:2] for report in reports])
    ends = np.array([way.end[:2] for way in ways])
    paces = np.array([way.pace for way in ways])
    ground, distances = _ground(starts, ends, terrain)
    ahead = np.maximum(distances / np.maximum(paces, STANDSTILL)[:, None] - 1.0, 0.0)
    rises = timing.lift_height / timing.lift * ahead
    clear = ((ground - rises).max(axis=1) + CLEARANCE * timing.lift_height).tolist()
    most = [
        max(_most(model, pose, report.foot), _most(model, pose, pose.to_body(way.end)))
        for report, way in zip(reports, ways, strict=True)
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
        ground, _ = _ground(
            np.repeat(starts, len(there), axis=0), np.tile(there, (len(starts), 1)), terrain
        )
        heights = ground.max(axis=1) + CLEARANCE * model.timing.lift_height
        places = zip(those.x, those.y, those.z, strict=True)
        most = np.array([_most(model, pose, pose.to_body(place)) for place in places])
        most = np.maximum(most, _most(model, pose, foot))
        free = (heights.reshape(len(starts), -1) <= most).all(axis=0).tolist()
        found[leg] = Candidates(*(list(compress(values, free)) for values in those))
    return found


def _ground(starts: Array, ends: Array, terrain: TernaryTerrain) -> tuple[Array, Array]:
    """Return heights of ground on ways from some places, (n, 2), m, to others, and how far on."""
    lengths = np.hypot(*(ends - starts).T)
    longest = float(lengths.max(initial=0.0))
    shares = np.linspace(0.0, 1.0, 2 + math.ceil(longest / (SPACING * terrain.cell)))
    places = starts[:, None] + shares[None, :, None] * (ends - starts)[:, None]
    ground = terrain.heights_at(places.reshape(-1, 2)).reshape(len(ends), len(shares))
    return ground, lengths[:, None] * shares


def _most(model: HexapodModel, pose: Pose, place: Vector) -> float:
    """Return how high, m, a foot can be raised at a place, m, body axes."""
    top = HIGHEST * model.timing.lift_height - model.start_position[2]
    return pose.apply((place[0], place[1], top))[2]


def _way(
    model: HexapodModel,
    report: LegReport,
    pose: Pose,
    rates: Rates,
    placed: Mapping[int, Vector],
) -> _Way:
    """Return where a foot is going, and how far in a step."""
    ready = model.legs[report.number - 1].ready_foot
    waiting = pose.apply(ready)
    drift = [model.timing.dt * rate for rate in rates.velocity_at(ready)]
    foothold = placed.get(report.number, report.foothold)
    advances = report.number in placed or report.control is ControlState.ADVANCE
    if advances and foothold is not None:
        pace = math.dist(foothold[:2], waiting[:2]) / model.timing.advance
        return _Way(foothold, pace + math.hypot(*drift))
    x, y, z = (place + AHEAD * way for place, way in zip(ready, drift, strict=True))
    stood = foothold or pose.apply(report.foot)
    moves = report.control is not ControlState.READY
    pace = math.dist(stood[:2], waiting[:2]) / model.timing.swing_back if moves else 0.0
    return _Way(pose.apply((x, y, z)), pace + math.hypot(*drift))
