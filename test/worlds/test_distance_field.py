"""Test distances, floods and ways against the definition."""

import math

import numpy as np
import pytest

from walking_robots.worlds.distance_field import distance_field, flood, shortest_ways


@pytest.mark.parametrize('seed', range(4))
def test_distances_are_those_to_the_nearest_filled_cell(seed: int) -> None:
    random = np.random.default_rng(seed)
    filled = random.random(random.integers(1, 50, 2)) < random.choice((0.01, 0.1, 0.5))
    filled[0, 0] = True
    filled.setflags(write=False)
    rows, columns = np.nonzero(filled)
    y, x = np.indices(filled.shape)
    expected = np.hypot(y[..., None] - rows, x[..., None] - columns).min(axis=-1)
    assert distance_field(filled, 0.05) == pytest.approx(0.05 * expected, rel=1e-5, abs=1e-7)
    assert distance_field(filled, most=2.5) == pytest.approx(np.minimum(expected, 2.5), rel=1e-5)


def test_without_filled_cells_all_is_far() -> None:
    assert (distance_field(np.zeros((3, 4), np.bool_), most=7.0) == 7.0).all()


def test_floods_and_ways_go_round_walls_and_not_through_their_corners() -> None:
    passable = np.ones((5, 5), np.bool_)
    passable[:4, 2] = False
    assert flood(passable, (0, 0))[0, 4]
    assert shortest_ways(passable.astype(np.float32), (0, 0))[0, 4] == pytest.approx(
        # Down to the row of the gap, through it without a corner, and up again.
        2 * (3 + math.sqrt(2)), abs=2.0,
    )  # fmt: skip
    diagonal = np.eye(3, dtype=np.bool_)
    assert flood(diagonal, (0, 0), corners=True).sum() == 1
    assert not flood(passable, (0, 2)).any()
    assert np.isinf(shortest_ways(np.zeros((2, 2), np.float32), (0, 0))).all()
