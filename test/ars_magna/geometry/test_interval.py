"""Intervals and boxes of ars_magna.md §2.1: T02 to T05 of §11.1, and what a hull promises."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walking_robots.ars_magna.geometry.interval import Box, Interval
from walking_robots.ars_magna.geometry.point import Point, distance, norm

I = Interval  # noqa: E741
numbers = st.floats(-1e3, 1e3)
points = st.builds(Point, numbers, numbers)
shares = st.floats(0.0, 1.0)


def between(p: tuple[float, float, float, float]) -> Box:
    return Box.between(Point(p[0], p[1]), Point(p[2], p[3]))


def test_t02_arithmetic() -> None:
    assert I(1, 2) + I(3, 5) == I(4, 7)
    assert I(1, 2) - I(3, 5) == I(-4, -1)
    assert I(1, 2) * -2 == -2 * I(1, 2) == I(-4, -2)
    assert -I(1, 2) == I(-2, -1)


def test_t03_a_box() -> None:
    box = Box(I(0, 3), I(0, 4))
    assert (box.width, box.dx, box.dy) == (5.0, 3.0, 4.0)
    assert box.nominal == Point(1.5, 2.0)
    assert between((3, 0, 0, 4)) == box


def test_t04_gap_overlap_and_hull() -> None:
    assert I(0, 1).gap(I(3, 4)) == I(3, 4).gap(I(0, 1)) == 2.0
    assert I(0, 3).overlap_width(I(2, 5)) == 1.0
    assert I(0, 3).hull(I(2, 5)) == I(0, 5)
    assert I(0, 1).overlap_width(I(3, 4)) == 0.0


def test_t05_less() -> None:
    assert I(0, 1).is_below(I(1.5, 2)) and I(1.5, 2).is_above(I(0, 1))
    assert not I(0, 1).is_below(I(1, 2)) and not I(1, 2).is_above(I(0, 1))


def test_sets_of_numbers() -> None:
    assert I(0, 1).intersects(I(1, 2)) and not I(0, 1).intersects(I(1.1, 2))
    assert I(0, 1).intersection(I(1, 2)) == I(1, 1)
    assert I(0, 1).intersection(I(1.1, 2)) is None
    assert I(0, 1).is_subset(I(0, 1)) and not I(0, 1.1).is_subset(I(0, 1))
    assert I(0, 1).contains(1.0) and not I(0, 1).contains(1.1)
    assert I(0, 1).hull_with(3.0) == I(0, 3)
    assert I.hull_of(2.0, 5.0, -1.0) == I(-1, 5)
    assert I.lift(2.0) == I.hull_of(2.0) == I(2, 2)


def test_growing_stops_at_the_middle() -> None:
    assert I(0, 2).grow(0.5) == I(-0.5, 2.5)
    assert I(0, 2).grow(-0.5) == I(0.5, 1.5)
    assert I(0, 2).grow(-7.0) == I(1, 1)
    assert Box(I(0, 2), I(0, 8)).grow(-2.0) == Box(I(1, 1), I(2, 6))


@pytest.mark.parametrize(
    ('other', 'gap'),
    [((1, 1, 3, 3), 0.0), ((4, 0, 5, 1), 2.0), ((0, 5, 1, 9), 3.0), ((4, 5, 9, 9), 2.0)],
)
def test_the_gap_of_boxes_is_along_an_axis(
    other: tuple[float, float, float, float], gap: float
) -> None:
    box = between((0, 0, 2, 2))
    assert box.gap(between(other)) == between(other).gap(box) == gap


def test_sets_of_points() -> None:
    box, other = between((0, 0, 2, 2)), between((1, 1, 4, 5))
    assert box.intersection(other) == between((1, 1, 2, 2))
    assert box.overlap_width(other) == pytest.approx(math.sqrt(2.0))
    assert box.intersection(between((1, 3, 2, 4))) is None
    assert not box.intersects(between((3, 1, 4, 2)))
    assert box.overlap_width(between((3, 1, 4, 2))) == 0.0
    assert box.hull(other) == between((0, 0, 4, 5))
    assert box.hull_with(Point(-1.0, 1.0)) == between((-1, 0, 2, 2))
    assert between((1, 1, 2, 2)).is_subset(box) and not other.is_subset(box)
    assert box.is_below(between((3, 3, 4, 4))) and not box.is_below(between((3, 1, 4, 4)))
    assert between((3, 3, 4, 4)).is_above(box)
    assert Box.hull_of(Point(1, 2), Point(0, 5), Point(3, 3)) == between((0, 2, 3, 5))
    assert Box.lift(Point(1, 2)) == between((1, 2, 1, 2))
    assert box + other == between((1, 1, 6, 7)) and -box == between((-2, -2, 0, 0))
    assert 2.0 * box == box * 2.0 == between((0, 0, 4, 4))


def test_lengths_in_a_box() -> None:
    assert between((3, 4, 6, 8)).norm() == I(5, 10)
    assert between((-3, -4, 1, 1)).norm() == I(0, 5)
    assert between((0, 0, 1, 1)).distance(between((4, 5, 4, 5))) == I(5, math.hypot(4, 5))


@pytest.mark.parametrize('bounds', [(1.0, 0.0), (math.nan, 0.0), (0.0, math.nan)])
def test_bounds_that_bound_nothing_are_refused(bounds: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match='min <= max'):
        Interval(*bounds)


@given(points, points, points, points, shares, shares)
def test_results_of_members_are_members(
    a: Point, b: Point, c: Point, d: Point, s: float, t: float
) -> None:
    def member(p: Point, q: Point) -> Point:
        return Point(p.x + s * (q.x - p.x), p.y + t * (q.y - p.y))

    first, second, p, q = Box.between(a, b), Box.between(c, d), member(a, b), member(c, d)
    assert (first + second).grow(1e-9).contains(p + q)
    assert (first - second).grow(1e-9).contains(p - q)
    assert (first * -3.0).grow(1e-9).contains(p * -3.0)
    assert first.norm().grow(1e-9).contains(norm(p))
    assert first.distance(second).grow(1e-9).contains(distance(p, q))
    assert first.hull(second).grow(1e-9).contains(q)
    assert first.grow(-abs(s)).is_subset(first)
