"""Stability margins: static and by energy; the push that restores the static one (asv.md §10)."""

import math
from collections.abc import Iterable
from typing import NamedTuple

from walking_robots.geometry.polygon import convex_hull, depth
from walking_robots.geometry.pose import Vector
from walking_robots.robots.model import StabilityLimits

GRAVITY = 9.80665
"""Standard acceleration of free fall, m/s^2."""


class StabilityMargin(NamedTuple):
    """Margin, m, and the vector (m, odometry axes) from the nearest edge to the body centre."""

    value: float
    away: tuple[float, float] = (0.0, 0.0)


def stability_margin(
    feet: Iterable[tuple[float, ...]], centre: tuple[float, ...], limits: StabilityLimits
) -> StabilityMargin:
    """Measure how deep the body centre lies in the support polygon.

    ``feet`` are support points and ``centre`` is the centre of gravity, m in the odometry
    frame, of which x and y count. Fewer than three feet give ``limits.too_few``; a centre
    outside or on the border gives ``limits.outside``.
    """
    points = [(foot[0], foot[1]) for foot in feet]
    if len(points) < 3:
        return StabilityMargin(limits.too_few)
    inside = depth(convex_hull(points), (centre[0], centre[1]))
    if inside is None:
        return StabilityMargin(limits.outside)
    return StabilityMargin(inside.distance, inside.away)


def energy_margin(feet: Iterable[Vector], centre: Vector, mass: float) -> float:
    """Return the least energy, J, that tips a robot over an edge of its support polygon.

    ``feet`` and ``centre`` (of gravity) are in m, z up; ``mass`` in kg. To tip, the centre must
    rise over the edge it turns about (D. A. Messuri and C. A. Klein, 1985). 0 where the centre is
    not above the polygon already, or fewer than three feet stand.
    """
    heights = {(x, y): z for x, y, z in feet}
    hull = convex_hull(heights)
    if depth(hull, (centre[0], centre[1])) is None:
        return 0.0
    rise = math.inf
    for one, other in zip(hull, hull[1:] + hull[:1], strict=True):
        start = (*one, heights[one])
        edge = [b - a for a, b in zip(start, (*other, heights[other]), strict=True)]
        length = math.hypot(*edge)
        x, y, z = (part / length for part in edge)
        rx, ry, rz = (b - a for a, b in zip(start, centre, strict=True))
        along = rx * x + ry * y + rz * z
        rx, ry, rz = rx - along * x, ry - along * y, rz - along * z
        top = math.hypot(rx, ry, rz) * math.sqrt(1.0 - z * z)
        rise = min(rise, top - rz)
    return mass * GRAVITY * rise


def recovery_push(margin: StabilityMargin, limits: StabilityLimits) -> tuple[float, float] | None:
    """Return the velocity (m/s, odometry axes) that leads the body away from the nearest edge.

    None for a negative margin: the body must stop (asv.md §10.4).
    """
    if margin.value < 0.0:
        return None
    x, y = margin.away
    if margin.value == 0.0:
        return (0.0, 0.0)
    scale = limits.push_speed / margin.value
    if margin.value >= limits.push_cap_below:
        scale *= limits.push_cap_below / margin.value
    return (x * scale, y * scale)
