"""Kinematics of legs with three rotary joints (aquarobot.md §3.4 to §3.6, §12).

The specification writes feet from the hip in cm with z down; H turns them into the house frame.
"""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.cpu_time import cpu_time
from walking_robots.legs.articulated import ArticulatedLegs, OutOfReachError
from walking_robots.robots.aquarobot import AQUAROBOT

LEGS = ArticulatedLegs(AQUAROBOT)
H = np.array((0.01, -0.01, -0.01))
MOUNT = np.array(AQUAROBOT.legs[0].mount)


def random_joints(count: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).uniform(LEGS.low, LEGS.high, (count, 6, 3))


def with_first_leg(foot: np.ndarray) -> np.ndarray:
    """Return six feet of which only the first is not at its home."""
    feet = LEGS.forward(LEGS.home)
    feet[0] = foot
    return feet


def at_hip(*away: float) -> np.ndarray:
    """Return a point from the hip of the first leg, m."""
    return MOUNT + np.array(away)


def degrees(*angles: float) -> np.ndarray:
    """Return canonical joints of angles of the thesis."""
    return np.radians(angles) * (-1, 1, 1)


@pytest.mark.parametrize(
    ('angles', 'foot'),
    [
        ((0, -106.6, -156.4), (31.028647, 0, -51.338486)),
        ((0, -106.6, 23.6), (55.402516, 0, 147.170744)),
        ((0, 73.4, -156.4), (83.971353, 0, 51.338486)),
        ((0, 73.4, 23.6), (59.597484, 0, -147.170744)),
        ((60, -106.6, -156.4), (34.264324, -5.604356, -51.338486)),
        ((60, 73.4, -156.4), (60.735676, 40.245372, 51.338486)),
        ((-60, 73.4, 23.6), (48.548742, -19.136983, -147.170744)),
    ],
)
def test_a6_feet_at_the_corners_of_the_limits(angles, foot):
    joints = LEGS.home.copy()
    joints[0] = degrees(*angles)
    assert LEGS.within(joints).all()
    assert LEGS.forward(joints)[0] / H == pytest.approx(foot, abs=1e-6)


def test_a4_all_legs_agree_with_their_data():
    joints = random_joints(50)
    feet = LEGS.forward(joints)
    for k, leg in enumerate(AQUAROBOT.legs):
        single = [leg.forward(row) for row in joints[:, k].tolist()]
        assert np.abs(feet[:, k] - single).max() < 1e-14


def test_points_are_a_link_apart_and_end_at_the_foot():
    joints = random_joints(100)
    points = LEGS.points(joints)
    lengths = np.linalg.norm(np.diff(points, axis=-2), axis=-1)
    assert np.abs(lengths - (0.2, 0.5, 1.0)).max() < 1e-14
    assert np.abs(points[..., 3, :] - LEGS.forward(joints)).max() < 1e-14
    assert np.abs(points[..., 0, :] - [leg.mount for leg in AQUAROBOT.legs]).max() < 1e-15


def test_a8_the_reset_foot_has_four_raw_solutions():
    found = LEGS.solutions(with_first_leg(MOUNT + H * (40.017452, 0, 54.181864)))
    expected = [
        degrees(0, 66.4, -156.4),
        degrees(0, 154.153431, 156.4),
        degrees(180, -41.090599, -126.599875),
        degrees(180, 125.240056, 126.599875),
    ]
    assert np.cos(found.joints[0] - expected) == pytest.approx(np.ones((4, 3)), abs=1e-12)
    # Six decimals of the specification put the knee 3e-9 rad past its limit.
    found = LEGS.solutions(LEGS.forward(LEGS.home))
    assert found.admissible.tolist() == [[True, False, False, False]] * 6
    assert LEGS.inverse(LEGS.forward(LEGS.home)) == pytest.approx(LEGS.home, abs=1e-12)


@pytest.mark.parametrize(
    ('foot', 'angles'),
    [
        ((80, 0, 54.181864), [(0, 54.7677, -126.6148)]),
        ((70, 30, 60), [(23.1986, 48.3158, -125.0738)]),
        ((120, 0, 40), [(0, 45.8231, -95.1636)]),
        ((150, 0, 20), [(0, 33.0878, -61.3146)]),
        ((-30, 0, 90), [(0, -46.5782, -100.9528)]),
        ((168, 0, 0), [(0, 13.2840, -19.8812), (0, -13.2840, 19.8812)]),
        ((60, 0, -20), []),
        ((171, 0, 0), []),
    ],
)
def test_a8_samples_have_these_admissible_solutions(foot, angles):
    feet = with_first_leg(MOUNT + H * foot)
    found = LEGS.solutions(feet)
    admissible = found.joints[0][found.admissible[0]]
    expected = np.radians(angles).reshape(-1, 3) * (-1, 1, 1)
    assert admissible == pytest.approx(expected, abs=np.radians(6e-5))
    solved = LEGS.solve(feet)
    assert solved.reached[0] == bool(angles)
    if angles:
        assert solved.joints[0] == pytest.approx(expected[0], abs=np.radians(6e-5))


def test_a8_generating_joints_are_among_the_solutions():
    joints = random_joints(3400, seed=2)
    found = LEGS.solutions(LEGS.forward(joints), joints)
    error = np.abs(found.joints - joints[..., None, :]).max(axis=-1)
    assert np.where(found.admissible, error, np.inf).min(axis=-1).max() < 1e-9
    # 76.7 % have one admissible solution, the others two (aquarobot.md §3.5).
    count = found.admissible.sum(axis=-1)
    assert {1, 2} == set(count.ravel().tolist())
    assert (count == 1).mean() == pytest.approx(0.767, abs=0.01)


def test_forward_undoes_inverse_for_100_000_feet():
    feet = LEGS.forward(random_joints(16_667, seed=3))
    joints = LEGS.inverse(feet)
    assert LEGS.within(joints).all()
    assert np.abs(LEGS.forward(joints) - feet).max() < 1e-9


def test_inverse_stays_near_a_given_posture():
    joints = random_joints(2000, seed=4)
    near = joints + np.random.default_rng(5).normal(0.0, 1e-3, joints.shape)
    found = LEGS.solve(LEGS.forward(joints), near)
    # Two solutions lie as near as that only where the knee is almost straight.
    bent = np.abs(joints[..., 2]) > 0.02
    assert np.abs(found.joints - joints)[bent].max() < 1e-8


def test_the_yaw_of_a_foot_on_the_axis_is_that_of_the_posture():
    posture = LEGS.home.copy()
    posture[0, 0] = 0.4
    joints = LEGS.inverse(with_first_leg(at_hip(0.0, 0.0, -1.2)), posture)
    assert joints[0, 0] == pytest.approx(0.4)
    assert LEGS.forward(joints)[0] == pytest.approx(at_hip(0.0, 0.0, -1.2), abs=1e-12)


def test_what_is_out_of_reach_is_refused_with_the_nearest_point():
    feet = with_first_leg(at_hip(1.75, 0.0, 0.0))
    sentence = r'leg 1 does not reach \(2\.125, 0\.000, '
    with pytest.raises(OutOfReachError, match=sentence) as caught:
        LEGS.inverse(feet)
    assert caught.value.leg == 1
    assert caught.value.nearest == pytest.approx(at_hip(1.7, 0.0, 0.0), abs=1e-12)


def test_the_nearest_point_is_reached_and_none_is_nearer():
    rng = np.random.default_rng(6)
    feet = np.array(AQUAROBOT.neutral_feet) + rng.uniform(-1.0, 1.0, (300, 6, 3))
    reach = LEGS.reach(feet)
    assert 0.2 < reach.reached.mean() < 0.8
    assert LEGS.within(reach.joints).all()
    assert np.abs(LEGS.forward(reach.joints) - reach.feet).max() < 1e-9
    assert (reach.feet[reach.reached] == feet[reach.reached]).all()
    away = np.linalg.norm(reach.feet - feet, axis=-1)
    for leg in range(6):
        others = LEGS.forward(random_joints(20_000, seed=7))[:, leg]
        for foot, distance in zip(feet[:15, leg], away[:15, leg], strict=True):
            nearest = np.linalg.norm(others - foot, axis=-1).min()
            assert distance <= nearest + 1e-12
            assert nearest - distance < 0.15


def test_a9_jacobian_equals_central_differences():
    joints, step = random_joints(200, seed=8), 1e-6
    matrix = LEGS.jacobian(joints)
    for column in range(3):
        change = np.zeros(3)
        change[column] = step
        slope = (LEGS.forward(joints + change) - LEGS.forward(joints - change)) / (2.0 * step)
        assert np.abs(matrix[..., column] - slope).max() < 1e-8


def test_a9_determinant_of_the_jacobian():
    joints = random_joints(200, seed=9)
    feet, mounts = LEGS.forward(joints), np.array([leg.mount for leg in AQUAROBOT.legs])
    ahead = np.stack([np.cos(joints[..., 0]), np.sin(joints[..., 0])], axis=-1)
    heading = np.array([leg.heading for leg in AQUAROBOT.legs])
    away = (feet - mounts)[..., :2]
    cos, sin = np.cos(heading), np.sin(heading)
    x, y = away[..., 0] * cos + away[..., 1] * sin, away[..., 1] * cos - away[..., 0] * sin
    r = x * ahead[..., 0] + y * ahead[..., 1]
    determinant = np.linalg.det(LEGS.jacobian(joints))
    # Two of the three axes of the house are turned against the thesis', and the yaw joint.
    assert determinant == pytest.approx(-0.5 * r * np.sin(joints[..., 2]), abs=1e-12)
    assert np.linalg.det(LEGS.jacobian(LEGS.home)) * 1e6 == pytest.approx(80104.7402, abs=1e-3)


def test_values_of_joints_turn_by_direction_and_offset():
    legs = tuple(replace(leg, offsets=(0.1, 0.2, 0.3)) for leg in AQUAROBOT.legs)
    kinematics = ArticulatedLegs(replace(AQUAROBOT, legs=legs))
    joints = random_joints(10)
    values = kinematics.values(joints)
    assert np.abs(values - (joints * (-1, 1, 1) + (0.1, 0.2, 0.3))).max() < 1e-15
    assert np.abs(kinematics.canonical(values) - joints).max() < 1e-14


def test_inverse_of_many_robots_takes_ten_microseconds_each():
    feet = LEGS.forward(random_joints(2000, seed=10))
    limit = 10e-6 * len(feet)
    assert cpu_time(lambda: LEGS.solve(feet), limit) < limit
