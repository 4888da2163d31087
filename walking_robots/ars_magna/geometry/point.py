"""Points and vectors of the plane (ars_magna.md §2.1, G01 to G11)."""

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Point:
    """A point or a vector; cells, x to the right, y down (ars_magna.md §1.9)."""

    x: float
    y: float

    def __add__(self, other: 'Point') -> 'Point':
        return Point(self.x + other.x, self.y + other.y)

    def __sub__(self, other: 'Point') -> 'Point':
        return Point(self.x - other.x, self.y - other.y)

    def __neg__(self) -> 'Point':
        return Point(-self.x, -self.y)

    def __mul__(self, factor: float) -> 'Point':
        return Point(self.x * factor, self.y * factor)

    __rmul__ = __mul__


ORIGIN = Point(0.0, 0.0)


def distance(a: Point, b: Point) -> float:
    """Return the distance between two points."""
    return math.hypot(b.x - a.x, b.y - a.y)


def norm(p: Point) -> float:
    """Return the length of a vector."""
    return math.hypot(p.x, p.y)
