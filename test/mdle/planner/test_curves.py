"""Shortest curves and bracket manoeuvres (AC-45)."""

import math
from random import Random

import pytest

from walking_robots.geometry.se2 import ORIGIN, Pose2, wrap
from walking_robots.mdle.planner.curves import (
    connect,
    duration,
    shortest_curve,
    sideways,
    spin_drive_spin,
)
from walking_robots.mdle.planner.motion_model import ConstantMotion, MotionModel, end_of

SPINNING = MotionModel(((0.0, 0.0, 0.205),))
CAR = MotionModel(((0.0, 0.0, 0.205),), least_radius=1.0)
THIRD = math.pi / 3.0


def length_of(moves: tuple[ConstantMotion, ...]) -> float:
    return sum(move.length for move in moves)


def assert_leads_to(moves: tuple[ConstantMotion, ...], start: Pose2, goal: Pose2) -> None:
    end = end_of(moves, start)
    assert end.distance(goal) < 1e-6
    assert abs(wrap(end.heading - goal.heading)) < 1e-6


def test_ac_45_heading_is_reversed_in_place_by_three_arcs_with_cusps() -> None:
    goal = Pose2(0.0, 0.0, math.pi)
    moves = shortest_curve(ORIGIN, goal, 1.0)
    assert_leads_to(moves, ORIGIN, goal)
    assert [move.length for move in moves] == pytest.approx([THIRD] * 3, abs=1e-6)
    signs = [math.copysign(1.0, move.twist.v) for move in moves]
    assert signs in ([1.0, -1.0, 1.0], [-1.0, 1.0, -1.0])
    assert length_of(moves) == pytest.approx(math.pi, abs=1e-6)


def test_ac_45_heading_is_reversed_forward_only() -> None:
    goal = Pose2(0.0, 0.0, math.pi)
    moves = shortest_curve(ORIGIN, goal, 1.0, cusps=False)
    assert_leads_to(moves, ORIGIN, goal)
    assert all(move.twist.v > 0.0 for move in moves)
    assert [move.length for move in moves] == pytest.approx([THIRD, 5.0 * THIRD, THIRD], abs=1e-6)
    assert length_of(moves) == pytest.approx(7.330383, abs=1e-6)


def test_ac_45_half_a_metre_aside_takes_five_pulses() -> None:
    moves = sideways(0.5, 0.5, SPINNING)
    assert len(moves) == 5
    assert moves[1].length == pytest.approx(0.521457, abs=1e-6)
    assert_leads_to(moves, ORIGIN, Pose2(0.0, 0.5, 0.0))
    assert_leads_to(sideways(-0.3, 1.0, SPINNING), ORIGIN, Pose2(0.0, -0.3, 0.0))


def test_ac_45_no_cusped_arcs_where_spins_are_cheaper() -> None:
    rng = Random(45)
    for _ in range(200):
        goal = Pose2(rng.uniform(-2, 2), rng.uniform(-2, 2), rng.uniform(-4, 4))
        moves = connect(ORIGIN, goal, SPINNING)
        assert_leads_to(moves, ORIGIN, goal)
        assert all(move.twist.v == 0.0 or move.twist.w == 0.0 for move in moves)
        assert duration(moves) <= duration(spin_drive_spin(ORIGIN, goal, SPINNING))
    cusped = connect(ORIGIN, Pose2(0.0, 0.0, math.pi), CAR)
    assert min(move.twist.v for move in cusped) < 0.0


@pytest.mark.parametrize('cusps', [True, False])
def test_curves_lead_to_any_pose_and_are_never_longer_with_cusps(cusps: bool) -> None:
    rng = Random(7)
    for _ in range(500):
        start = Pose2(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-7, 7))
        goal = Pose2(rng.uniform(-4, 4), rng.uniform(-4, 4), rng.uniform(-7, 7))
        radius = rng.uniform(0.2, 2.0)
        moves = shortest_curve(start, goal, radius, cusps=cusps)
        assert_leads_to(moves, start, goal)
        assert cusps or all(move.twist.v > 0.0 for move in moves)
        assert all(
            not move.twist.w or abs(move.twist.v / move.twist.w) > radius - 1e-9 for move in moves
        )
        forward = shortest_curve(start, goal, radius, cusps=False)
        assert length_of(moves) <= length_of(forward) + 1e-9


def test_curves_are_the_same_from_both_ends() -> None:
    # A curve with cusps can be driven back (Reeds and Shepp 1990, lemma 1).
    rng = Random(8)
    for _ in range(200):
        goal = Pose2(rng.uniform(-3, 3), rng.uniform(-3, 3), rng.uniform(-3, 3))
        there = shortest_curve(ORIGIN, goal, 1.0)
        back = shortest_curve(goal, ORIGIN, 1.0)
        assert length_of(there) == pytest.approx(length_of(back), abs=1e-6)


def test_bracket_manoeuvre_needs_spins() -> None:
    with pytest.raises(ValueError, match='turns on the spot'):
        sideways(0.5, 0.5, CAR)
    with pytest.raises(ValueError, match='angle'):
        sideways(0.5, 0.0, SPINNING)
