"""Test rays against a walk from cell to cell, and where they pass borders and corners."""

import math

import numpy as np
import pytest

from walking_robots.worlds import World
from walking_robots.worlds.files import parse_world
from walking_robots.worlds.rays import AXIS, TIE, Hits, RayCaster

Hit = tuple[float, int, int, int]
NOTHING: Hit = (math.inf, -1, -1, -1)


def make(filled: object, cell: float = 1.0, origin: tuple[float, float] = (0.0, 0.0)) -> World:
    """Make a world of cells without substance; the first row is the lowest."""
    mask = np.array(filled, dtype=np.bool_)
    return World('test', cell, mask, np.full(mask.shape, -1), np.zeros(mask.shape), (), origin)


def random_world(random: np.random.Generator, share: float) -> World:
    rows, columns = random.integers(1, 60, 2)
    origin = float(random.uniform(-9, 9)), float(random.uniform(-9, 9))
    return make(random.random((rows, columns)) < share, float(random.uniform(0.02, 3.0)), origin)


def walk(world: World, x: float, y: float, angle: float, reach: float = math.inf) -> Hit:
    """Go from cell to cell over the border that comes first."""
    u, v = (x - world.origin[0]) / world.cell, (y - world.origin[1]) / world.cell
    row, column = math.floor(v), math.floor(u)
    if world.is_filled(row, column):
        return 0.0, row, column, -1
    dx, dy = (0.0 if abs(part) < AXIS else part for part in (math.cos(angle), math.sin(angle)))
    while True:
        to_x = (column + (dx > 0) - u) / dx if dx else math.inf
        to_y = (row + (dy > 0) - v) / dy if dy else math.inf
        if not dy or (dx and (to_x - to_y) * abs(dy) <= TIE):
            way, face = to_x, 0
            column += 1 if dx > 0 else -1
        else:
            way, face = to_y, 1
            row += 1 if dy > 0 else -1
        if way * world.cell > reach:
            return NOTHING
        if world.is_filled(row, column):
            return way * world.cell, row, column, face


def assert_walked(world: World, x: object, y: object, angles: object, reach: float) -> Hits:
    """Compare every ray with the walk, and return them."""
    hits = RayCaster(world).cast(x, y, angles, reach)  # type: ignore[arg-type]
    rays = zip(*(a.flat for a in np.broadcast_arrays(x, y, angles)), strict=True)  # type: ignore[arg-type]
    found = zip(*(array.flat for array in hits), strict=True)
    for ray, (distance, *place) in zip(rays, found, strict=True):
        expected = walk(world, *map(float, ray), reach)
        assert tuple(place) == expected[1:], ray
        assert distance == pytest.approx(expected[0], rel=1e-9, abs=1e-9 * world.cell), ray
    return hits


@pytest.mark.parametrize('seed', range(20))
def test_random_rays_are_walked(seed: int) -> None:
    random = np.random.default_rng(seed)
    world = random_world(random, share=float(random.choice([0.0, 0.01, 0.05, 0.3])))
    x = world.origin[0] + random.uniform(0, 1, 500) * world.width
    y = world.origin[1] + random.uniform(0, 1, 500) * world.height
    reach = math.inf if seed % 2 else float(random.uniform(0, world.width))
    hits = assert_walked(world, x, y, random.uniform(-9, 9, 500), reach)
    assert len(np.unique(hits.face)) > 1


@pytest.mark.parametrize('cell', [1.0, 0.5, 0.05])
@pytest.mark.parametrize('seed', range(3))
def test_rays_along_borders_and_through_corners_are_walked(seed: int, cell: float) -> None:
    random = np.random.default_rng(seed)
    world = make(random.random((20, 25)) < 0.05, cell)
    # Corners, middles of sides and middles of cells, in all eight directions, a little off too.
    n = 1500
    x, y = random.integers(0, 50, n) / 2, random.integers(0, 40, n) / 2
    angles = random.integers(-16, 17, n) * (math.pi / 4)
    angles += random.choice([0.0, 0.0, 1e-14, -1e-14, 1e-5], n)
    assert_walked(world, x * cell, y * cell, angles, math.inf)


def single(world: World, x: float, y: float, degrees: float, reach: float = math.inf) -> Hit:
    """Cast one ray and return it as plain numbers."""
    hits = RayCaster(world).cast(x, y, math.radians(degrees), reach)
    assert all(array.shape == () for array in hits)
    return (*(array.item() for array in hits),)  # type: ignore[return-value]


def test_four_ways_out_of_an_empty_map() -> None:
    world = make(np.zeros((3, 5)), 0.5, (10.0, -2.0))
    assert single(world, 10.6, -1.2, 0) == (pytest.approx(1.9), 1, 5, 0)
    assert single(world, 10.6, -1.2, 90) == (pytest.approx(0.7), 3, 1, 1)
    assert single(world, 10.6, -1.2, 180) == (pytest.approx(0.6), 1, -1, 0)
    assert single(world, 10.6, -1.2, -90) == (pytest.approx(0.8), -1, 1, 1)
    assert single(world, 10.6, -1.2, 270) == (pytest.approx(0.8), -1, 1, 1)


def test_a_slanted_ray() -> None:
    world = make([[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]])
    angle = math.degrees(math.atan2(1, 2.5))
    length = math.hypot(1.0, 2.5)
    assert single(world, 0.5, 0.5, angle) == (pytest.approx(length), 1, 3, 0)
    # From higher up it goes over that cell, and out above the next one.
    assert single(world, 0.5, 1.7, angle) == (pytest.approx(length * 1.3), 3, 3, 1)


@pytest.mark.parametrize('turn', range(4))
def test_through_a_corner_along_x_first(turn: int) -> None:
    degrees = 45 + 90 * turn
    right, up = (1, 0, 0, 1)[turn], (1, 1, 0, 0)[turn]
    beside, above = np.zeros((2, 2)), np.zeros((2, 2))
    beside[1 - up, right] = 1
    above[up, 1 - right] = 1
    start = 1.5 - right, 1.5 - up
    assert single(make(beside), *start, degrees) == (
        pytest.approx(math.sqrt(0.5)),
        1 - up,
        right,
        0,
    )
    # The cell above or below is passed by; the ray ends at the map's own corner.
    distance, row, column, face = single(make(above), *start, degrees)
    assert distance == pytest.approx(1.5 * math.sqrt(2.0))
    assert (row, column, face) == (up, 3 * right - 1, 0)


@pytest.mark.parametrize('degrees', [-270, -90, 90, 270])
def test_along_a_border_is_in_the_cell_right_of_it_and_above(degrees: int) -> None:
    filled = np.zeros((5, 5))
    filled[0, 3] = filled[4, 3] = filled[3, 0] = filled[3, 4] = 1
    world = make(filled)
    up = degrees % 360 == 90
    assert single(world, 3.0, 2.5, degrees) == (1.5, 4 if up else 0, 3, 1)
    sideways = single(world, 2.5, 3.0, degrees - 90)
    assert sideways == (1.5, 3, 4 if up else 0, 0)
    # The cells below and left of the border count for nothing.
    filled[:] = 0
    filled[0, 2] = filled[4, 2] = filled[2, 0] = filled[2, 4] = 1
    world = make(filled)
    assert single(world, 3.0, 2.5, degrees)[0] == 2.5
    assert single(world, 2.5, 3.0, degrees - 90)[0] == 2.5


def test_a_start_in_a_wall_and_outside() -> None:
    world = make([[0, 1], [0, 0]])
    assert single(world, 1.5, 0.5, 77) == (0.0, 0, 1, -1)
    assert single(world, -0.5, 1.5, 0) == (0.0, 1, -1, -1)
    assert single(world, 1.5, 2.0, -90) == (0.0, 2, 1, -1)
    assert single(world, -1e9, 1e9, 30) == (0.0, 2, -1, -1)


def test_reach() -> None:
    world = make(np.zeros((4, 200)))
    assert single(world, 0.5, 1.5, 0, reach=199.5) == (199.5, 1, 200, 0)
    assert single(world, 0.5, 1.5, 0, reach=199.4999) == NOTHING
    assert single(world, 0.5, 1.5, 90, reach=199.4) == (2.5, 4, 0, 1)
    assert single(world, 0.5, 1.5, 45, reach=0.0) == NOTHING
    assert single(make([[1]]), 0.5, 0.5, 45, reach=0.0) == (0.0, 0, 0, -1)


def test_shapes_broadcast() -> None:
    world = make(np.zeros((4, 4)))
    caster = RayCaster(world)
    fan = np.linspace(0, 6, 12).reshape(3, 4)
    hits = caster.cast(1.5, 2.5, fan)
    assert all(array.shape == (3, 4) for array in hits)
    several = caster.cast(np.array([[[1.5]], [[2.5]]]), 2.5, fan)
    assert several.distance.shape == (2, 3, 4)
    assert (several.distance[0] == hits.distance).all()
    assert (several.row[1] == caster.cast(2.5, 2.5, fan).row).all()
    assert caster.cast(1.0, 1.0, []).distance.shape == (0,)


def test_the_corners_of_a_large_map() -> None:
    world = make(np.zeros((2000, 2000)), 0.01)
    far = single(world, 0.005, 0.005, 45)
    assert far == (pytest.approx(19.995 * math.sqrt(2.0)), 1999, 2000, 0)
    steep = math.degrees(math.atan2(1999.5, 1.0))
    assert single(world, 0.005, 0.005, steep)[1:] == (2000, 1, 1)
    assert single(world, 0.005, 0.005, 90 - 1e-11)[1:] == (2000, 0, 1)


def test_a_ray_meets_the_wall_of_the_manual() -> None:
    world = parse_world(
        'ars_schema: 1\nworld:\n  name: room\n  size: [75, 75]\n  walls:\n'
        '  - rect: {from: [0, 0], to: [75, 75], type: bricks, params: [0, 10, 30, 25]}\n'
        '  - wall: {from: [30, 10], to: [30, 50], type: slate, params: [10, 30]}\n'
    )
    distance, row, column, face = single(world, 10.0, 44.0, 0)
    assert (distance, face) == (19.5, 0)
    assert world.substance_at(row, column) == ('slate', 20.0)
