"""Postures on the way of a trajectory."""

import math

import pytest

from walking_robots.servos.trajectory import JointCourse


def test_it_moves_evenly_from_point_to_point() -> None:
    course = JointCourse([0.0, 1.0], [1.0, 3.0], [[1.0, 1.0], [1.0, 0.0]])
    assert course.duration == 3.0
    assert [course.at(time) for time in (-1.0, 0.5, 2.0, 9.0)] == [
        [0.0, 1.0], [0.5, 1.0], [1.0, 0.5], [1.0, 0.0],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ('times', 'points'),
    [([], []), ([1.0], [[0.0]]), ([2.0, 1.0], [[0.0] * 2] * 2), ([math.nan], [[0.0] * 2])],
)
def test_what_is_no_trajectory_is_refused(times: list[float], points: list[list[float]]) -> None:
    with pytest.raises(ValueError, match='trajectory'):
        JointCourse([0.0, 0.0], times, points)
