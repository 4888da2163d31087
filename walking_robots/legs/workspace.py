"""Where the feet of articulated legs can be: extremes, and convex volumes within their reach."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.pose import Vector
from walking_robots.legs.leg_section import LegSections, folded, wrapped
from walking_robots.robots.articulated import ArticulatedHexapod, ArticulatedLeg
from walking_robots.robots.model import HalfSpace

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

FACETS = 4
"""Planes that stand for the round outer border of a volume."""

WIDEST = math.radians(80.0)
"""Half of the widest wedge of yaw that a convex volume can have, rad."""

GRID = 24
"""Sizes that are tried on each side of a neutral foot."""

EDGE = 400
SHRUNK = 0.05
"""Share of a step of the grid by which a volume keeps away from what was tried."""


class Extremes(NamedTuple):
    """Bounds of a foot, m.

    From the axis of the hip, where less than 0 is behind it; over the hip; from the femur's axis.
    """

    inner: float
    outer: float
    lowest: float
    highest: float
    nearest: float
    farthest: float


class LegVolume(NamedTuple):
    """A convex volume within reach of a leg, for `WorkingVolume`, and the box it was made from.

    Every foot in it has its distance from the hip axis in ``reach`` and its height over the hip in
    ``height``, m, and is reached with the knee up.
    """

    volume: tuple[HalfSpace, ...]
    reach: tuple[float, float]
    height: tuple[float, float]


def extremes(leg: ArticulatedLeg) -> Extremes:
    """Return the bounds of what a leg reaches within its joint limits (aquarobot.md §5.6)."""
    sections = LegSections([leg])
    out, back, up, down = 0.0, math.pi, math.pi / 2, -math.pi / 2
    spots = sections.farthest(0, (back, out, down, up))
    knee = leg.ranges[2]
    least = 0.0 if knee.low <= 0.0 <= knee.high else min(abs(knee.low), abs(knee.high))
    bends = (max(abs(knee.low), abs(knee.high)), least)
    nearest, farthest = (
        math.sqrt(leg.femur**2 + leg.tibia**2 + 2.0 * leg.femur * leg.tibia * math.cos(bend))
        for bend in bends
    )
    inner, outer = spots.u[:2].tolist()
    lowest, highest = spots.h[2:].tolist()
    return Extremes(inner, outer, lowest, highest, nearest, farthest)


def knee_up(leg: ArticulatedLeg, reach: Array, height: Array) -> Mask:
    """Return which points ahead of the hip axis a leg reaches with the knee up.

    reach: from the axis; height: over the hip, m; both of one shape.
    """
    bearing, fold, bend, closes = folded(
        reach - leg.coxa, height, np.array(leg.femur), np.array(leg.tibia)
    )
    lift, knee = leg.ranges[1], leg.ranges[2]
    raised = wrapped(bearing + fold)
    kept: Mask = (
        closes & (reach > 0.0)
        & (raised >= lift.low) & (raised <= lift.high)
        & (-bend >= knee.low) & (-bend <= knee.high)
    )  # fmt: skip
    return kept


def leg_volume(robot: ArticulatedHexapod, number: int) -> LegVolume:
    """Return a convex volume about the neutral foot of a leg, wholly within its reach.

    It holds the rectangle of the leg's plane that leaves the foot the most room, swung through the
    range of the hip: planes above and below, one chord inside, `FACETS` outside, and one at
    each end of the swing. Raises ValueError when the neutral foot lies on or past a limit.
    """
    leg, foot = robot.legs[number - 1], robot.neutral_feet[number - 1]
    x, y, z = (part - origin for part, origin in zip(foot, leg.mount, strict=True))
    reach, yaw = math.hypot(x, y), math.remainder(math.atan2(y, x) - leg.heading, math.tau)
    swing = leg.ranges[0]
    if not swing.low < yaw < swing.high:
        raise ValueError(
            f'the neutral foot of leg {number} lies {math.degrees(yaw):.1f} degrees from the '
            'heading of its leg, past the range of the yaw joint; place it further ahead'
        )
    (r1, r2), (h1, h2) = _rectangle(leg, reach, z, number)
    low, high = max(swing.low, yaw - WIDEST), min(swing.high, yaw + WIDEST)
    width = (high - low) / FACETS
    outer = r2 * math.cos(width / 2.0)
    planes = [
        ('up', _level(1.0), h2),
        ('bottom', _level(-1.0), -h1),
        ('inner', _ahead(yaw + math.pi), -r1),
        ('left', _ahead(high + math.pi / 2), 0.0),
        ('right', _ahead(low - math.pi / 2), 0.0),
    ] + [
        (f'outer{facet + 1}', _ahead(low + (facet + 0.5) * width), outer)
        for facet in range(FACETS)
    ]
    return LegVolume(tuple(_plane(leg, *plane) for plane in planes), (r1, r2), (h1, h2))


def _rectangle(
    leg: ArticulatedLeg, reach: float, height: float, number: int
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the rectangle of reach and height, m, that leaves a foot the most room."""
    bounds = extremes(leg)
    step = max(bounds.outer, bounds.highest - bounds.lowest) / (2.0 * GRID)
    places = np.arange(-GRID, GRID + 1) * step
    grid = np.meshgrid(reach + places, height + places, indexing='ij')
    inside = np.zeros((2 * GRID + 2, 2 * GRID + 2), dtype=int)
    inside[1:, 1:] = np.cumsum(np.cumsum(knee_up(leg, *grid), axis=0), axis=1)
    sizes = np.arange(1, GRID + 1)
    before, behind, below, above = np.meshgrid(sizes, sizes, sizes, sizes, sparse=True)
    first, last = GRID - before, GRID + behind + 1
    down, top = GRID - below, GRID + above + 1
    count = inside[last, top] - inside[first, top] - inside[last, down] + inside[first, down]
    whole = count == (last - first) * (top - down)
    room = np.where(whole, _room(before, behind) * _room(below, above), 0.0)
    # Between two points of the grid a corner of the border may still poke in.
    for place in np.argsort(room, axis=None)[::-1]:
        at = np.unravel_index(place, room.shape)
        if not room[at]:
            break
        sides = [
            (int(np.broadcast_to(part, room.shape)[at]) - SHRUNK) * step
            for part in (before, behind, below, above)
        ]
        box = (reach - sides[0], reach + sides[1]), (height - sides[2], height + sides[3])
        if knee_up(leg, *_edges(*box)).all():
            return box
    raise ValueError(
        f'the neutral foot of leg {number} lies on or past a joint limit; '
        'choose another height or reach for the stance'
    )


def _room(one: NDArray[np.int_], other: NDArray[np.int_]) -> Array:
    """Rate the room on two sides of a foot: that on the narrower one, and a little for the other.

    A foot at the edge of its volume has nowhere to go, however large that is.
    """
    rated: Array = np.minimum(one, other) + 0.1 * np.maximum(one, other)
    return rated


def _edges(reach: tuple[float, float], height: tuple[float, float]) -> tuple[Array, Array]:
    """Return points along the four sides of a rectangle."""
    r, h = np.linspace(*reach, EDGE), np.linspace(*height, EDGE)
    ones = np.ones(EDGE)
    return (
        np.concatenate((r, r, ones * reach[0], ones * reach[1])),
        np.concatenate((ones * height[0], ones * height[1], h, h)),
    )


def _ahead(yaw: float) -> Vector:
    """Return the level direction of a yaw, in the axes of a hip."""
    return (math.cos(yaw), math.sin(yaw), 0.0)


def _level(up: float) -> Vector:
    """Return the direction up or down."""
    return (0.0, 0.0, up)


def _plane(leg: ArticulatedLeg, name: str, normal: Vector, distance: float) -> HalfSpace:
    """Return the half-space of points less than a distance along a normal from a hip."""
    cos, sin = math.cos(leg.heading), math.sin(leg.heading)
    x, y, z = normal
    turned = (cos * x - sin * y, sin * x + cos * y, z)
    from_hip = sum(part * origin for part, origin in zip(turned, leg.mount, strict=True))
    return HalfSpace(name, turned, -from_hip - distance, -1)
