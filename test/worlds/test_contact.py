"""Test which filled cells are near a point, against a look at every one of them."""

import math

import numpy as np
import pytest

from walking_robots.worlds import World
from walking_robots.worlds.contact import near_cells
from walking_robots.worlds.files import parse_world


def slow(world: World, x: float, y: float, reach: float) -> list[tuple[float, float]]:
    """Return (gap, bearing) of every filled cell in reach, of the map and of a margin about it."""
    found = []
    for row in range(-25, world.rows + 25):
        for column in range(-25, world.columns + 25):
            left = world.origin[0] + column * world.cell
            low = world.origin[1] + row * world.cell
            dx = min(max(x, left), left + world.cell) - x
            dy = min(max(y, low), low + world.cell) - y
            if world.is_filled(row, column) and math.hypot(dx, dy) <= reach:
                found.append((math.hypot(dx, dy), math.atan2(dy, dx)))
    return sorted(found)


@pytest.mark.parametrize('seed', range(60))
def test_near_cells_are_those_of_a_look_at_all(seed: int) -> None:
    random = np.random.default_rng(seed)
    rows, columns = random.integers(1, 12, 2)
    world = World(
        'random',
        float(random.uniform(0.05, 2.0)),
        random.random((rows, columns)) < 0.3,
        np.full((rows, columns), -1),
        np.zeros((rows, columns)),
        (),
        origin=(float(random.uniform(-3, 3)), 0.5),
    )
    x = world.origin[0] + random.uniform(-0.5, 1.5) * world.width
    y = world.origin[1] + random.uniform(-0.5, 1.5) * world.height
    reach = world.cell * random.uniform(0, 5)
    near = near_cells(world, x, y, reach)
    found = sorted(zip(near.gap.tolist(), near.bearing.tolist(), strict=True))
    expected = slow(world, x, y, reach)
    assert len(found) == len(expected)
    assert np.allclose([gap for gap, _ in found], [gap for gap, _ in expected])
    # Cells side by side share a nearest point, and their order hangs on a rounding error.
    turns = [
        [complex(math.cos(b), math.sin(b)) * (1 + g) for g, b in s] for s in (found, expected)
    ]
    assert np.allclose(*(np.sort_complex(np.round(t, 9)) for t in turns), atol=1e-6)


ROOM = parse_world(
    'ars_schema: 1\nworld:\n  name: room\n  size: [5, 4]\n  cell: 50cm\n  y_axis: up\n'
    '  walls:\n  - rect: {from: [0, 0], to: [5, 4]}\n'
)


def test_a_wall_on_the_right() -> None:
    near = near_cells(ROOM, 1.9, 1.2, 0.15)
    assert near.gap == pytest.approx([0.1])
    assert near.bearing == pytest.approx([0.0])
    assert near_cells(ROOM, 1.9, 1.2, 0.09).gap.size == 0


def test_a_corner_has_two_walls() -> None:
    near = near_cells(ROOM, 0.6, 0.7, 0.21)
    assert sorted(set(np.round(near.gap, 9).tolist())) == [0.1, 0.2]
    assert sorted(set(np.round(near.bearing, 9).tolist())) == [
        round(-math.pi / 2, 9),
        round(math.pi, 9),
    ]


def test_in_a_wall_and_outside_the_map() -> None:
    for x, y in ((0.2, 0.2), (-7.1, 1.2), (1.2, 99.2), (-0.1, -0.1)):
        near = near_cells(ROOM, x, y, 0.1)
        assert near.gap.min() == 0.0
        assert near.bearing[near.gap == 0.0].tolist() == [0.0]
