"""The times to a place are those of Dijkstra's algorithm, whatever ground counts more or less."""

import math
from heapq import heappop, heappush

import numpy as np
import pytest
from numpy.typing import NDArray

from walking_robots.mdle.planner.cost_map import CostMap, times_to
from walking_robots.mdle.planner.motion_model import motion_model
from walking_robots.virtual_robots.scout import scout_spec

SCOUT = motion_model(scout_spec(), 0.205)
CELL = 0.05


def dijkstra(costs: CostMap, row: int, column: int) -> NDArray[np.float64]:
    rows, columns = costs.clearance.shape
    slow = np.where(costs.clearance >= SCOUT.inner_radius, costs.slowness, np.inf)
    slow[row, column] = costs.slowness[row, column]
    times = np.full(slow.shape, np.inf)
    times[row, column] = 0.0
    heap = [(0.0, row, column)]
    while heap:
        now, r, c = heappop(heap)
        for i in range(max(r - 1, 0), min(r + 2, rows)):
            for j in range(max(c - 1, 0), min(c + 2, columns)):
                way = 0.5 * math.hypot(i - r, j - c) * CELL / SCOUT.speed
                then = now + way * (slow[r, c] + slow[i, j])
                if then < times[i, j]:
                    times[i, j] = then
                    heappush(heap, (then, i, j))
    return times


@pytest.mark.parametrize('share', [0.1, 1.0, 10.0])
def test_times_are_exact_up_to_a_little_beyond_the_start(share: float) -> None:
    rng = np.random.default_rng(5)
    clearance = np.where(rng.random((40, 60)) < 0.2, 0.0, 1.0)
    slowness = np.where(rng.random((40, 60)) < 0.5, share, 1.0) * rng.uniform(1.0, 10.0, (40, 60))
    costs = CostMap(clearance, slowness, CELL, (0.0, 0.0), 0.0)
    found, expected = times_to(costs, SCOUT, 2.02, 1.02), dijkstra(costs, 20, 40)
    assert np.allclose(found, expected, rtol=1e-12) and np.isfinite(expected).mean() > 0.7
    # Nearer than all the ground, so that something is left out.
    beyond = 1.3 * expected[20, 35] + 3.0
    cut = times_to(costs, SCOUT, 2.02, 1.02, (1.77, 1.02))
    assert (expected > beyond).any()
    assert np.allclose(cut, np.where(expected > beyond, np.inf, expected), rtol=1e-12)
