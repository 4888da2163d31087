"""Terrain in smaller cells."""

import numpy as np
import pytest

from walking_robots.terrain.cells import FORBIDDEN, HOLE, SHARP
from walking_robots.terrain.generator import build
from walking_robots.terrain.refinement import refined

COARSE = build(6, 5, 0.3, share=0.3, seed=4, profile=((0.6, 0.0), (1.5, 0.4)))


def test_the_ground_stays_as_it_was():
    fine = refined(COARSE, 0.07)
    assert (fine.rows, fine.columns, fine.cell) == (24, 20, pytest.approx(0.075))
    rng = np.random.default_rng(1)
    for x, y in rng.uniform((0.0, 0.0), (1.8, 1.5), (200, 2)).tolist():
        assert fine.permitted(x, y) == COARSE.permitted(x, y)
        assert fine.height(x, y) == pytest.approx(COARSE.height(x, y), abs=1e-12)


def test_kinds_of_forbidden_cells_stay():
    terrain = build(4, 5, 0.3, share=0.5, seed=3, kinds=SHARP)
    fine = refined(terrain, 0.1)
    assert (fine.kinds == np.where(fine.cells == FORBIDDEN, SHARP, HOLE)).all()


def test_cells_of_the_right_size_stay():
    assert refined(COARSE, 0.3) is COARSE
    assert refined(COARSE, 0.2) is COARSE


@pytest.mark.parametrize(('cell', 'words'), [(0.4, 'or larger'), (1e-4, 'too many cells')])
def test_cells_that_do_not_suit_are_refused(cell, words):
    with pytest.raises(ValueError, match=words):
        refined(COARSE, cell)
