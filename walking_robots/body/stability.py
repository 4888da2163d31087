"""Static stability margin and the push that restores it (asv.md §10)."""

from collections.abc import Iterable
from typing import NamedTuple

from walking_robots.geometry.polygon import convex_hull, depth
from walking_robots.robots.model import StabilityLimits


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


def recovery_push(margin: StabilityMargin, limits: StabilityLimits) -> tuple[float, float] | None:
    """Give the velocity (m/s, odometry axes) that leads the body away from the nearest edge.

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
