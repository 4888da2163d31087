"""Test which cells of a map are permitted."""

import math

import numpy as np
import pytest

from walking_robots.terrain import FORBIDDEN, PERMITTED, UNSEEN
from walking_robots.terrain.classifier import ClassifierSettings, TerrainClassifier
from walking_robots.terrain.elevation_map import (
    CEILING,
    HEIGHT,
    LOWER,
    UPPER,
    VARIANCE,
    Array,
    MapWindow,
)

CELL = 0.05
SIDE = 96
LIFT = 0.4
LIMITS = ClassifierSettings.of(4 * CELL, LIFT)


def window(heights: Array, first: tuple[int, int] = (-48, -48)) -> MapWindow:
    """Return a map that knows these heights (SIDE, SIDE) exactly, NaN where it knows none."""
    layers = np.empty((5, SIDE, SIDE), np.float32)
    layers[[HEIGHT, LOWER, UPPER]] = heights
    layers[VARIANCE] = 1e-8
    layers[CEILING] = np.inf
    unknown = np.isnan(heights)
    for layer, value in zip(range(5), (0.0, np.inf, np.inf, -np.inf, np.inf), strict=True):
        layers[layer][unknown] = value
    return MapWindow(CELL, first, layers)


def x() -> Array:
    """Return x (SIDE, SIDE) of the middles of the cells, m."""
    return np.broadcast_to(((np.arange(SIDE) - SIDE // 2 + 0.5) * CELL)[:, None], (SIDE, SIDE))


def test_level_ground_is_permitted_and_level_in_spite_of_noise() -> None:
    noise = np.random.default_rng(1).normal(0.0, 0.01, (SIDE, SIDE))
    terrain = TerrainClassifier(LIMITS).classify(window(noise))
    assert (terrain.cells == PERMITTED).all() and terrain.cells.shape == (24, 24)
    assert terrain.is_level and terrain.height(0.0, 0.0) == pytest.approx(-0.02 * LIFT, abs=0.002)
    assert terrain.cell == pytest.approx(4 * CELL)
    assert (terrain.first_row, terrain.first_column) == (-12, -12)


def test_holes_are_forbidden_where_a_foot_would_get_into_them() -> None:
    heights = np.zeros((SIDE, SIDE))
    heights[60:64, 40:44] = -LIFT
    heights[71, 40:44] = -LIFT
    exact = TerrainClassifier(LIMITS._replace(edge=0.0)).classify(window(heights))
    assert exact.cells[15, 10] == FORBIDDEN
    assert np.count_nonzero(exact.cells != PERMITTED) == 1
    wide = LIMITS._replace(foot=2.5 * CELL, edge=0.0)
    assert TerrainClassifier(wide).classify(window(heights)).cells[17, 10] == FORBIDDEN


def test_cells_are_forbidden_where_a_foot_that_comes_down_beside_would_get_into_a_hole() -> None:
    """Of holes within reach a little is seen: lower ground, or rays that pass below it."""
    map = window(np.zeros((SIDE, SIDE)))
    map.layers[HEIGHT, 71, 40:44] = -0.2 * LIFT
    map.layers[CEILING, 40:44, 23] = -0.2 * LIFT
    cells = TerrainClassifier(LIMITS).classify(map).cells
    assert cells[17, 10] == cells[10, 5] == FORBIDDEN
    assert np.count_nonzero(cells != PERMITTED) == 2


def test_the_top_of_a_ridge_is_forbidden() -> None:
    heights = np.zeros((SIDE, SIDE))
    heights[61:63, 40:44] = 0.45 * LIFT
    cells = TerrainClassifier(LIMITS).classify(window(heights)).cells
    assert cells[15, 10] == FORBIDDEN and np.count_nonzero(cells != PERMITTED) == 1


def test_a_wide_ditch_is_forbidden_from_edge_to_edge() -> None:
    heights = np.where((x() > 0.8) & (x() < 1.8), -0.3, 0.0)
    terrain = TerrainClassifier(LIMITS).classify(window(heights))
    assert (terrain.cells[16:21] == FORBIDDEN).all()
    assert (terrain.cells[:16] == PERMITTED).all() and (terrain.cells[21:] == PERMITTED).all()
    assert terrain.is_level


def test_what_is_out_of_sight_is_unseen_unless_rays_passed_below_the_ground() -> None:
    heights = np.zeros((SIDE, SIDE))
    heights[60:64, 40:48] = np.nan
    map = window(heights)
    map.layers[CEILING][60:64, 44:48] = -0.2
    terrain = TerrainClassifier(LIMITS).classify(map)
    assert terrain.cells[15, 10] == UNSEEN and terrain.cells[15, 11] == FORBIDDEN
    assert terrain.height(0.7, -0.3) == pytest.approx(-0.02 * LIFT, abs=1e-6)


def test_an_uncertain_height_is_unseen() -> None:
    map = window(np.zeros((SIDE, SIDE)))
    map.layers[VARIANCE][40:44, 40:44] = (0.2 * LIFT) ** 2
    assert TerrainClassifier(LIMITS).classify(map).cells[10, 10] == UNSEEN


def test_noise_beside_a_permitted_cell_does_not_forbid_it() -> None:
    level, noisy, deep = (np.zeros((SIDE, SIDE)) for _ in range(3))
    noisy[60, 40:44], deep[60, 40:44] = -0.2 * LIFT, -0.5 * LIFT
    assert TerrainClassifier(LIMITS).classify(window(noisy)).cells[15, 10] == FORBIDDEN
    classifier = TerrainClassifier(LIMITS)
    classifier.classify(window(level))
    assert classifier.classify(window(noisy)).cells[15, 10] == PERMITTED
    # The window has moved by two cells of footholds.
    moved = window(np.roll(noisy, -8, axis=0), (-40, -48))
    assert classifier.classify(moved).cells[13, 10] == PERMITTED
    assert classifier.classify(window(deep)).cells[15, 10] == FORBIDDEN


def test_a_cell_with_both_heights_is_forbidden() -> None:
    map = window(np.zeros((SIDE, SIDE)))
    map.layers[LOWER][41, 42] = -0.6 * LIFT
    assert TerrainClassifier(LIMITS).classify(map).cells[10, 10] == FORBIDDEN


@pytest.mark.parametrize(('degrees', 'value'), [(20.0, PERMITTED), (55.0, FORBIDDEN)])
def test_slopes_are_permitted_up_to_a_limit(degrees: float, value: int) -> None:
    heights = math.tan(math.radians(degrees)) * x()
    terrain = TerrainClassifier(LIMITS).classify(window(heights))
    assert (terrain.cells[1:-1] == value).all()
    if value == PERMITTED:
        expected = math.tan(math.radians(degrees)) * 0.5
        assert terrain.height(0.5, 0.3) == pytest.approx(expected, abs=0.02)


def test_rough_ground_keeps_its_heights() -> None:
    heights = 0.03 * np.sin(6.0 * x())
    terrain = TerrainClassifier(LIMITS._replace(level=0.01)).classify(window(heights))
    assert not terrain.is_level
    assert terrain.height(0.1, 0.1) == pytest.approx(0.03 * math.sin(0.6), abs=0.012)


def test_the_answer_stays_the_same_while_nothing_changes() -> None:
    classifier = TerrainClassifier(LIMITS)
    random = np.random.default_rng(2)
    first = classifier.classify(window(random.normal(0.0, 0.01, (SIDE, SIDE))))
    assert classifier.classify(window(random.normal(0.0, 0.01, (SIDE, SIDE)))) is first
    moved = classifier.classify(window(np.zeros((SIDE, SIDE)), (-44, -48)))
    assert moved.revision == first.revision + 1


def test_a_map_that_knows_nothing_permits_nothing() -> None:
    terrain = TerrainClassifier(LIMITS).classify(window(np.full((SIDE, SIDE), np.nan)))
    assert (terrain.cells == UNSEEN).all()


def test_ground_beyond_what_is_mostly_seen_does_not_count() -> None:
    heights = np.zeros((SIDE, SIDE))
    heights[:, :] = np.where((x() > 1.65) & (x() < 2.05), np.nan, 0.0)
    cells = TerrainClassifier(LIMITS).classify(window(heights)).cells
    assert (cells[:20] == PERMITTED).all()
