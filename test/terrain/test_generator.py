"""Test the terrain generator against the figures of the specification (asv.md §4, §19.1 A11)."""

import math

import numpy as np
import pytest

from walking_robots.geometry.units import FOOT
from walking_robots.terrain.generator import (
    DEFAULT_PROFILE,
    Ditch,
    build,
    forbidden_cells,
    lcg_states,
    profile_heights,
    slope_profile,
)


def test_a11_first_states_of_seed_123() -> None:
    assert lcg_states(123, 6) == [219562, 511107, 111326, 125452, 228280, 87613]


def test_a11_number_of_forbidden_cells() -> None:
    assert forbidden_cells(49, 49, 0.25, 123).sum() == 596


@pytest.mark.parametrize(('share', 'found'), [(0.10, 9.79), (0.50, 50.19), (0.70, 70.80)])
def test_realised_share(share: float, found: float) -> None:
    assert 100 * forbidden_cells(49, 49, share, 123).mean() == pytest.approx(found, abs=0.005)


def test_x_is_the_outer_loop() -> None:
    states = np.array(lcg_states(7, 12)) / 640001
    assert np.array_equal(forbidden_cells(3, 4, 0.5, 7), (states < 0.5).reshape(3, 4))


def test_default_profile() -> None:
    heights = profile_heights(DEFAULT_PROFILE, 49, FOOT) / FOOT
    assert heights.shape == (50,)
    assert heights[[0, 19, 22, 25, 30, 35, 49]] == pytest.approx([0, 0, 0.5, 1, 1.25, 1.5, 1.5])


def test_profile_may_start_above_zero_and_must_grow() -> None:
    assert profile_heights(((0.0, 2.0), (1.0, 3.0)), 2, 1.0).tolist() == [2.0, 3.0, 3.0]
    with pytest.raises(ValueError, match='grow'):
        profile_heights(((1.0, 2.0), (1.0, 3.0)), 2, 1.0)


def test_slope() -> None:
    heights = profile_heights(slope_profile(math.radians(25)), 49, FOOT)
    assert heights[20] == 0.0
    assert np.diff(heights)[20:40] == pytest.approx(FOOT * math.tan(math.radians(25)))
    assert np.ptp(heights[40:]) == pytest.approx(0.0)
    with pytest.raises(ValueError, match='30 degrees'):
        slope_profile(math.radians(31))


@pytest.mark.parametrize('width', range(1, 10))
def test_straight_ditch_fills_its_rows(width: int) -> None:
    terrain = build(ditches=[Ditch(21 * FOOT, width * FOOT)])
    rows = np.flatnonzero(terrain.cells.all(axis=1))
    assert rows.tolist() == list(range(21, 21 + width))
    assert terrain.cells.sum() == 49 * width


def test_oblique_ditch_holds_the_centres_in_its_strip() -> None:
    ditch = Ditch(near_edge=5.0, width=2.0, angle=math.radians(30))
    cells = ditch.cells(40, 40, 0.25)
    for i, j in np.ndindex(40, 40):
        x, y = (i + 0.5) * 0.25 - 5.0, (j + 0.5) * 0.25 - 5.0
        depth = x * math.cos(ditch.angle) + y * math.sin(ditch.angle)
        assert cells[i, j] == (0 <= depth < 2.0)
    assert cells[:, 0].argmax() > cells[:, -1].argmax(), 'turned counter-clockwise'


def test_order_is_elevation_random_marked_ditch() -> None:
    marked = np.zeros((49, 49), dtype=np.int8)
    marked[0, :] = 1
    marked[1, 1] = -1
    terrain = build(
        share=0.2,
        seed=3,
        marked=marked,
        ditches=[Ditch(10 * FOOT, 3 * FOOT)],
        profile=DEFAULT_PROFILE,
        revision=4,
    )
    assert terrain.cells[0].all()
    assert terrain.cells[1, 1] == -1
    assert terrain.cells[10:13].all()
    assert np.array_equal(terrain.cells[20:], forbidden_cells(49, 49, 0.2, 3)[20:])
    assert terrain.profile[49] == pytest.approx(1.5 * FOOT)
    assert terrain.revision == 4
