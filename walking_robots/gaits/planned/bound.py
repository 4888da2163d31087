"""What a hexapod can cross at all, with more and more freedom."""

import math
from collections.abc import Sequence

from walking_robots.gaits.planned.crossing import MOST_STANCES, Crossing, Start, find_crossing
from walking_robots.gaits.planned.freedoms import FREEDOMS
from walking_robots.gaits.planned.sections import BodyPosture, Sections
from walking_robots.robots.model import HexapodModel
from walking_robots.terrain.cells import TernaryTerrain

LANE = 2.0
"""Cells that the body may go aside in a lane."""

LINE = 0.01
"""Cells that it may go aside on its line."""

YAWS = tuple(math.radians(5.0 * k) for k in range(-9, 10))
"""Yaws with freedom to turn, rad."""

POSTURE_YAWS = tuple(math.radians(7.0 * k) for k in range(-4, 5))
PITCHES = tuple(math.radians(4.0 * k) for k in range(-3, 4))
HEIGHTS = 4
"""Yaws and pitches, rad, and number of heights with all freedom."""


def bound(
    model: HexapodModel,
    terrain: TernaryTerrain,
    goal: complex,
    freedom: str = 'anywhere',
    *,
    margin: float | None = None,
    most: int = MOST_STANCES,
) -> Crossing:
    """Return whether a robot can walk from its start to a goal, m, or beside it.

    Its stability margin, m, is that which its leg servo demands for a lift, unless another is
    given. It is undecided after ``most`` stances. Raises ValueError for an unknown freedom and
    for ground that is not level.
    """
    if freedom not in FREEDOMS:
        raise ValueError(f'freedom {freedom!r} is unknown; use {", ".join(FREEDOMS)}')
    if not terrain.is_level:
        raise ValueError('the bound is computed for level ground; give a terrain without heights')
    x, y, height = model.start_position
    sections = Sections(model, _postures(model, freedom))
    level = sections.postures.index(BodyPosture(0.0, 0.0, height))
    feet = {
        leg.number - 1: complex(x + leg.start_foot[0], y + leg.start_foot[1])
        for leg in model.legs
        if leg.starts_supporting
    }
    aside = {'straight': LINE, 'lane': LANE}.get(freedom, math.inf) * terrain.cell
    least = model.stability.lift if margin is None else margin
    start = Start(complex(x, y), level, feet)
    return find_crossing(sections, terrain, start, goal, margin=least, aside=aside, most=most)


def bound_of_any(model: HexapodModel, terrain: TernaryTerrain, goal: complex, most: int) -> str:
    """Return whether a goal, m, is possible with more and more freedom, from `anywhere` on.

    ``most`` is the number of stances to look at with each freedom.
    """
    answers = []
    for freedom in FREEDOMS[2:]:
        answers.append(bound(model, terrain, goal, freedom, most=most).possible)
        if answers[-1] == 'yes':
            break
    return next(answer for answer in ('yes', 'undecided', 'no') if answer in answers)


def _postures(model: HexapodModel, freedom: str) -> Sequence[BodyPosture]:
    """Return the postures that a freedom permits."""
    height = model.start_position[2]
    if freedom == 'posture':
        step = (height - _lowest(model)) / HEIGHTS
        return [
            BodyPosture(yaw, pitch, height - step * k)
            for yaw in POSTURE_YAWS
            for pitch in PITCHES
            for k in range(HEIGHTS)
        ]
    return [BodyPosture(yaw, 0.0, height) for yaw in (YAWS if freedom == 'yaw' else (0.0,))]


def _lowest(model: HexapodModel) -> float:
    """Return the height, m, of a level body below which some foot does not reach the ground."""
    return max(
        half.offset / half.normal[2]
        for leg in model.legs
        for half in leg.volume
        if half.normal[:2] == (0.0, 0.0) and half.inside * half.normal[2] < 0.0
    )
