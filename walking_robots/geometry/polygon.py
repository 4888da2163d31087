"""Convex hulls of a few points, and how deep a point lies within one."""

import math
from collections.abc import Iterable
from typing import NamedTuple

Point = tuple[float, float]


class Depth(NamedTuple):
    """Distance from a hull's nearest edge to an inner point, and the vector from edge to point."""

    distance: float
    away: Point


def convex_hull(points: Iterable[Point]) -> list[Point]:
    """Return the corners of the convex hull, counter-clockwise (Andrew's monotone chain).

    Points on an edge are no corners. Fewer than three corners mean a degenerate hull.
    """
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    if len(ordered) == 3:
        # Most feet stand by threes.
        (ax, ay), (bx, by), (cx, cy) = a, b, c = ordered
        turn = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
        return ordered if turn > 0.0 else [a, c, b] if turn < 0.0 else [a, c]
    lower = _chain(ordered)
    upper = _chain(ordered[::-1])
    return lower[:-1] + upper[:-1]


def _chain(ordered: list[Point]) -> list[Point]:
    chain: list[Point] = []
    for point in ordered:
        x, y = point
        while len(chain) > 1:
            ax, ay = chain[-2]
            bx, by = chain[-1]
            if (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0.0:
                break
            chain.pop()
        chain.append(point)
    return chain


def depth(hull: list[Point], point: Point) -> Depth | None:
    """Return how deep a point is in a counter-clockwise hull; None outside or on the border."""
    if len(hull) < 3:
        return None
    x, y = point
    best = math.inf
    away = (0.0, 0.0)
    ax, ay = hull[-1]
    for bx, by in hull:
        ex, ey = bx - ax, by - ay
        length = math.sqrt(ex * ex + ey * ey)
        distance = (ex * (y - ay) - ey * (x - ax)) / length
        if distance <= 0.0:
            return None
        if distance < best:
            best = distance
            away = (-ey / length * distance, ex / length * distance)
        ax, ay = bx, by
    return Depth(best, away)
