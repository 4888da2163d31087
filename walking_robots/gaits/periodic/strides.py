"""How far and how fast the feet of a robot may go in a gait: reach, neighbours, joint speed."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.gaits.periodic.paths import FootPath
from walking_robots.gaits.periodic.patterns import Pattern, offsets
from walking_robots.gaits.periodic.posture import Posture
from walking_robots.geometry.polygon import convex_hull, depth
from walking_robots.legs.articulated import ArticulatedLegs
from walking_robots.robots.articulated import ArticulatedHexapod

Array = NDArray[np.float64]

DIRECTIONS = 12
SAMPLES = 25
RADII = 32
"""How finely a stride is looked at: ways to go, times of a swing, sizes."""

BISECTIONS = 8

STRIDE_SHARE = 0.8
"""Share of a stride that the fastest walk uses; the rest is for feet that come down elsewhere, and
for a body that goes on while feet are late."""


class Stepping(NamedTuple):
    """How feet step: the gait, the path through the air, its height (m), and the posture.

    ``failed`` are the legs, counted from 0, that take no part.
    """

    pattern: Pattern
    path: FootPath
    clearance: float
    posture: Posture
    failed: tuple[int, ...] = ()

    def places(self) -> list[int]:
        """Return the legs that step, counted from 0."""
        return [leg for leg in range(6) if leg not in self.failed]


class Swings(NamedTuple):
    """What strides of several sizes ask of the legs.

    ``radii``: how far, m, feet may go to every side of their neutral places; ``efforts``
    (radii, 3): the greatest speeds of yaw, lift and knee where a swing of the fastest walk takes
    one second, rad/s, inf where a foot is not reached; ``effort`` that of any.
    """

    radii: Array
    efforts: Array
    effort: Array

    @classmethod
    def of(cls, robot: ArticulatedHexapod, stepping: Stepping) -> 'Swings':
        """Look at strides up to the largest that the robot could make."""
        most = largest_radius(robot, stepping)
        radii = np.linspace(0.0, most, RADII)
        legs = ArticulatedLegs(robot)
        joints, reached = legs.solve(_swinging(robot, stepping, radii))
        if stepping.failed:
            places = stepping.places()
            joints, reached = joints[..., places, :], reached[..., places]
        speeds = np.abs(np.diff(joints, axis=2)).max(axis=(1, 2, 3)) * (SAMPLES - 1)
        whole = reached.all(axis=(1, 2, 3))
        # A stride includes all smaller ones.
        whole = np.logical_and.accumulate(whole)
        walked = [
            np.interp(STRIDE_SHARE * radii, radii, speed)
            for speed in np.maximum.accumulate(speeds).T
        ]
        efforts = np.where(whole[:, None], np.stack(walked, axis=-1), np.inf)
        return cls(radii, efforts, efforts.max(axis=-1))

    def radius(self, effort: float) -> float:
        """Return the largest stride, m, within a joint speed; nan without one."""
        allowed = np.flatnonzero(self.effort <= effort)
        return float(self.radii[allowed[-1]]) if len(allowed) else math.nan


def _swinging(robot: ArticulatedHexapod, stepping: Stepping, radii: Array) -> Array:
    """Return feet through a swing, body frame: (radii, directions, samples, 6, 3).

    Seen from the ground a foot goes from one end of its stride to the next, which is the way of
    the body in a cycle; the body meanwhile goes its share of that.
    """
    duty, path, clearance, posture = (
        stepping.pattern.duty, stepping.path, stepping.clearance, stepping.posture
    )  # fmt: skip
    shares = np.linspace(0.0, 1.0, SAMPLES)
    way = np.array([path.way(share) for share in shares])
    rise = np.array([path.rise(share) for share in shares])
    along = -1.0 + (2.0 / duty) * (way - (1.0 - duty) * shares)
    angles = np.arange(DIRECTIONS) * (math.tau / DIRECTIONS)
    feet = np.zeros((len(radii), DIRECTIONS, SAMPLES, 6, 3))
    out = radii[:, None, None] * along
    feet[..., 0] = (out * np.cos(angles)[:, None])[..., None]
    feet[..., 1] = (out * np.sin(angles)[:, None])[..., None]
    feet[..., 2] = (clearance * rise)[:, None]
    feet += np.array(robot.neutral_feet)
    feet[..., 2] += robot.height
    pose = posture.pose()
    body: Array = (feet - pose.position) @ pose.matrix()
    return body


def largest_radius(robot: ArticulatedHexapod, stepping: Stepping) -> float:
    """Return how far, m, feet may go to every side without meeting one another or losing balance.

    The centre of gravity counts as the origin of the body.
    """
    posture, pattern = stepping.posture, stepping.pattern
    feet = [robot.neutral_feet[leg] for leg in stepping.places()]
    places = [(x - posture.x, y - posture.y) for x, y, _ in feet]
    low, high = 0.0, _room(robot, stepping)
    phases = offsets(pattern, robot)
    at = tuple(phases[leg] for leg in stepping.places())
    for _ in range(BISECTIONS):
        middle = 0.5 * (low + high)
        if _balanced(places, at, pattern.duty, middle, robot.foot_radius):
            low = middle
        else:
            high = middle
    return low


def feet_meet(robot: ArticulatedHexapod, stepping: Stepping, radius: float) -> bool:
    """Return whether feet would meet that go farther to every side than ``radius``, m."""
    return radius > (1.0 - 2.0 * 0.5**BISECTIONS) * _room(robot, stepping)


def _room(robot: ArticulatedHexapod, stepping: Stepping) -> float:
    """Return how far feet may go to every side before two of them can meet, m."""
    places = [robot.neutral_feet[leg][:2] for leg in stepping.places()]
    nearest = min(math.dist(a, b) for i, a in enumerate(places) for b in places[:i])
    return max(0.0, nearest / 2.0 - robot.foot_radius)


def _balanced(
    places: list[tuple[float, float]],
    at: tuple[float, ...],
    duty: float,
    radius: float,
    least: float,
) -> bool:
    """Return whether the margin stays above ``least``, m, through a cycle, whatever the way."""
    for direction in range(DIRECTIONS):
        angle = direction * math.tau / DIRECTIONS
        cos, sin = radius * math.cos(angle), radius * math.sin(angle)
        # Just before and after any foot comes down or lifts the support is at its worst.
        for phase in (edge + side for edge in _edges(at, duty) for side in (-1e-6, 1e-6)):
            standing = []
            for (x, y), offset in zip(places, at, strict=True):
                own = (phase - offset) % 1.0
                if own < duty:
                    share = 1.0 - 2.0 * own / duty
                    standing.append((x + share * cos, y + share * sin))
            inside = depth(convex_hull(standing), (0.0, 0.0))
            if inside is None or inside.distance < least:
                return False
    return True


def _edges(at: tuple[float, ...], duty: float) -> set[float]:
    """Return the phases at which a foot comes down or lifts."""
    return {round((offset + part) % 1.0, 9) for offset in at for part in (0.0, duty)}
