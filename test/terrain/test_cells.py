"""Test the queries on a ternary terrain."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from walking_robots.geometry.units import FOOT
from walking_robots.terrain import FORBIDDEN, OUTSIDE_HEIGHT, UNSEEN, TernaryTerrain
from walking_robots.terrain.generator import DEFAULT_PROFILE, build


def small() -> TernaryTerrain:
    """Return 3 x 2 cells of half a metre whose first cell has index (4, -1)."""
    return TernaryTerrain(
        cells=np.array([[0, 1], [0, 0], [-1, 0]]),
        heights=np.array([0.0, 1.0, 1.0, 3.0]),
        cell=0.5,
        first_row=4,
        first_column=-1,
    )


def test_cells_have_absolute_indices() -> None:
    terrain = small()
    assert terrain.cell_of(2.1, -0.1) == (4, -1)
    assert terrain.contains(2.1, -0.1)
    assert terrain.permitted(2.1, -0.1)
    assert terrain.contains(2.1, 0.1)
    assert not terrain.permitted(2.1, 0.1)
    assert not terrain.permitted(3.1, -0.1), 'unseen'
    assert not terrain.contains(1.9, -0.1)
    assert not terrain.contains(2.1, 0.6)
    assert (terrain.rows, terrain.columns) == (3, 2)


def test_height_is_linear_between_borders() -> None:
    terrain = small()
    assert terrain.height(2.0, 0.0) == 0.0
    assert terrain.height(2.25, 0.0) == pytest.approx(0.5)
    assert terrain.height(3.4, 0.0) == pytest.approx(2.6)
    assert terrain.height(3.5, 0.0) == 3.0
    for x in (1.999, 3.501, float('nan'), float('inf')):
        assert terrain.height(x, 0.0) == OUTSIDE_HEIGHT == pytest.approx(-1000 * FOOT)


def test_original_height_extrapolates_in_the_first_half_of_a_cell() -> None:
    terrain = small()
    assert terrain.height_original(2.6, 0.0) == pytest.approx(1.2), (
        'the slope before goes on (DEF-9)'
    )
    assert terrain.height_original(2.8, 0.0) == pytest.approx(1.0)
    assert terrain.height_original(2.1, 0.0) == pytest.approx(0.0), 'no segment before the first'
    assert terrain.height_original(3.9, 0.0) == 3.0, 'one more cell counts as terrain'
    assert terrain.height_original(4.0, 0.0) == 3.0
    assert terrain.height_original(4.1, 0.0) == OUTSIDE_HEIGHT


@given(st.integers(0, 48), st.integers(0, 4000))
def test_both_heights_agree_at_cell_centres(row: int, seed: int) -> None:
    heights = np.random.default_rng(seed).normal(size=50)
    terrain = TernaryTerrain(np.zeros((49, 49)), heights, FOOT)
    x = (row + 0.5) * FOOT
    assert terrain.height(x, 0.0) == pytest.approx(terrain.height_original(x, 0.0), abs=1e-9)


@given(st.lists(st.tuples(st.floats(-3, 18), st.floats(-3, 18)), min_size=1, max_size=90))
def test_permitted_centres_agree_with_scalars(points: list[tuple[float, float]]) -> None:
    terrain = build(share=0.4, seed=5, profile=DEFAULT_PROFILE)
    mask, centres, heights = terrain.permitted_centres(np.array(points))
    for k, (x, y) in enumerate(points):
        i, j = terrain.cell_of(x, y)
        assert mask[k] == terrain.permitted(x, y)
        assert tuple(centres[k]) == ((i + 0.5) * FOOT, (j + 0.5) * FOOT)
        assert heights[k] == pytest.approx(terrain.height(*centres[k].tolist()))


def test_permitted_centres_of_a_patch_and_of_no_points() -> None:
    mask, centres, heights = small().permitted_centres(np.array([[2.6, 0.3], [3.2, -0.2]]))
    assert mask.tolist() == [True, False]
    assert centres.tolist() == [[2.75, 0.25], [3.25, -0.25]]
    assert heights.tolist() == [1.0, 2.0]
    assert small().permitted_centres(np.empty((0, 2)))[0].shape == (0,)


def test_arrays_are_frozen_copies() -> None:
    cells = np.zeros((2, 2), dtype=np.int8)
    terrain = TernaryTerrain(cells, np.zeros(3), 1.0)
    cells[0, 0] = FORBIDDEN
    assert terrain.permitted(0.5, 0.5)
    with pytest.raises(ValueError, match='read-only'):
        terrain.cells[0, 0] = UNSEEN


def test_equality_compares_content() -> None:
    assert small() == small()
    assert small() != build()
    assert small() != 'terrain'


@pytest.mark.parametrize(
    ('cells', 'heights', 'cell'),
    [
        (np.zeros(3), np.zeros(4), 1.0),
        (np.zeros((3, 3)), np.zeros(3), 1.0),
        (np.zeros((3, 3)), np.zeros(4), 0.0),
        (np.zeros((3, 3)), np.zeros(4), float('nan')),
    ],
)
def test_wrong_shapes_are_refused(cells: object, heights: object, cell: float) -> None:
    with pytest.raises(ValueError, match=r'must|need'):
        TernaryTerrain(cells, heights, cell)  # type: ignore[arg-type]
