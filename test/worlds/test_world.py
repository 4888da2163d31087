"""Test the world itself: what is where, and what is outside."""

import numpy as np
import pytest

from walking_robots.worlds import VOID, World


def small(**changes: object) -> World:
    """Make a world of 2 rows and 3 columns of 0.5 m, filled at the lower left and upper right."""
    filled = np.array([[True, False, False], [False, False, True]])
    fields: dict[str, object] = {
        'name': 'small',
        'cell': 0.5,
        'filled': filled,
        'substance': np.array([[1, -1, -1], [-1, -1, -1]]),
        'parameter': np.where(filled, 4.0, 0.0),
        'substances': ('wood', 'slate'),
        'origin': (-1.0, 2.0),
    }
    return World(**(fields | changes))  # type: ignore[arg-type]


def test_extent_and_cells() -> None:
    world = small()
    assert (world.rows, world.columns, world.width, world.height) == (2, 3, 1.5, 1.0)
    assert world.cell_at(-0.9, 2.1) == (0, 0)
    assert world.cell_at(0.0, 2.5) == (1, 2)
    assert world.cell_at(-1.1, 3.1) == (2, -1)


def test_what_cells_are() -> None:
    world = small()
    assert world.is_filled(0, 0)
    assert not world.is_filled(1, 0)
    assert world.substance_at(0, 0) == ('slate', 4.0)
    assert world.substance_at(1, 0) is None
    assert world.substance_at(1, 2) is None
    for row, column in ((-1, 0), (2, 0), (0, -1), (0, 3)):
        assert world.is_filled(row, column)
        assert world.substance_at(row, column) == (VOID, 0.0)


def test_a_world_cannot_be_changed() -> None:
    source = np.zeros((2, 3), dtype=np.bool_)
    world = small(filled=source)
    source[0, 0] = True
    assert not world.filled.any()
    for array in (world.filled, world.substance, world.parameter):
        with pytest.raises(ValueError, match='read-only'):
            array[0, 0] = 1


@pytest.mark.parametrize(
    ('field', 'value', 'reason'),
    [
        ('cell', 0.0, 'positive'),
        ('cell', float('nan'), 'positive'),
        ('filled', np.zeros(3), 'rows and columns'),
        ('filled', np.zeros((0, 3)), 'rows and columns'),
        ('substance', np.zeros((3, 2)), r'substance must have shape \(2, 3\)'),
        ('parameter', np.zeros((1, 3)), 'parameter must have shape'),
    ],
)
def test_what_is_no_world(field: str, value: object, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        small(**{field: value})
