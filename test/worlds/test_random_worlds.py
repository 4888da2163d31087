"""Test random worlds: tasks that can be done or cannot, and nothing in between (AC-46)."""

import math

import numpy as np
import pytest

from walking_robots.worlds.distance_field import flood
from walking_robots.worlds.random_worlds import HELD, PASSES, clearances, random_world

RADIUS = 0.205


def reaches(world: object, radius: float) -> bool:
    gaps = clearances(world.world.filled, world.world.cell)  # type: ignore[attr-defined]
    points = [
        (round(y / 0.025), round(x / 0.025))
        for x, y in (world.start[:2], world.goal)  # type: ignore[attr-defined]
    ]
    return bool(flood(gaps >= radius, points[0])[points[1]])


def test_ac_46_worlds_are_solvable_or_not_and_some_are_not(acceptance: bool) -> None:
    found = [random_world(seed, RADIUS) for seed in range(60 if acceptance else 12)]
    for world in found:
        assert reaches(world, RADIUS + PASSES - 1e-6) == world.reachable
        assert reaches(world, RADIUS - HELD + 1e-6) == world.reachable
        assert math.dist(world.start[:2], world.goal) >= 4.0
        assert math.isfinite(world.best_path_m) == world.reachable
        assert world.reachable == (world.narrowest_m >= 2 * (RADIUS + PASSES))
        assert (world.world.height, world.world.width) == pytest.approx((8.0, 10.0))
    assert 1 <= sum(not world.reachable for world in found) <= len(found) // 3


def test_a_seed_is_a_world() -> None:
    one, again, other = (random_world(seed, RADIUS) for seed in (3, 3, 4))
    assert np.array_equal(one.world.filled, again.world.filled)
    assert (one.start, one.goal) == (again.start, again.goal)
    assert not np.array_equal(one.world.filled, other.world.filled)
    assert one.best_path_m >= math.dist(one.start[:2], one.goal) - 0.05


def test_a_robot_too_large_for_doors_is_refused() -> None:
    with pytest.raises(ValueError, match='doors'):
        random_world(0, 0.6)
