"""Where a body on given feet may be, and how far it can go there."""

import math
from collections.abc import Iterable

import numpy as np

from walking_robots.gaits.planned.sections import Sections
from walking_robots.geometry.polygon import convex_hull
from walking_robots.geometry.polygons import Array, Points, inset

HalfPlanes = tuple[Points, Array]
"""Normals and limits of some half-planes."""


class Region:
    """Places of the body in the common part of half-planes; it shrinks as more are added."""

    def __init__(self, *parts: HalfPlanes) -> None:
        """Begin with the common part of half-planes, or with the whole plane."""
        self._parts = list(parts)

    def add(self, part: HalfPlanes) -> None:
        """Keep to more half-planes."""
        self._parts.append(part)

    def room(self, point: complex) -> float:
        """Return how deep a point is inside, m; negative outside."""
        return min(
            (float((limits - _along(normals, point)).min()) for normals, limits in self._parts),
            default=math.inf,
        )

    def way(self, start: complex, end: complex) -> float:
        """Return how far one can go from a point inside towards an end, m."""
        length = abs(end - start)
        if not length:
            return 0.0
        direction = (end - start) / length
        far = length
        for normals, limits in self._parts:
            speed = _along(normals, direction)
            room = limits - _along(normals, start)
            leaving = speed > 1e-9
            if leaving.any():
                far = min(far, float((room[leaving] / speed[leaving]).min()))
        return max(far, 0.0)


def _along(normals: Points, point: complex) -> Array:
    return normals.real * point.real + normals.imag * point.imag


def reach(sections: Sections, posture: int, leg: int, foot: complex) -> HalfPlanes:
    """Return the half-planes from which a leg, by index, reaches a foot, m."""
    normals, limits = sections.bodies(np.array([posture]), np.array([leg]), np.array([foot]))
    return normals[0], limits[0]


def support(feet: Iterable[complex], margin: float) -> HalfPlanes:
    """Return the half-planes in which a body on some feet, m, has a stability margin, m."""
    hull = convex_hull((foot.real, foot.imag) for foot in feet)
    if len(hull) < 3:
        return np.ones(2, complex) * np.array([1, -1]), np.full(2, -math.inf)
    normals, limits = inset(np.array([[complex(*corner) for corner in hull]]), margin)
    return normals[0], limits[0]
