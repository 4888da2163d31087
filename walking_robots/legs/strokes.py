"""How far and how fast a body can travel while all six feet of articulated legs stand still."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

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
SAMPLES = 101
END = 0.999
"""Share of a stroke over which joint speeds are looked at; its very end may be singular."""


class SpeedLimits(NamedTuple):
    """Fastest travel of a body ahead and sideways, m/s, and turn, rad/s."""

    forward: float
    lateral: float
    turn: float


def walking(feet: ArrayLike, direction: float) -> Path:
    """Return the feet (..., 6, 3) of a body that has gone s metres in a direction, rad from ahead.

    feet: where they stand at s = 0, m, body frame, (6, 3) or with one s each.
    """
    way = np.array((math.cos(direction), math.sin(direction), 0.0))
    stand = np.asarray(feet, dtype=float)
    return lambda s: stand - s[..., None, None] * way


def turning(feet: ArrayLike) -> Path:
    """Return the feet (..., 6, 3) of a body that has turned by s rad about its z axis."""
    x, y, z = np.asarray(feet, dtype=float).T

    def turned(s: Array) -> Array:
        cos, sin = np.cos(s)[..., None], np.sin(s)[..., None]
        return np.stack((x * cos + y * sin, y * cos - x * sin, z + 0.0 * sin), axis=-1)

    return turned


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


def speed_limits(robot: ArticulatedHexapod, duty: float, period: float) -> SpeedLimits:
    """Return the fastest motions in a gait from the neutral feet.

    duty: share of a cycle for which a foot stands; period: of a cycle, s. A foot travels with the
    body for duty * period and comes back in what is left; the stroke it makes is within reach of
    all legs, and no joint is faster than the robot allows in either, were the way back as straight
    and even as the way there. What a foot takes to lift comes on top of that. Raises ValueError
    for a duty not between 0 and 1 or a period that is not positive.
    """
    if not 0.0 < duty < 1.0:
        raise ValueError(f'a duty factor of {duty:g} is none; give one between 0 and 1')
    if not 0.0 < period < math.inf:
        raise ValueError(f'a period of {period:g} s is none; give a positive time')
    legs = ArticulatedLegs(robot)
    feet = robot.neutral_feet
    span = _span(robot)
    swift = robot.joint_speed / max(1.0, duty / (1.0 - duty))
    paths = ((walking(feet, 0.0), span), (walking(feet, math.pi / 2), span), (turning(feet), 1.5))
    return SpeedLimits(*(_fastest(legs, path, most, duty * period, swift) for path, most in paths))


def _fastest(
    legs: ArticulatedLegs, path: Path, most: float, standing: float, swift: float
) -> float:
    """Return the best speed along a path over all strokes about its middle.

    standing: time for a stroke, s; swift: joint speed allowed meanwhile, rad/s. A longer stroke
    gives more way, and comes nearer to where joints have to turn fast.
    """
    half = float(_farthest(legs, path, most)[0])
    if not half > 0.0:
        return 0.0
    s = np.linspace(0.0, END * half, SAMPLES)[1:]
    both = np.stack((s, -s))
    joints = legs.solve(path(both)).joints
    step = 1e-6 * half
    slope = (path(both + step) - path(both - step)) / (2.0 * step)
    rates = np.linalg.solve(legs.jacobian(joints), slope[..., None])[..., 0]
    needed = np.maximum.accumulate(np.abs(rates).max(axis=(0, 2, 3)))
    return float(np.minimum(2.0 * s / standing, swift / needed).max())


def _span(robot: ArticulatedHexapod) -> float:
    """Return a length, m, that no foot can travel."""
    return 2.0 * max(leg.coxa + leg.femur + leg.tibia for leg in robot.legs)


def _farthest(legs: ArticulatedLegs, path: Path, most: float, count: int = 1) -> Array:
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
