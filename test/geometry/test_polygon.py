"""Convex hulls and depths in them."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walking_robots.geometry.polygon import convex_hull, depth

coordinate = st.integers(-20, 20).map(float)
points = st.lists(st.tuples(coordinate, coordinate), max_size=8)


def test_corners_run_counter_clockwise_without_points_on_edges():
    square = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]
    assert convex_hull([*square, (1.0, 0.0), (1.0, 1.0)]) == square


@given(points)
def test_a_hull_is_convex_and_holds_every_point(feet):
    hull = convex_hull(feet)
    assert set(hull) <= set(feet)
    if len(hull) < 3:
        return
    for (ax, ay), (bx, by) in zip(hull, hull[1:] + hull[:1], strict=True):
        for x, y in feet:
            assert (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0


@given(points)
def test_corners_have_no_depth(feet):
    hull = convex_hull(feet)
    assert all(depth(hull, corner) is None for corner in hull)


def test_depth_and_the_way_inside():
    found = depth([(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)], (1.0, 2.0))
    assert found is not None
    assert found.distance == pytest.approx(1.0)
    assert found.away == pytest.approx((1.0, 0.0))
    assert math.hypot(*found.away) == pytest.approx(found.distance)


def test_nothing_is_deep_in_a_line():
    assert depth(convex_hull([(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]), (1.0, 1.0)) is None
