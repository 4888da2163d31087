"""Test heights in both directions: the terrain that has them, and what makes them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from walking_robots.terrain import FORBIDDEN, TernaryTerrain
from walking_robots.terrain.files import dump, parse_terrain
from walking_robots.terrain.generator import build
from walking_robots.terrain.refinement import refined
from walking_robots.terrain.relief import STEEPEST, Blocks, Rubble, Slope, Stairs
from walking_robots.terrain.vision import look

ROUGH = build(20, 16, 0.25, relief=[Rubble(0.1, seed=5), Slope(0.2, direction=2.0)])


@given(st.floats(0.0, 5.0), st.floats(0.0, 4.0))
def test_heights_are_bilinear(x, y):
    i, j = min(int(x / 0.25), 19), min(int(y / 0.25), 15)
    u, v = x / 0.25 - i, y / 0.25 - j
    corners = ROUGH.heights[i : i + 2, j : j + 2]
    expected = np.array([1 - u, u]) @ corners @ np.array([1 - v, v])
    assert ROUGH.height(x, y) == pytest.approx(expected, abs=1e-12)
    assert ROUGH.heights_at(np.array([[x, y]])) == pytest.approx([expected], abs=1e-12)


def test_centres_have_the_mean_height_of_their_corners():
    centres = (np.argwhere(ROUGH.cells < 2) + 0.5) * 0.25
    _, _, heights = ROUGH.permitted_centres(centres)
    assert heights == pytest.approx([ROUGH.height(*centre) for centre in centres.tolist()])
    assert ROUGH.centre_heights.ravel() == pytest.approx(heights)


def test_a_profile_gives_the_same_terrain_as_its_corners():
    along = np.linspace(0.0, 1.0, 6)
    terrain = TernaryTerrain(np.zeros((5, 3)), along, 0.5)
    assert terrain == TernaryTerrain(np.zeros((5, 3)), np.tile(along[:, None], 4), 0.5)
    assert terrain.profile == pytest.approx(along)
    assert ROUGH.profile is None


def test_ground_goes_on_to_the_sides():
    assert ROUGH.height(2.0, -3.0) == ROUGH.height(2.0, 0.0)
    assert ROUGH.height(2.0, 9.0) == ROUGH.height(2.0, 4.0)


@pytest.mark.parametrize('place', [(2.0, 2.0), (0.1, 3.9)])
def test_a_patch_keeps_its_heights(place):
    patch = look(ROUGH, *place, range=1.0)
    assert patch.height(*place) == ROUGH.height(*place)


def test_smaller_cells_have_the_same_heights():
    fine = refined(ROUGH, 0.1)
    rng = np.random.default_rng(3)
    for x, y in rng.uniform((0.0, 0.0), (5.0, 4.0), (200, 2)).tolist():
        assert fine.height(x, y) == pytest.approx(ROUGH.height(x, y), abs=1e-12)


def test_a_file_keeps_heights():
    assert parse_terrain(dump(ROUGH)) == ROUGH


def test_a_slope_rises_in_its_direction():
    for direction in (0.0, 1.0, -2.5):
        terrain = build(20, 20, 0.5, relief=[Slope(math.radians(20), direction)])
        way = (math.cos(direction), math.sin(direction))
        rise = terrain.height(5.0 + way[0], 5.0 + way[1]) - terrain.height(5.0, 5.0)
        assert rise == pytest.approx(math.tan(math.radians(20)))
        assert not terrain.cells.any()


def test_a_slope_begins_and_ends():
    terrain = build(20, 4, 0.5, relief=[Slope(0.3, start=2.0, length=3.0)])
    assert terrain.height(2.0, 1.0) == 0.0
    assert terrain.height(9.0, 1.0) == terrain.height(5.0, 1.0) == pytest.approx(3 * math.tan(0.3))


def test_stairs_have_level_treads_and_forbidden_risers():
    terrain = build(40, 4, 0.1, relief=[Stairs(start=1.0, rise=0.1, tread=0.5, steps=3)])
    tops = [terrain.height(x, 0.2) for x in (0.5, 1.2, 1.7, 2.2, 3.5)]
    assert tops == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.3])
    assert np.flatnonzero((terrain.cells == FORBIDDEN).all(axis=1)).tolist() == [9, 14, 19]


def test_blocks_leave_their_gaps():
    cell, gap = 0.1, 0.8
    terrain = build(80, 80, cell, relief=[Blocks(0.5, side=0.4, gap=gap, seed=3, start=1.0)])
    high = terrain.heights > 0.25
    assert not high[:10].any() and high.any()
    for line in (*high, *high.T):
        inner = np.flatnonzero(line)
        jumps = np.diff(inner)
        assert ((jumps == 1) | (jumps * cell >= gap - 1e-9)).all()


def test_rubble_stays_below_its_height():
    terrain = build(30, 30, 0.3, relief=[Rubble(0.1, seed=9, start=3.0)])
    assert np.ptp(terrain.heights[:10]) == 0.0
    assert 0.05 < np.ptp(terrain.heights) <= 0.1


def test_too_steep_cells_are_forbidden():
    low = build(9, 9, 1.0, relief=[Stairs(4.0, 0.9 * math.tan(STEEPEST), 9.0, 1)])
    assert not low.cells.any()
    high = build(9, 9, 1.0, relief=[Stairs(4.0, 1.1 * math.tan(STEEPEST), 9.0, 1)])
    assert high.cells.any()


WHOLE = """
size: [30, 20]
cell: 20cm
slopes: [{angle: 10deg, direction: 90deg, start: 1m, length: 2m}]
stairs:
  - {start: 2m, rise: 10cm, tread: 60cm, steps: 3}
  - {start: 4m, rise: -10cm, tread: 60cm, steps: 3}
rubble: {height: 2cm, seed: 7}
blocks: {height: 50cm, side: 40cm, gap: 2m, start: 1m}
"""


def test_a_file_with_relief():
    terrain = parse_terrain(WHOLE)
    assert terrain == build(
        30,
        20,
        0.2,
        relief=[
            Slope(math.radians(10), math.radians(90), 1.0, 2.0),
            Stairs(2.0, 0.1, 0.6, 3),
            Stairs(4.0, -0.1, 0.6, 3),
            Rubble(0.02, 7),
            Blocks(0.5, 0.4, 2.0, 123, 1.0),
        ],
    )
