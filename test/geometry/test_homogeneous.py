"""Poses as 4 x 4 matrices (aquarobot.md §3.1)."""

import numpy as np
import pytest

from walking_robots.geometry.homogeneous import points_of, pose_matrix, rigid_inverse


def test_a12_inverse_of_a_pose():
    pose = pose_matrix(0.3, -0.3, 0, -300, -90, -90)
    inverse = rigid_inverse(pose)
    assert inverse[:3, 3] == pytest.approx((325.806072, -2.675778, -6.575984), abs=1e-6)
    rng = np.random.default_rng(3)
    poses = pose_matrix(*rng.uniform(-3, 3, (3, 500)), *rng.uniform(-1, 1, (3, 500)))
    assert np.abs(poses @ rigid_inverse(poses) - np.eye(4)).max() < 1e-12


def test_pose_is_yaw_pitch_and_roll_in_this_order():
    # One increment of check A11.
    rows = pose_matrix(0.1, -0.05, 0.02, 5, -3, 2)[:3]
    assert rows == pytest.approx(
        np.array(
            [
                (0.993761, -0.100808, -0.047723, 5.0),
                (0.099709, 0.994705, -0.024887, -3.0),
                (0.049979, 0.019974, 0.998551, 2.0),
            ]
        ),
        abs=1e-6,
    )


def test_points_are_mapped_by_every_pose():
    poses = pose_matrix([0.0, np.pi / 2], 0, 0, 1, 2, 3)
    mapped = points_of(poses, [(0, 0, 0), (1, 0, 0)])
    expected = [[(1, 2, 3), (2, 2, 3)], [(1, 2, 3), (1, 3, 3)]]
    assert mapped == pytest.approx(np.array(expected, dtype=float), abs=1e-12)
