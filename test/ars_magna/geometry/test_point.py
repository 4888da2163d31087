"""Vectors of ars_magna.md §2.1."""

import pytest

from walking_robots.ars_magna.geometry.point import ORIGIN, Point, distance, norm


def test_arithmetic_of_points() -> None:
    p, q = Point(1.0, 2.0), Point(4.0, 6.0)
    assert p + q == Point(5.0, 8.0)
    assert q - p == Point(3.0, 4.0)
    assert -p == Point(-1.0, -2.0)
    assert p * -2.0 == -2.0 * p == Point(-2.0, -4.0)
    assert distance(p, q) == distance(q, p) == norm(q - p) == 5.0
    assert norm(ORIGIN) == 0.0


def test_points_are_values() -> None:
    p = Point(1.0, 2.0)
    assert hash(p) == hash(Point(1.0, 2.0))
    with pytest.raises(AttributeError):
        p.x = 3.0  # type: ignore[misc]
