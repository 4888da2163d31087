"""Plane poses and the wheel map: AC-06 of mdle.md §8, and the group they are."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walking_robots.geometry.differential_drive import (
    Wheels,
    body_twist,
    separation_from_spin,
    wheel_speeds,
)
from walking_robots.geometry.se2 import ORIGIN, Pose2, Twist2, wrap
from walking_robots.robots.super_scout import SUPER_SCOUT

W = SUPER_SCOUT.wheel_separation
numbers = st.floats(-50.0, 50.0)
poses = st.builds(Pose2, numbers, numbers, st.floats(-10.0, 10.0))


def near(a: Pose2, b: Pose2, within: float = 1e-9) -> bool:
    turn = math.remainder(a.heading - b.heading, 2.0 * math.pi)
    return a.distance(b) < within and abs(turn) < within


def test_ac_06_the_wheel_map() -> None:
    assert abs(W - 0.345191) < 1e-6
    twist = body_twist(Wheels(left=0.15, right=0.25), 0.34519)
    assert twist == pytest.approx((0.2, 0.289694), abs=2e-6)
    assert ORIGIN.advance(twist, 1.0) == pytest.approx((0.197214, 0.028767, 0.289694), abs=2e-6)
    report = body_twist(Wheels(left=0.15, right=0.25), 0.34519, 'report')
    assert report.w == pytest.approx(-0.289694, abs=2e-6)


def test_a_spin_shows_the_separation() -> None:
    assert separation_from_spin(Wheels(-1.0, 1.0), 2.0 / 0.35) == pytest.approx(0.35)
    with pytest.raises(ValueError, match='spin'):
        separation_from_spin(Wheels(0.0, 0.0), 0.0)


@given(numbers, numbers)
def test_wheels_and_body_are_each_others_inverse(v: float, w: float) -> None:
    assert body_twist(wheel_speeds(Twist2(v, w), W), W) == pytest.approx((v, w), abs=1e-9)


@given(numbers, numbers, st.floats(0.01, 2.0))
def test_slowing_both_wheels_keeps_the_curvature(left: float, right: float, limit: float) -> None:
    wheels, slowed = Wheels(left, right), Wheels(left, right).scaled_to(limit)
    assert max(map(abs, slowed)) <= limit * (1.0 + 1e-12)
    assert slowed.left * wheels.right == pytest.approx(slowed.right * wheels.left, abs=1e-6)


def test_a_constant_twist_is_a_circle() -> None:
    """F2 of mdle.md §1.7: v = w = 1."""
    once = Twist2(1.0, 1.0)
    for time, expected in (
        (1.0, (0.841470985, 0.459697694, 1.0)),
        (0.5 * math.pi, (1.0, 1.0, 0.5 * math.pi)),
        (math.pi, (0.0, 2.0, math.pi)),
        (2.0 * math.pi, (0.0, 0.0, 2.0 * math.pi)),
    ):
        assert ORIGIN.advance(once, time) == pytest.approx(expected, abs=1e-9)


@given(poses, numbers, st.floats(-3.0, 3.0))
def test_two_half_steps_are_one_step(pose: Pose2, v: float, w: float) -> None:
    twist = Twist2(v, w)
    assert near(pose.advance(twist, 1.0), pose.advance(twist, 0.5).advance(twist, 0.5), 1e-7)


@pytest.mark.parametrize('w', [0.0, 1e-12, 1e-6, 0.9e-4, 1.1e-4, 1e-3])
def test_slow_turns_lose_no_digits(w: float) -> None:
    pose = ORIGIN.advance(Twist2(2.0, w), 1.0)
    assert pose.x == pytest.approx(2.0 * math.sin(w) / w if w else 2.0, rel=1e-12)
    assert pose.y == pytest.approx(w - w**3 / 12.0, rel=1e-10)


@given(poses, poses)
def test_the_inverse_undoes(a: Pose2, b: Pose2) -> None:
    assert near(a.inverse() @ a, ORIGIN)
    assert near(a @ (a.inverse() @ b), b, 1e-7)


@pytest.mark.parametrize(
    ('angle', 'wrapped'),
    [(math.pi, math.pi), (-math.pi, math.pi), (3.0 * math.pi, math.pi), (7.0, 7.0 - 2 * math.pi)],
)
def test_wrap(angle: float, wrapped: float) -> None:
    assert wrap(angle) == pytest.approx(wrapped)
