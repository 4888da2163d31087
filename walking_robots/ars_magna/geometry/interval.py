"""Closed intervals of numbers, and boxes of points made of two (ars_magna.md §2.1, G02 to G26)."""

import math
from dataclasses import dataclass
from typing import Optional

from walking_robots.ars_magna.geometry.point import Point


@dataclass(frozen=True, slots=True)
class Interval:
    """All numbers from ``min`` to ``max``, both included; raises ValueError where there are none.

    Arithmetic gives all results that members can have.
    """

    min: float
    max: float

    def __post_init__(self) -> None:
        """Refuse bounds that do not bound anything."""
        if not self.min <= self.max:
            raise ValueError(f'an interval needs min <= max, not {self.min} and {self.max}')

    @staticmethod
    def lift(number: float) -> 'Interval':
        """Return the interval of one number."""
        return Interval(number, number)

    @staticmethod
    def hull_of(first: float, *others: float) -> 'Interval':
        """Return the least interval with all of some numbers."""
        return (
            Interval(min(first, *others), max(first, *others)) if others else Interval.lift(first)
        )

    def __add__(self, other: 'Interval') -> 'Interval':
        return Interval(self.min + other.min, self.max + other.max)

    def __sub__(self, other: 'Interval') -> 'Interval':
        return Interval(self.min - other.max, self.max - other.min)

    def __neg__(self) -> 'Interval':
        return Interval(-self.max, -self.min)

    def __mul__(self, factor: float) -> 'Interval':
        low, high = self.min * factor, self.max * factor
        return Interval(low, high) if factor >= 0.0 else Interval(high, low)

    __rmul__ = __mul__

    @property
    def width(self) -> float:
        """Return the greatest distance between two members."""
        return self.max - self.min

    @property
    def nominal(self) -> float:
        """Return the middle."""
        return self.min + 0.5 * (self.max - self.min)

    def contains(self, number: float) -> bool:
        """Return whether a number is a member."""
        return self.min <= number <= self.max

    def intersects(self, other: 'Interval') -> bool:
        """Return whether the two have a member in common."""
        return self.min <= other.max and other.min <= self.max

    def is_subset(self, other: 'Interval') -> bool:
        """Return whether all members are members of another one."""
        return other.min <= self.min and self.max <= other.max

    def intersection(self, other: 'Interval') -> Optional['Interval']:
        """Return what both have in common, None where that is nothing."""
        if not self.intersects(other):
            return None
        return Interval(max(self.min, other.min), min(self.max, other.max))

    def overlap_width(self, other: 'Interval') -> float:
        """Return the width of what both have in common, 0 for nothing."""
        common = self.intersection(other)
        return common.width if common else 0.0

    def gap(self, other: 'Interval') -> float:
        """Return the least distance between members of the two, 0 where they overlap."""
        return max(0.0, other.min - self.max, self.min - other.max)

    def hull(self, other: 'Interval') -> 'Interval':
        """Return the least interval with all members of both."""
        return Interval(min(self.min, other.min), max(self.max, other.max))

    def hull_with(self, number: float) -> 'Interval':
        """Return the least interval with all members and a number."""
        return Interval(min(self.min, number), max(self.max, number))

    def grow(self, by: float) -> 'Interval':
        """Return the interval with both bounds moved outwards, or inwards as far as the middle."""
        low, high = self.min - by, self.max + by
        return Interval(low, high) if low <= high else Interval.lift(self.nominal)

    def is_below(self, other: 'Interval') -> bool:
        """Return whether every member is less than every member of another one."""
        return self.max < other.min

    def is_above(self, other: 'Interval') -> bool:
        """Return whether every member is greater than every member of another one."""
        return self.min > other.max


@dataclass(frozen=True, slots=True)
class Box:
    """All points with x and y in two intervals; arithmetic as with intervals."""

    x: Interval
    y: Interval

    @staticmethod
    def between(p: Point, q: Point) -> 'Box':
        """Return the box that has two points as opposite corners."""
        return Box(Interval.hull_of(p.x, q.x), Interval.hull_of(p.y, q.y))

    @staticmethod
    def lift(point: Point) -> 'Box':
        """Return the box of one point."""
        return Box(Interval.lift(point.x), Interval.lift(point.y))

    @staticmethod
    def hull_of(first: Point, *others: Point) -> 'Box':
        """Return the least box with all of some points."""
        return Box(
            Interval.hull_of(first.x, *(point.x for point in others)),
            Interval.hull_of(first.y, *(point.y for point in others)),
        )

    def __add__(self, other: 'Box') -> 'Box':
        return Box(self.x + other.x, self.y + other.y)

    def __sub__(self, other: 'Box') -> 'Box':
        return Box(self.x - other.x, self.y - other.y)

    def __neg__(self) -> 'Box':
        return Box(-self.x, -self.y)

    def __mul__(self, factor: float) -> 'Box':
        return Box(self.x * factor, self.y * factor)

    __rmul__ = __mul__

    @property
    def dx(self) -> float:
        """Return the width along x."""
        return self.x.width

    @property
    def dy(self) -> float:
        """Return the width along y."""
        return self.y.width

    @property
    def width(self) -> float:
        """Return the diagonal, the greatest distance between two members."""
        return math.hypot(self.dx, self.dy)

    @property
    def nominal(self) -> Point:
        """Return the middle."""
        return Point(self.x.nominal, self.y.nominal)

    def contains(self, point: Point) -> bool:
        """Return whether a point is a member."""
        return self.x.contains(point.x) and self.y.contains(point.y)

    def intersects(self, other: 'Box') -> bool:
        """Return whether the two have a member in common."""
        return self.x.intersects(other.x) and self.y.intersects(other.y)

    def is_subset(self, other: 'Box') -> bool:
        """Return whether all members are members of another one."""
        return self.x.is_subset(other.x) and self.y.is_subset(other.y)

    def intersection(self, other: 'Box') -> Optional['Box']:
        """Return what both have in common, None where that is nothing."""
        x, y = self.x.intersection(other.x), self.y.intersection(other.y)
        return Box(x, y) if x and y else None

    def overlap_width(self, other: 'Box') -> float:
        """Return the diagonal of what both have in common, 0 for nothing."""
        common = self.intersection(other)
        return common.width if common else 0.0

    def gap(self, other: 'Box') -> float:
        """Return the lesser of the gaps along the axes that are not 0, or 0 where both are."""
        gaps = [gap for gap in (self.x.gap(other.x), self.y.gap(other.y)) if gap > 0.0]
        return min(gaps, default=0.0)

    def hull(self, other: 'Box') -> 'Box':
        """Return the least box with all members of both."""
        return Box(self.x.hull(other.x), self.y.hull(other.y))

    def hull_with(self, point: Point) -> 'Box':
        """Return the least box with all members and a point."""
        return Box(self.x.hull_with(point.x), self.y.hull_with(point.y))

    def grow(self, by: float) -> 'Box':
        """Return the box with all sides moved outwards, or inwards as far as the middle."""
        return Box(self.x.grow(by), self.y.grow(by))

    def is_below(self, other: 'Box') -> bool:
        """Return whether the x and y of every member are less than those of every other."""
        return self.x.is_below(other.x) and self.y.is_below(other.y)

    def is_above(self, other: 'Box') -> bool:
        """Return whether the x and y of every member are greater than those of every other."""
        return self.x.is_above(other.x) and self.y.is_above(other.y)

    def norm(self) -> Interval:
        """Return the lengths that members can have as vectors."""
        nearest = (max(0.0, side.min, -side.max) for side in (self.x, self.y))
        farthest = (max(-side.min, side.max) for side in (self.x, self.y))
        return Interval(math.hypot(*nearest), math.hypot(*farthest))

    def distance(self, other: 'Box') -> Interval:
        """Return the distances that members of the two can have."""
        return (self - other).norm()
