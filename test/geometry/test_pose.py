"""Poses against transforms3d, and rigid registration against known motions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from transforms3d.quaternions import quat2mat

from walking_robots.geometry.pose import (
    Pose,
    Rates,
    advance,
    from_quaternion,
    roll_pitch_yaw,
    to_quaternion,
)
from walking_robots.geometry.registration import register


def unit(seed: int) -> tuple[float, float, float, float]:
    q = np.random.default_rng(seed).normal(size=4)
    q /= np.linalg.norm(q) * (1 if q[0] >= 0 else -1)
    return tuple(q.tolist())


@given(st.integers(0, 10_000))
def test_quaternions_agree_with_transforms3d_and_come_back(seed):
    q = unit(seed)
    pose = from_quaternion((1.0, 2.0, 3.0), q)
    assert pose.matrix() == pytest.approx(quat2mat(q), abs=1e-12)
    assert to_quaternion(pose) == pytest.approx(q, abs=1e-9)
    point = (0.1, -0.7, 0.4)
    assert pose.to_body(pose.apply(point)) == pytest.approx(point)


@pytest.mark.parametrize(
    'q', [(0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0), (1.0, 0.0, 0.0, 0.0)]
)
def test_half_turns_survive(q):
    found = np.array(to_quaternion(from_quaternion((0.0, 0.0, 0.0), q)))
    assert abs(found @ np.array(q)) == pytest.approx(1.0)


def test_a_turn_of_a_minute():
    pose = Pose((0.0, 0.0, 0.0))
    for _ in range(600):
        pose = advance(pose, Rates(wz=0.05), 0.1)
    assert pose.yaw() == pytest.approx(600 * np.arctan(0.005))
    assert roll_pitch_yaw(to_quaternion(pose))[2] == pytest.approx(pose.yaw())


@given(st.integers(0, 10_000), st.integers(3, 6))
def test_registration_finds_a_rigid_motion(seed, n):
    rng = np.random.default_rng(seed)
    body = [tuple(point) for point in rng.uniform(-2, 2, (n, 3)).tolist()]
    pose = from_quaternion(tuple(rng.uniform(-9, 9, 3).tolist()), unit(seed + 1))
    world = [pose.apply(point) for point in body]
    position, quaternion = register(body, world)
    assert position == pytest.approx(pose.position, abs=1e-9)
    found = from_quaternion(position, quaternion)
    assert found.matrix() == pytest.approx(pose.matrix(), abs=1e-9)
