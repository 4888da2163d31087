"""How far a body can travel while all six feet of articulated legs stand still."""

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from walking_robots.legs.articulated import ArticulatedLegs
from walking_robots.robots.articulated import ArticulatedHexapod, Stance

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
Path = Callable[[Array], Array]

DIRECTIONS = (0.0, math.radians(30.0))
"""Ways to travel for which a stroke must hold, rad: along a leg of a hexagon, and between two."""

STEPS = 200
HALVINGS = 30


def walking(feet: ArrayLike, direction: float) -> Path:
    """Return the feet (..., 6, 3) of a body that has gone s metres in a direction, rad from ahead.

    feet: where they stand at s = 0, m, body frame, (6, 3) or with one s each.
    """
    way = np.array((math.cos(direction), math.sin(direction), 0.0))
    stand = np.asarray(feet, dtype=float)
    return lambda s: stand - s[..., None, None] * way


def stroke_table(
    robot: ArticulatedHexapod,
    heights: Sequence[float],
    reaches: Sequence[float],
    directions: Sequence[float] = DIRECTIONS,
) -> Array:
    """Return the longest straight strokes that all feet can make at once, m, (heights, reaches).

    A stroke lies evenly about the feet of `Stance(height, reach)`, in the worst of the
    directions, with the knees up and the feet ahead of their hips (aquarobot.md §5.6). NaN where
    the feet of the stance are themselves out of reach. Nothing is said of legs that meet.
    """
    legs = ArticulatedLegs(robot)
    stances = [Stance(height, reach) for height in heights for reach in reaches]
    feet = np.array([[stance.foot(leg) for leg in robot.legs] for stance in stances])
    most = _span(robot)
    strokes = np.full(len(stances), np.inf)
    for direction in directions:
        half = _farthest(legs, walking(feet, direction), most, len(feet))
        strokes = np.minimum(strokes, 2.0 * half)
    return strokes.reshape(len(heights), len(reaches))


def _span(robot: ArticulatedHexapod) -> float:
    """Return a length, m, that no foot can travel."""
    return 2.0 * max(leg.coxa + leg.femur + leg.tibia for leg in robot.legs)


def _farthest(legs: ArticulatedLegs, path: Path, most: float, count: int) -> Array:
    """Return the largest s up to which all feet stay in reach from -s to s; NaN if not at 0.

    count: how many s the path takes at once.
    """

    def holds(s: Array) -> Mask:
        both = np.stack((path(s), path(-s)))
        # The first solution is the one ahead of the hip with the knee up.
        kept: Mask = np.all(legs.solutions(both).admissible[..., 0], axis=(0, -1))
        return kept

    at_rest = holds(np.zeros(count))
    kept = at_rest.copy()
    inside = np.zeros(kept.shape)
    outside = np.full(kept.shape, most)
    for s in np.linspace(0.0, most, STEPS + 1)[1:]:
        reached: Mask = kept & holds(np.full(kept.shape, s))
        outside = np.where(kept & ~reached, s, outside)
        inside = np.where(reached, s, inside)
        kept = reached
        if not kept.any():
            break
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2.0
        reached = holds(middle)
        inside, outside = np.where(reached, middle, inside), np.where(reached, outside, middle)
    return np.where(at_rest, inside, np.nan)
