"""Integrators, exponential and logarithm: AC-02, AC-03 and AC-05 of mdle.md §8."""

import math
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from walking_robots.geometry.se2 import ORIGIN, Pose2, Screw2, Twist2, wrap
from walking_robots.simulation.planar.integrators import (
    POSE_INTEGRATORS,
    euler_coord_closed,
    euler_matrix_closed,
    frame_of,
    matrix_of,
)
from walking_robots.trials.mdle.drives import Pulse, drive

speeds = st.floats(-3.0, 3.0)


def test_ac05_exp_and_log_undo_one_another() -> None:
    rng = Random(5)
    worst = 0.0
    for _ in range(100_000):
        turn = math.copysign(10.0 ** rng.uniform(-12.0, math.log10(3.1)), rng.random() - 0.5)
        dt = rng.uniform(0.1, 3.0)
        screw = Screw2(rng.uniform(-2.0, 2.0), rng.uniform(-2.0, 2.0), turn / dt)
        back = screw.exp(dt).log(dt)
        worst = max(worst, *(abs(a - b) for a, b in zip(screw, back, strict=True)))
        pose = Pose2(rng.uniform(-5.0, 5.0), rng.uniform(-5.0, 5.0), turn)
        there = pose.log(dt).exp(dt)
        worst = max(worst, *(abs(a - b) for a, b in zip(pose, there, strict=True)))
    assert worst < 1e-10


@given(speeds, speeds, st.floats(0.01, 1.0))
def test_two_wheels_never_go_aside(v: float, w: float, dt: float) -> None:
    pose = ORIGIN.advance(Twist2(v, w), dt)
    assert pose.log(dt) == pytest.approx((v, 0.0, w), abs=1e-9)
    assert Screw2(v, 0.0, w).exp(dt) == pytest.approx(pose, abs=1e-12)


def test_the_logarithm_takes_the_shorter_turn() -> None:
    assert Pose2(0.0, 0.0, 1.5 * math.pi).log().w == pytest.approx(-0.5 * math.pi)
    assert Pose2(0.0, 2.0, math.pi).log() == pytest.approx((math.pi, 0.0, math.pi))


@pytest.mark.parametrize('name', POSE_INTEGRATORS)
def test_straight_on_all_integrators_agree(name: str) -> None:
    pose = POSE_INTEGRATORS[name](Pose2(1.0, 2.0, 0.5 * math.pi), Twist2(0.4, 0.0), 2.0)
    assert pose == pytest.approx((1.0, 2.8, 0.5 * math.pi))


def test_orders_of_the_integrators() -> None:
    twist, exact = Twist2(1.0, 1.0), ORIGIN.advance(Twist2(1.0, 1.0), 1.0)

    def error(name: str, steps: int) -> float:
        return drive([Pulse(twist, 1.0)], name, 1.0 / steps).end.distance(exact)  # type: ignore[arg-type]

    assert error('euler_coord', 10) / error('euler_coord', 20) == pytest.approx(2.0, rel=0.05)
    assert error('euler_matrix', 10) / error('euler_matrix', 20) == pytest.approx(2.0, rel=0.1)
    assert error('midpoint', 10) / error('midpoint', 20) == pytest.approx(4.0, rel=0.01)
    assert error('exp', 10) < 1e-14


@given(speeds, speeds, st.integers(1, 200), st.floats(0.001, 0.05))
@example(v=1.0, w=0.0, steps=7, dt=0.05)
@example(v=1.0, w=1e-310, steps=7, dt=0.05)
@example(v=3.0, w=1e-6, steps=200, dt=0.05)
@example(v=3.0, w=1.1e-6, steps=200, dt=0.05)
def test_euler_schemes_end_where_their_closed_forms_say(
    v: float, w: float, steps: int, dt: float
) -> None:
    pulses = [Pulse(Twist2(v, w), steps * dt)]
    by_coordinates = drive(pulses, 'euler_coord', dt).end
    assert by_coordinates == pytest.approx(euler_coord_closed(Twist2(v, w), dt, steps), abs=1e-9)
    by_matrix, closed = (
        drive(pulses, 'euler_matrix', dt),
        euler_matrix_closed(Twist2(v, w), dt, steps),
    )
    assert by_matrix.end[:2] == pytest.approx(closed.pose[:2], abs=1e-7)
    assert math.cos(by_matrix.end.heading - closed.pose.heading) == pytest.approx(1.0)
    assert by_matrix.scale[-1] == pytest.approx(closed.scale)


@given(st.builds(Pose2, speeds, speeds, st.floats(-10.0, 10.0)))
def test_matrices_hold_poses(pose: Pose2) -> None:
    frame = frame_of(matrix_of(pose))
    assert frame.pose[:2] == pose[:2]
    assert wrap(frame.pose.heading - pose.heading) == pytest.approx(0.0, abs=1e-9)
    assert frame.scale == pytest.approx(1.0)
