"""Test which cells clauses fill, and with what (ars_magna.md §4.1, T86, T87, T104)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from walking_robots.worlds.clauses import Circle, Clause, Drawing, Rect, Wall, draw

BRICKS = Rect((0, 0), (75, 75), 'bricks', (0.0, 10.0, 30.0, 25.0))
SLATE = Wall((30, 10), (30, 50), 'slate', (10.0, 30.0))

POINTS = st.tuples(st.integers(0, 29), st.integers(0, 29))


def cells_of(clause: Clause, size: int = 30) -> set[tuple[int, int]]:
    """Return the (x, y) of the cells that a clause fills."""
    y, x = np.nonzero(draw([clause], size, size).filled)
    return set(zip(x.tolist(), y.tolist(), strict=True))


def drawn(*rows: str) -> set[tuple[int, int]]:
    """Return the (x, y) of the # in a drawing."""
    return {(x, y) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == '#'}


def test_t86_dividing_wall() -> None:
    drawing = draw([SLATE], 75, 75)
    assert drawing.filled.sum() == 41
    assert [drawing.parameter[y, 30] for y in (10, 30, 50)] == [10.0, 20.0, 30.0]


def test_t87_outer_walls() -> None:
    drawing = draw([BRICKS], 75, 75)
    corners = [drawing.parameter[y, x] for x, y in ((0, 0), (74, 0), (74, 74), (0, 74))]
    assert corners == [0.0, 10.0, 30.0, 25.0]
    assert drawing.parameter[0, 37] == pytest.approx(5.0)
    # The last side runs from the last corner back to the first.
    assert drawing.parameter[37, 0] == pytest.approx(12.5)


def test_t104_big_room() -> None:
    drawing = draw([BRICKS, SLATE], 75, 75)
    assert drawing.filled.sum() == 337
    assert (drawing.substance == 0).sum() == 296
    assert (drawing.substance == 1).sum() == 41
    assert drawing.substances == ('bricks', 'slate')
    assert drawing.warnings == ()


def test_later_clauses_overwrite() -> None:
    across = Wall((0, 20), (74, 20), 'slate', (7.0,))
    drawing = draw([SLATE, BRICKS, across], 75, 75)
    assert drawing.substances == ('slate', 'bricks')
    assert (drawing.substance[20, 0], drawing.parameter[20, 0]) == (0, 7.0)
    assert (drawing.substance[20, 30], drawing.parameter[20, 30]) == (0, 7.0)
    assert (drawing.substance[0, 0], drawing.substance[5, 5]) == (1, -1)


def bresenham(start: tuple[int, int], end: tuple[int, int]) -> set[tuple[int, int]]:
    """Draw a line by the well-known loop over the longer axis."""
    (x, y), (x1, y1) = start, end
    dx, dy = abs(x1 - x), abs(y1 - y)
    swapped = dy > dx
    if swapped:
        x, y, x1, y1, dx, dy = y, x, y1, x1, dy, dx
    cells = set()
    error = 2 * dy - dx
    for _ in range(dx + 1):
        cells.add((y, x) if swapped else (x, y))
        if error > 0:
            y += 1 if y1 > y else -1
            error -= 2 * dx
        error += 2 * dy
        x += 1 if x1 > x else -1
    return cells


@given(POINTS, POINTS)
def test_a_wall_is_bresenhams_line(start: tuple[int, int], end: tuple[int, int]) -> None:
    assert cells_of(Wall(start, end, 'a', (1.0,))) == bresenham(start, end)


@given(POINTS, POINTS, st.floats(-9, 9), st.floats(-9, 9))
def test_the_parameter_runs_along_a_wall(
    start: tuple[int, int], end: tuple[int, int], first: float, last: float
) -> None:
    cells = Wall(start, end, 'a', (first, last)).cells((30, 30))
    assert (cells.x[0], cells.y[0], cells.parameter[0]) == (*start, first)
    if start != end:
        assert (cells.x[-1], cells.y[-1], cells.parameter[-1]) == (*end, last)
    assert np.allclose(np.diff(cells.parameter, 2), 0.0)


def test_a_rect_in_any_order_of_corners() -> None:
    expected = drawn('####', '#..#', '####')
    for start, end in (((0, 0), (3, 2)), ((3, 2), (0, 0)), ((0, 2), (3, 0))):
        assert cells_of(Rect(start, end, 'a', (1.0,))) == expected
    drawing = draw([Rect((3, 2), (0, 0), 'a', (1.0, 2.0, 3.0, 4.0))], 4, 3)
    assert [drawing.parameter[y, x] for x, y in ((3, 2), (0, 2), (0, 0), (3, 0))] == [1, 2, 3, 4]


def midpoint(radius: int) -> set[tuple[int, int]]:
    """Draw a circle about 0 by the well-known loop over an octant."""
    cells = set()
    x, y, error = 0, radius, 1 - radius
    while x <= y:
        for a, b in ((x, y), (y, x)):
            cells |= {(a, b), (-a, b), (a, -b), (-a, -b)}
        if error < 0:
            error += 2 * x + 3
        else:
            error += 2 * (x - y) + 5
            y -= 1
        x += 1
    return cells


@pytest.mark.parametrize('radius', [*range(40), 137])
def test_a_circle_follows_the_midpoint_rule(radius: int) -> None:
    cells = Circle((0, 0), radius, 'a', (2.0,)).cells((9, 9))
    assert set(zip(cells.x.tolist(), cells.y.tolist(), strict=True)) == midpoint(radius)
    assert (cells.parameter == 2.0).all()


@pytest.mark.parametrize('radius', range(9))
def test_a_solid_circle_has_no_gaps_within_its_outline(radius: int) -> None:
    outline = {(x + 9, y + 9) for x, y in midpoint(radius)}
    solid = {
        (x, y)
        for y in range(9 - radius, 10 + radius)
        for x in range(
            min(a for a, b in outline if b == y), max(a for a, b in outline if b == y) + 1
        )
    }
    assert cells_of(Circle((9, 9), radius, 'a', (1.0,), fill=True)) == solid


def warned(clause: Clause) -> Drawing:
    drawing = draw([SLATE, clause], 75, 60)
    assert drawing.warnings == (
        'walls[1] reaches outside the map of 75 x 60 cells; what lies outside is left out.',
    )
    return drawing


def test_beyond_the_map() -> None:
    drawing = warned(Wall((70, 5), (80, 15), 'a', (0.0, 10.0)))
    # The part inside keeps its direction and its parameters.
    assert [drawing.parameter[5 + i, 70 + i] for i in range(5)] == [0, 1, 2, 3, 4]
    assert (drawing.substance == 1).sum() == 5
    assert (warned(Rect((-1, 3), (5, 9), 'a', (1.0,))).substance == 1).sum() == 5 + 6 + 6 + 1 - 1
    assert warned(Circle((75, 60), 3, 'a', (1.0,), fill=True)).substance[59, 74] == 1


def test_the_maps_size_means_its_last_cell() -> None:
    assert cells_of(Wall((30, 2), (2, 30), 'a', (1.0,))) == bresenham((29, 2), (2, 29))
    assert draw([Wall((30, 2), (2, 30), 'a', (1.0,))], 30, 30).warnings == ()
