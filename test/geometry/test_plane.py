"""Support planes: A10 of asv.md §19.1."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from walking_robots.geometry.plane import fit_plane
from walking_robots.geometry.pose import Pose, from_quaternion


def test_a10_exact_plane():
    points = [(x, y, 0.1 * x - 0.05 * y + 2) for x, y in ((0, 0), (5, 1), (2, 7), (-3, 2), (4, 4))]
    plane = fit_plane(points)
    assert plane is not None
    norm = np.sqrt(0.1**2 + 0.05**2 + 1)
    assert plane.normal == pytest.approx((-0.1 / norm, 0.05 / norm, 1 / norm), abs=1e-9)
    assert plane.offset == pytest.approx(-2 / norm, abs=1e-9)


@given(st.integers(0, 10_000), st.integers(4, 6))
def test_a10_equals_least_squares(seed, n):
    points = np.random.default_rng(seed).uniform(-3, 3, (n, 3))
    plane = fit_plane([tuple(point) for point in points.tolist()])
    design = np.column_stack((np.ones(n), points[:, :2]))
    (c, a, b), *_ = np.linalg.lstsq(design, points[:, 2], rcond=None)
    assert plane is not None
    for x, y in ((0.0, 0.0), (1.0, -2.0)):
        assert plane.height_at(x, y) == pytest.approx(c + a * x + b * y, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(
    'points',
    [
        [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)],
        [(1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (1.0, 2.0, 0.0)],
        [(0.0, 0.0, 0.0), (1.0, 1.0, 0.0), (2.0, 2.0, 1.0)],
    ],
)
def test_points_on_a_line_give_no_plane(points):
    assert fit_plane(points) is None


def test_distance_to_a_plane_is_the_same_in_every_frame():
    plane = fit_plane([(0.0, 0.0, 1.0), (1.0, 0.0, 1.2), (0.0, 1.0, 0.7)])
    assert plane is not None
    pose = from_quaternion((1.0, 2.0, 3.0), (0.5, 0.5, -0.5, 0.5))
    level = plane.in_body(pose)
    point = (0.3, -0.2, 0.4)
    world = pose.apply(point)
    distance = np.dot(plane.normal, world) + plane.offset
    assert np.dot(level.normal, point) + level.offset == pytest.approx(distance)
    assert Pose((0.0, 0.0, 0.0)).to_body((1.0, 2.0, 3.0)) == (1.0, 2.0, 3.0)
