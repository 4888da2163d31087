"""What the numbers of a hexapod mean for whoever builds it: reach, stances and strokes."""

import math
from dataclasses import dataclass

import numpy as np

from walking_robots.geometry.polygon import convex_hull, depth
from walking_robots.legs.articulated import ArticulatedLegs
from walking_robots.legs.strokes import DIRECTIONS, stroke_table
from walking_robots.legs.workspace import Extremes, extremes
from walking_robots.robots.articulated import ArticulatedHexapod, Stance

ROWS = 8
_HEIGHTS = np.linspace(0.15, 0.85, ROWS)
_REACHES = np.linspace(0.25, 0.95, ROWS)


@dataclass(frozen=True)
class StancePlan:
    """A stance and the stroke that its feet can make, m."""

    stance: Stance
    stroke: float


@dataclass(frozen=True)
class Findings:
    """What comes of looking at a robot; lengths m.

    problems: a sentence each; margin: how far the middle of the body is inside the feet of the
    worse tripod, None outside; strokes: of stances by height (rows) and reach (columns), None out
    of reach.
    """

    robot: ArticulatedHexapod
    problems: tuple[str, ...]
    reach: Extremes
    margin: float | None
    heights: tuple[float, ...]
    reaches: tuple[float, ...]
    strokes: tuple[tuple[float | None, ...], ...]
    best: StancePlan | None


def examine(robot: ArticulatedHexapod) -> Findings:
    """Examine a robot."""
    reach = extremes(robot.legs[0])
    hip = robot.legs[0].mount[2]
    heights = tuple(round(float(share) * -reach.lowest - hip, 3) for share in _HEIGHTS)
    heights = tuple(height for height in heights if height > 0.0)
    reaches = tuple(round(float(share) * reach.outer, 3) for share in _REACHES)
    strokes = stroke_table(robot, heights, reaches, (*DIRECTIONS, math.pi / 2))
    margin = tripod_margin(robot)
    return Findings(
        robot=robot,
        problems=tuple(_problems(robot, margin)),
        reach=reach,
        margin=margin,
        heights=heights,
        reaches=reaches,
        strokes=tuple(
            tuple(None if math.isnan(stroke) else stroke for stroke in row)
            for row in strokes.tolist()
        ),
        best=_best(heights, reaches, strokes),
    )


def tripod_margin(robot: ArticulatedHexapod) -> float | None:
    """Return how far the body's origin lies inside every second neutral foot, m; None outside.

    Of the two tripods round the body the worse one; its feet alternate whatever their numbers.
    """
    feet = [foot[:2] for foot in robot.neutral_feet]
    around = sorted(feet, key=lambda foot: math.atan2(foot[1], foot[0]))
    depths = [depth(convex_hull(around[first::2]), (0.0, 0.0)) for first in (0, 1)]
    inside = [found.distance for found in depths if found is not None]
    return min(inside) if len(inside) == len(depths) else None


def _problems(robot: ArticulatedHexapod, margin: float | None) -> list[str]:
    """Return what is wrong with how a robot stands, a sentence each."""
    feet = np.array(robot.neutral_feet)
    reach = ArticulatedLegs(robot).reach(feet)
    found = [
        f'the neutral foot of leg {leg.number} at ({_shown(foot)}) m is out of reach; '
        f'the nearest point that it reaches is ({_shown(nearest)}) m'
        for leg, foot, nearest, reached in zip(
            robot.legs, feet, reach.feet, reach.reached, strict=True
        )
        if not reached
    ]
    if margin is None:
        found.append(
            'on three neutral feet the body would tip; place the feet further out, all round it'
        )
    return found


def _best(
    heights: tuple[float, ...], reaches: tuple[float, ...], strokes: np.ndarray
) -> StancePlan | None:
    """Return the stance with the longest stroke, if any stance is within reach."""
    if np.isnan(strokes).all():
        return None
    row, column = np.unravel_index(np.nanargmax(strokes), strokes.shape)
    return StancePlan(Stance(heights[row], reaches[column]), float(strokes[row, column]))


def _shown(point: np.ndarray) -> str:
    """Return a point with millimetres."""
    return ', '.join(f'{part:.3f}' for part in point)
