"""Test the making of mazes."""

from collections import deque
from pathlib import Path

import numpy as np
import pytest

from walking_robots.ars_magna.design.files import parse_design
from walking_robots.ars_magna.design.mazes import maze

SHIPPED = Path(__file__).parents[3] / 'config' / 'worlds' / 'maze.yaml'


def test_the_shipped_maze_is_that_of_seed_3() -> None:
    assert SHIPPED.read_text() == maze(8, 6, 3)
    assert maze(8, 6, 3) != maze(8, 6, 4).replace('seed 4', 'seed 3')


@pytest.mark.parametrize(('columns', 'rows'), [(2, 1), (1, 7), (8, 6), (13, 4)])
def test_one_way_leads_from_chamber_to_chamber(columns: int, rows: int) -> None:
    design = parse_design(maze(columns, rows, 11))
    assert design.warnings == ()
    filled = design.grid.filled[::-1]
    assert filled.shape == (rows * 4 + 1, columns * 4 + 1)
    # Chambers and ways between them: one less than chambers in a tree, and none unreached.
    open_ways = (~filled[2::4, 4:-1:4]).sum() + (~filled[4:-1:4, 2::4]).sum()
    assert open_ways == columns * rows - 1
    reached, waiting = np.zeros_like(filled), deque([(2, 2)])
    while waiting:
        y, x = waiting.popleft()
        if not (filled[y, x] or reached[y, x]):
            reached[y, x] = True
            waiting += [(y + 1, x), (y - 1, x), (y, x + 1), (y, x - 1)]
    assert (reached == ~filled).all()
    for thing in design.things:
        assert thing.x is not None
        assert thing.y is not None
        x, y = int(thing.x), int(thing.y)
        ways = [filled[y, x - 2], filled[y, x + 2], filled[y - 2, x], filled[y + 2, x]]
        assert sum(ways) == 3


def test_what_is_no_maze() -> None:
    for columns, rows in ((1, 1), (0, 5), (41, 2)):
        with pytest.raises(ValueError, match=f'not {columns} x {rows}; give other numbers'):
            maze(columns, rows, 1)
