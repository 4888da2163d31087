"""Test the map that is made from clouds: heights, edges, what rays pass, drift, the window."""

import ast
from pathlib import Path

import numpy as np
import pytest

from walking_robots.terrain import classifier, elevation_map
from walking_robots.terrain.elevation_map import (
    CEILING,
    HEIGHT,
    LOWER,
    UPPER,
    VARIANCE,
    Array,
    ElevationMap,
    MapSettings,
)

EYE = (0.0, 0.0, 1.0)
SETTINGS = MapSettings(cell=0.05, side=80, tolerance=0.02)


def cloud(seed: int, *, noise: float = 0.0, ditch: float = 0.0, x: float = 0.0) -> Array:
    """Return what an eye at (x, 0, 1) sees of level ground with a ditch at x = 0.8 ... 1.0."""
    random = np.random.default_rng(seed)
    place = random.uniform(-1.5, 1.5, (3072, 2)) + np.array((x, 0.0))
    points = np.column_stack((place, np.zeros(len(place))))
    eye = np.array((x, 0.0, 1.0))
    inside = (points[:, 0] > 0.8) & (points[:, 0] < 1.0)
    deeper = eye + (points - eye) * (1.0 + ditch)
    # A ray goes down to the bottom, or to the wall at the other side.
    walls = eye + (points - eye) * ((1.0 - x) / (points[:, :1] - x + 1e-12))
    hit = np.where(deeper[:, :1] < 1.0, deeper, walls)
    points = np.where(inside[:, None], hit, points)
    scale = 1.0 + noise * random.standard_normal(len(points))
    return eye + (points - eye) * scale[:, None]


def at(map: ElevationMap, layer: int, x: float, y: float = 0.025) -> float:
    """Return what the map holds in a layer at a place, m."""
    window = map.window()
    i, j = (
        int(place // window.cell) - first
        for place, first in zip((x, y), window.first, strict=True)
    )
    return float(window.layers[layer, i, j])


def seen_map(looks: int = 20, **how: float) -> ElevationMap:
    """Return a map after some looks from one place."""
    map = ElevationMap(SETTINGS)
    map.move(0.0, 0.0)
    for look in range(looks):
        map.update(cloud(look, **how), EYE)
    return map


def test_level_ground_is_level_in_spite_of_noise() -> None:
    window = seen_map(noise=0.01).window()
    seen = np.isfinite(window.layers[VARIANCE])
    assert seen.mean() > 0.5
    errors = np.abs(window.layers[HEIGHT][seen])
    assert np.percentile(errors, 95) < 0.01
    assert np.sqrt(np.median(window.layers[VARIANCE][seen])) < 0.005
    # One range errs by 0.01 m; the lowest and the highest point of a cell are hardly farther off.
    assert np.percentile((window.layers[UPPER] - window.layers[LOWER])[seen], 95) < 0.04


def test_a_cell_with_an_edge_holds_both_heights() -> None:
    map = seen_map(ditch=0.3)
    assert at(map, UPPER, 0.97) > at(map, LOWER, 0.97) + 0.05
    assert at(map, LOWER, 0.97) < -0.1
    assert at(map, LOWER, 0.7) == pytest.approx(0.0, abs=1e-6)


def test_rays_tell_how_low_the_ground_is_where_it_is_out_of_sight() -> None:
    map = seen_map(ditch=0.8)
    assert not np.isfinite(at(map, VARIANCE, 0.825))
    assert at(map, CEILING, 0.825) < 0.0
    assert at(map, CEILING, 0.6) >= 0.0


def test_what_a_ray_passes_through_is_forgotten() -> None:
    map = seen_map(ditch=0.8)
    ghost = np.array([[0.925, 0.025, 0.1]] * 9)
    map._fuse(ghost)
    assert at(map, HEIGHT, 0.925) > 0.05
    for look in range(20, 60):
        map.update(cloud(look, ditch=0.8), EYE)
    assert not np.isfinite(at(map, VARIANCE, 0.925)) or at(map, HEIGHT, 0.925) < 0.0


def test_drift_of_the_height_is_compensated() -> None:
    map = seen_map()
    for look in range(50):
        drift = 0.001 * (look + 1)
        map.update(cloud(look) + np.array((0.0, 0.0, drift)), (0.0, 0.0, 1.0 + drift))
    assert at(map, HEIGHT, 0.5) == pytest.approx(0.0, abs=0.002)


def test_the_window_moves_and_keeps_what_it_holds() -> None:
    map = seen_map(ditch=0.3)
    lower = at(map, LOWER, 0.97)
    map.move(0.9, -0.3)
    assert at(map, LOWER, 0.97) == lower
    window = map.window()
    assert all(first % SETTINGS.parts == 0 for first in window.first)
    middle = [first + SETTINGS.side // 2 for first in window.first]
    assert np.array(middle) * window.cell == pytest.approx((0.9, -0.3), abs=4 * window.cell)
    map.move(30.0, 0.0)
    assert not np.isfinite(map.window().layers[VARIANCE]).any()


def test_the_way_makes_what_was_seen_less_certain() -> None:
    map = seen_map()
    before = at(map, VARIANCE, 0.5)
    for x in np.linspace(0.0, 0.5, 6):
        map.move(float(x), 0.0)
    assert at(map, VARIANCE, 0.5) > before


def test_edges_that_were_seen_long_ago_are_uncertain() -> None:
    """Odometry may have drifted since then, which says nothing of level ground."""
    map = seen_map(ditch=0.3)
    edge, level = at(map, VARIANCE, 0.78), at(map, VARIANCE, -0.5)
    for x in np.linspace(0.0, 1.0, 11):
        map.move(float(x), 0.0)
    assert at(map, VARIANCE, 0.78) - edge > 5.0 * (at(map, VARIANCE, -0.5) - level)


def test_feet_a_little_below_the_map_do_not_lower_it() -> None:
    map = seen_map()
    before = at(map, HEIGHT, 0.0)
    for _ in range(100):
        map.feel([(0.1, 0.1, before - 0.3 * SETTINGS.tolerance)])
    assert at(map, HEIGHT, 0.0) == pytest.approx(before, abs=0.1 * SETTINGS.tolerance)
    for _ in range(100):
        map.feel([(0.1, 0.1, before - 0.9 * SETTINGS.tolerance)])
    assert at(map, HEIGHT, 0.0) < before - 0.4 * SETTINGS.tolerance


def test_feet_tell_the_ground_below_them() -> None:
    map = ElevationMap(SETTINGS)
    map.feel([(0.1, 0.1, -0.25)])
    window = map.window()
    assert np.isfinite(window.layers[VARIANCE]).sum() == 4
    assert at(map, HEIGHT, 0.12, 0.12) == pytest.approx(-0.25)


def test_a_window_consists_of_whole_footholds() -> None:
    with pytest.raises(ValueError, match='a multiple of 4'):
        ElevationMap(SETTINGS._replace(side=81))


@pytest.mark.parametrize('module', [elevation_map, classifier])
def test_it_cannot_look_at_the_true_terrain(module: object) -> None:
    allowed = {
        'walking_robots.geometry.pose',
        'walking_robots.terrain.cells',
        'walking_robots.terrain.elevation_map',
    }
    tree = ast.parse(Path(str(module.__file__)).read_text())  # type: ignore[attr-defined]
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name for name in imported if str(name).startswith('walking_robots')} <= allowed
