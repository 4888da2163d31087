"""Many convex polygons at once, against the same by single points."""

import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from walking_robots.geometry.compiled import compiled
from walking_robots.geometry.polygons import (
    clip,
    dot,
    furthest,
    inset,
    intersect,
    nearest,
    towards,
)

SEEDS = st.integers(0, 2**32 - 1)
SQUARE = np.array([[1 + 1j, -1 + 1j, -1 - 1j, 1 - 1j]])


def polygons(chance: np.random.Generator, count: int = 20) -> np.ndarray:
    """Return polygons of one to seven corners on circles, the last corner repeated."""
    corners = np.empty((count, 7), complex)
    for row in corners:
        number = chance.integers(1, 8)
        angles = np.sort(chance.uniform(0.0, 2.0 * np.pi, number))
        own = complex(*chance.normal(size=2)) + chance.uniform(0.2, 2.0) * np.exp(1j * angles)
        row[:number], row[number:] = own, own[-1]
    return corners


def inside(corners: np.ndarray, point: complex, slack: float) -> bool:
    """Return whether a point is in the hull of corners, by support in many directions."""
    directions = np.exp(1j * np.linspace(0.0, 2.0 * np.pi, 721))
    reach = (corners[:, None].conj() * directions).real.max(axis=0)
    return bool(((np.conj(point) * directions).real <= reach + slack).all())


@settings(max_examples=20)
@given(SEEDS)
def test_a_part_is_what_lies_in_all_half_planes(seed: int) -> None:
    chance = np.random.default_rng(seed)
    corners = polygons(chance)
    normals = np.exp(1j * chance.uniform(0.0, 2.0 * np.pi, (20, 3)))
    limits = chance.uniform(-1.0, 2.0, (20, 3))
    rows, parts = intersect(corners, normals, limits)
    for row in range(20):
        weights = chance.dirichlet(np.ones(7) * 0.5, 300)
        points = weights @ corners[row]
        within = ((points[:, None].conj() * normals[row]).real <= limits[row]).all(axis=1)
        if row not in rows:
            assert not within.any()
            continue
        part = parts[list(rows).index(row)]
        assert (dot(part[:, None], normals[row]) <= limits[row] + 1e-9).all()
        assert all(inside(corners[row], corner, 1e-9) for corner in part)
        assert all(inside(part, point, 1e-9) for point in points[within])


@given(SEEDS)
def test_the_nearest_point_is_nearer_than_any_other(seed: int) -> None:
    chance = np.random.default_rng(seed)
    corners = polygons(chance)
    points = corners.mean(axis=1) + chance.normal(size=20) + 1j * chance.normal(size=20)
    found = nearest(corners, points)
    for row in range(20):
        others = chance.dirichlet(np.ones(7) * 0.5, 300) @ corners[row]
        assert inside(corners[row], found[row], 1e-9)
        assert abs(found[row] - points[row]) <= np.abs(others - points[row]).min() + 1e-9


def test_a_polygon_that_is_not_cut_stays_as_it_is() -> None:
    east = np.array([[1.0 + 0.0j]])
    rows, parts = intersect(SQUARE, east, np.array([[1.0]]))
    assert rows.tolist() == [0] and parts.tolist() == SQUARE.tolist()
    rows, parts = intersect(SQUARE, east, np.array([[-1.5]]))
    assert not rows.size and not parts.size


def test_machine_code_finds_the_same_to_the_last_bit() -> None:
    chance = np.random.default_rng(7)
    corners = polygons(chance)
    normals = np.exp(1j * chance.uniform(0.0, 2.0 * np.pi, (20, 3)))
    limits = chance.uniform(-1.0, 2.0, (20, 3))
    for found, wanted in zip(
        intersect(corners, normals, limits), clip(corners, normals, limits), strict=True
    ):
        assert found.tobytes() == wanted.tobytes()
    points = chance.normal(size=20) + 1j * chance.normal(size=20)
    assert (nearest(corners, points) == nearest.__wrapped__(corners, points)).all()


def test_without_numba_functions_run_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, 'numba', None)
    rows, parts = compiled('complex128[:, :]')(clip)(SQUARE, np.ones((1, 1)), np.array([[0.5]]))
    assert rows.tolist() == [0] and parts.real.max() == 0.5


@pytest.mark.parametrize('corners', [SQUARE, SQUARE[:, ::-1]])
def test_the_inset_of_a_square_is_a_smaller_square(corners: np.ndarray) -> None:
    rows, parts = intersect(2.0 * corners, *inset(corners, 0.25))
    assert rows.tolist() == [0]
    assert {(round(z.real, 9), round(z.imag, 9)) for z in parts[0]} == {
        (x, y) for x in (-0.75, 0.75) for y in (-0.75, 0.75)
    }
    assert not intersect(2.0 * corners, *inset(corners, 1.25))[0].size


def test_further_on_a_way() -> None:
    ahead = np.array([1.0 + 0.0j])
    assert furthest(SQUARE - 0.5j * SQUARE, ahead).real == pytest.approx(1.5)
    start, end = np.array([0j, 0j, 1j]), np.array([4.0 + 0j, 4.0 + 0j, 1j])
    assert towards(start, end, np.array([1.0, 9.0, 1.0])).tolist() == [1.0, 4.0, 1j]
