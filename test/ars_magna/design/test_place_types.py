"""Test which places the walls around a cell make (ars_magna.md §4.2)."""

import math
from collections.abc import Iterator

import numpy as np
import pytest
from ars_stage import Stage
from numpy.typing import NDArray

from benchmarks.cpu_time import cpu_time
from walking_robots.ars_magna.design.place_types import (
    PlacePattern,
    PlaceType,
    classify,
    occupancy_window,
    standard_place_types,
)

TYPES = standard_place_types()
NAMES = [place_type.name for place_type in TYPES]
Filled = NDArray[np.bool_]


def picture(*rows: str) -> Filled:
    return np.array([[sign == '#' for sign in row] for row in rows])


def places(filled: Filled, types: tuple[PlaceType, ...] = TYPES) -> dict[tuple[int, int], object]:
    """Return type and basic direction in quarter turns by (x, y)."""
    found = classify(filled, types)
    assert (found.direction[found.kind < 0] == 0.0).all()
    return {
        (int(x), int(y)): (types[found.kind[y, x]].name, found.direction[y, x] / (math.pi / 2))
        for y, x in np.argwhere(found.kind >= 0)
    }


def test_the_four_types_are_those_of_the_manual() -> None:
    assert NAMES == ['doorway', 'convex', 'concave', 'beak']
    assert [t.confusion for t in TYPES] == [0.05, 0.03, 0.03, 0.03]
    quarter = math.pi / 2
    assert [t.directions for t in TYPES] == [
        (0.0, math.pi),
        (0.0, -quarter),
        (0.0, quarter),
        (-quarter, quarter),
    ]
    # The manual writes the four of convex out; here they are quarter turns of the first.
    assert TYPES[1].patterns == (
        PlacePattern(('...', '##.', '?#.'), 0.0, 1, -1),
        PlacePattern(('?#.', '##.', '...'), quarter, 1, 1),
        PlacePattern(('.#?', '.##', '...'), 2 * quarter, -1, 1),
        PlacePattern(('...', '.##', '.#?'), 3 * quarter, -1, -1),
    )


def test_t89_a_gap_of_one_cell_is_a_doorway() -> None:
    row = np.zeros((9, 11), dtype=np.bool_)
    row[4] = True
    row[4, 5] = False
    assert places(row)[5, 4] == ('doorway', 1.0)
    assert places(row.T)[4, 5] == ('doorway', 0.0)
    assert [name for name, _ in places(row).values()].count('doorway') == 1


def test_t90_the_corners_of_a_block_are_convex() -> None:
    filled = np.zeros((11, 11), dtype=np.bool_)
    filled[3:8, 3:8] = True
    # The corners of the map are concave, for outside it all cells are walls.
    convex = {cell for cell, (name, _) in places(filled).items() if name == 'convex'}
    assert convex == {(8, 2), (8, 8), (2, 8), (2, 2)}


def test_t105_convex_places_and_directions_of_a_block() -> None:
    filled = np.zeros((20, 20), dtype=np.bool_)
    filled[8:13, 8:13] = True
    found = {cell: place for cell, place in places(filled).items() if place[0] == 'convex'}
    assert found == {
        (13, 7): ('convex', 0.0),
        (13, 13): ('convex', 1.0),
        (7, 13): ('convex', 2.0),
        (7, 7): ('convex', 3.0),
    }


@pytest.mark.parametrize(
    ('rows', 'basic', 'printed'),
    [(('#..', '...', '..#'), 1.5, 0.5), (('..#', '...', '#..'), 0.5, 1.5)],
    ids=['t91-falling', 't91-rising'],
)
def test_t91_diagonal_doorways(rows: tuple[str, ...], basic: float, printed: float) -> None:
    filled = np.zeros((7, 7), dtype=np.bool_)
    filled[2:5, 2:5] = picture(*rows)
    assert places(filled)[3, 3] == ('doorway', basic)
    literal = standard_place_types(literal_doorway_diagonals=True)
    assert places(filled, literal)[3, 3] == ('doorway', printed)


def test_concave_corners_and_beaks_of_a_room() -> None:
    filled = np.pad(np.zeros((7, 9), dtype=np.bool_), 1, constant_values=True)
    filled[4, 1:5] = True
    assert places(filled) == {
        (5, 4): ('beak', 0.0),
        (1, 1): ('concave', 0.0),
        (9, 1): ('concave', 1.0),
        (9, 7): ('concave', 2.0),
        (1, 7): ('concave', 3.0),
        (1, 3): ('concave', 3.0),
        (1, 5): ('concave', 0.0),
    }


def test_the_first_type_that_fits_counts() -> None:
    filled = picture('#####', '#...#', '#...#', '#...#', '#####')
    anywhere = PlaceType(
        'anywhere', patterns=(PlacePattern(('.',), 1.0), PlacePattern(('?',), 2.0))
    )
    first = classify(filled, (anywhere, *TYPES))
    assert (first.kind[1:4, 1:4] == 0).all()
    assert (first.direction[1:4, 1:4] == 1.0).all()
    last = classify(filled, (*TYPES, anywhere))
    assert last.kind[1, 1] == NAMES.index('concave')
    assert last.kind[2, 2] == 4
    # What fits everywhere says nothing of walls.
    assert (last.kind[filled] == -1).all()
    assert last.warnings == ()


def test_outside_the_map_all_cells_are_walls() -> None:
    assert places(
        picture('.'), (PlaceType('pit', patterns=(PlacePattern(('###', '#.#', '###'), 0.0),)),)
    )


def test_a_form_may_be_wide() -> None:
    wide = PlaceType('gate', patterns=(PlacePattern(('#...#',), 0.0),))
    assert list(places(picture('.......', '#.#...#', '.......'), (wide,))) == [(4, 1)]


def test_a_function_may_find_places() -> None:
    def checker(filled: Filled) -> Iterator[tuple[int, int, float]]:
        yield 1, 2, 0.5
        yield 1, 2, 0.75
        yield 0, 0, 0.0
        yield 99, 0, 0.0

    found = classify(picture('#...', '....'), (PlaceType('mark', checker=checker),))
    assert np.argwhere(found.kind == 0).tolist() == [[1, 2]]
    assert found.direction[1, 2] == 0.5
    assert 'would classify 1 filled cells' in found.warnings[0]


def test_a_function_that_fails_is_one_sentence() -> None:
    with pytest.raises(ValueError, match=r"checker of place type 'mark' fails \(TypeError: "):
        classify(picture('..'), (PlaceType('mark', checker=lambda filled: [None]),))  # type: ignore[list-item]
    empty = classify(picture('..'), (PlaceType('mark', checker=lambda filled: ()),))
    assert (empty.kind == -1).all()


def test_windows_reach_over_the_border() -> None:
    filled = picture('....', '.#..', '....')
    assert (occupancy_window(filled, 1, 1, 3, 3) == picture('...', '.#.', '...')).all()
    assert (
        occupancy_window(filled, 0, 0, 3, 5) == picture('###', '###', '#..', '#.#', '#..')
    ).all()
    assert (occupancy_window(filled, 2, 3, 3, 1) == picture('..#')).all()
    assert occupancy_window(filled, -9, 40, 3, 3).all()
    with pytest.raises(ValueError, match='odd width and height, found 2 x 3'):
        occupancy_window(filled, 0, 0, 2, 3)


def test_a_map_of_75_by_75_is_classified_in_a_few_milliseconds() -> None:
    filled = np.random.default_rng(1).random((75, 75)) < 0.3
    assert cpu_time(lambda: classify(filled, TYPES), 0.01) < 0.01


def test_a_form_with_a_wall_in_its_middle_that_classifies_that_is_warned_of():
    filled = np.zeros((5, 5), dtype=bool)
    filled[2, 2] = True
    block = PlaceType('block', patterns=(PlacePattern(('...', '.#.', '...'), 0.0),))
    places = classify(filled, [block])
    assert (places.kind < 0).all()
    assert places.warnings == (
        "place type 'block' would classify 1 filled cells; only empty cells are classified.",
    )


def test_what_a_place_type_cannot_classify_is_reported_at_the_start():
    stage = Stage(
        '  walls: [rect: {from: [5, 5], to: [9, 9], type: p, params: [1]}]',
        definitions="place_types: {odd: {matchers: [{form: ['#'], direction: 0}]}}",
    )
    assert "place type 'odd' would classify 16 filled cells" in str(
        stage.world.messages.take()[-1]
    )
