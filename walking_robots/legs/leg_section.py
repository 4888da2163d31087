"""Where a foot can be in the vertical plane of its leg: the arcs that bound it, and what follows.

Coordinates of the plane: u out from the axis of the hip, h up from the hip, m. A joint at rest on
one of its limits, or a stretched knee, moves the foot along an arc; the border of what a leg
reaches is made of such arcs, and all of them belong to it.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from walking_robots.robots.articulated import ArticulatedLeg

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

STRETCH_TOLERANCE = 1e-12
"""How far past 1 the cosine of a knee is still a stretched leg."""

LIFT_HELD = 2
"""The first arcs of each leg hold the lift joint, the others the knee."""


class SectionPoint(NamedTuple):
    """Points of the plane (u, h, m) and the canonical joints that lead there, rad."""

    u: Array
    h: Array
    lift: Array
    knee: Array


def wrapped(angle: Array) -> Array:
    """Return angles in -pi ... pi, rad."""
    turned: Array = angle - 2.0 * np.pi * np.rint(angle / (2.0 * np.pi))
    return turned


def folded(out: Array, h: Array, femur: Array, tibia: Array) -> tuple[Array, Array, Array, Mask]:
    """Return bearing, fold and bend of femur and tibia to points, rad, and whether they close.

    out: ahead of the end of the coxa, m. With the knee up lift is bearing + fold and knee is
    -bend; with the knee down lift is bearing - fold and knee is bend (aquarobot.md §3.5).
    """
    cosine = (out * out + h * h - femur**2 - tibia**2) / (2.0 * femur * tibia)
    closes = np.abs(cosine) <= 1.0 + STRETCH_TOLERANCE
    cosine = np.minimum(np.maximum(cosine, -1.0), 1.0)
    fold = np.arctan2(tibia * np.sqrt(1.0 - cosine * cosine), femur + tibia * cosine)
    return np.arctan2(h, out), fold, np.arccos(cosine), closes


class LegSections:
    """The bounding arcs of several legs: lift at both limits, knee at both, knee stretched."""

    def __init__(self, legs: Sequence[ArticulatedLeg]) -> None:
        """Take links and joint ranges."""
        self._links = coxa, femur, tibia = (
            np.array([[leg.coxa] for leg in legs]),
            np.array([[leg.femur] for leg in legs]),
            np.array([[leg.tibia] for leg in legs]),
        )
        lift = np.array([(leg.ranges[1].low, leg.ranges[1].high) for leg in legs])
        knee = np.array([(leg.ranges[2].low, leg.ranges[2].high) for leg in legs])
        self._lift, self._knee = lift, knee
        stretched = np.clip(0.0, *knee.T)
        self._held = np.column_stack((lift, knee, stretched))
        at_knee = np.column_stack((knee, stretched))
        along, across = femur + tibia * np.cos(at_knee), tibia * np.sin(at_knee)
        none = np.zeros_like(at_knee)
        self._u = np.hstack((coxa + femur * np.cos(lift), coxa + none))
        self._h = np.hstack((femur * np.sin(lift), none))
        self._radius = np.hstack((tibia + 0.0 * lift, np.hypot(along, across)))
        self._base = np.hstack((lift, np.arctan2(across, along)))
        free = np.stack((knee, knee, lift, lift, lift), axis=1)
        self._middle, self._half = free.mean(axis=2), np.ptp(free, axis=2) / 2.0

    def nearest(self, leg: NDArray[np.intp], u: Array, h: Array) -> SectionPoint:
        """Return the points that legs reach in their planes nearest to others.

        leg: places of legs, (n,); u, h: points in their planes, (n, k); result: (n, k) each.
        """
        centre_u, centre_h = self._u[leg, None], self._h[leg, None]
        border = self._towards(leg, np.arctan2(h[..., None] - centre_h, u[..., None] - centre_u))
        away = np.hypot(border.u - u[..., None], border.h - h[..., None])
        best = away.argmin(axis=-1)[..., None]
        spot = SectionPoint(*(np.take_along_axis(part, best, axis=-1)[..., 0] for part in border))
        coxa, femur, tibia = (length[leg] for length in self._links)
        bearing, fold, bend, closes = folded(u - coxa, h, femur, tibia)
        for up in (-1.0, 1.0):
            lift, knee = wrapped(bearing - up * fold), up * bend
            inside = closes & _within(lift, self._lift[leg]) & _within(knee, self._knee[leg])
            reached = SectionPoint(u, h, lift, knee)
            spot = SectionPoint(
                *(np.where(inside, *pair) for pair in zip(reached, spot, strict=True))
            )
        return spot

    def farthest(self, leg: int, direction: ArrayLike) -> SectionPoint:
        """Return the points that a leg reaches farthest in directions (n,), rad from u to h."""
        angle = np.asarray(direction, dtype=float)[:, None]
        spots = self._towards(np.full(len(angle), leg), angle[:, None, :])
        along = spots.u[:, 0] * np.cos(angle) + spots.h[:, 0] * np.sin(angle)
        best = along.argmax(axis=-1)[:, None]
        return SectionPoint(
            *(np.take_along_axis(part[:, 0], best, axis=-1)[:, 0] for part in spots)
        )

    def _towards(self, leg: NDArray[np.intp], angle: Array) -> SectionPoint:
        """Return the point of each arc nearest to a direction from its centre, (n, k, arcs)."""
        base, middle, half = (part[leg, None] for part in (self._base, self._middle, self._half))
        free = middle + np.clip(wrapped(angle - base - middle), -half, half)
        held = np.broadcast_to(self._held[leg, None], free.shape)
        radius = self._radius[leg, None]
        holds_lift = np.arange(free.shape[-1]) < LIFT_HELD
        return SectionPoint(
            self._u[leg, None] + radius * np.cos(base + free),
            self._h[leg, None] + radius * np.sin(base + free),
            np.where(holds_lift, held, free),
            np.where(holds_lift, free, held),
        )


def _within(angle: Array, limits: Array) -> Mask:
    """Return which angles, (n, k), lie within limits, (n, 2)."""
    kept: Mask = (angle >= limits[:, :1]) & (angle <= limits[:, 1:])
    return kept
