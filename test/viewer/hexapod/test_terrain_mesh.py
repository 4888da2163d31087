"""Test the meshes that show a terrain."""

import numpy as np
import pytest

from walking_robots.geometry.units import FOOT
from walking_robots.terrain import TernaryTerrain
from walking_robots.terrain.generator import DEFAULT_PROFILE, Ditch, build
from walking_robots.viewer.common.mesh import Mesh
from walking_robots.viewer.hexapod.terrain_mesh import PIT, terrain_meshes


def meshes(terrain: TernaryTerrain) -> dict[str, Mesh]:
    return {mesh.name: mesh for mesh in terrain_meshes(terrain)}


def normals(mesh: Mesh) -> np.ndarray:
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    return np.cross(b - a, c - a)


def test_each_cell_is_a_tile_of_its_class() -> None:
    terrain = build(share=0.25)
    parts = meshes(terrain)
    assert set(parts) == {'permitted', 'forbidden', 'slab', 'joints'}
    assert len(parts['forbidden'].faces) == 2 * 596
    assert len(parts['permitted'].faces) == 2 * (2401 - 596)
    for name in ('permitted', 'forbidden', 'joints'):
        assert (normals(parts[name])[:, 2] > 0).all(), 'tiles face the sky'


def test_tiles_lie_on_the_profile() -> None:
    terrain = build(profile=DEFAULT_PROFILE)
    vertices = meshes(terrain)['permitted'].vertices
    heights = [terrain.height(float(x)) for x in vertices[:, 0]]
    assert vertices[:, 2] == pytest.approx(np.array(heights), abs=1e-5)


def test_ditch_is_a_pit_with_walls() -> None:
    parts = meshes(build(share=0.2, ditches=[Ditch(21 * FOOT, 6 * FOOT)]))
    pit = parts['pit'].vertices
    assert pit[:, 2] == pytest.approx(-PIT)
    assert pit[:, 0].min() == pytest.approx(21 * FOOT, abs=1e-5)
    assert pit[:, 0].max() == pytest.approx(27 * FOOT, abs=1e-5)
    assert parts['walls'].vertices[:, 2].min() == pytest.approx(-PIT)
    assert len(parts['walls'].faces) >= 2 * 2 * 49


def test_unseen_cells_and_patches_keep_their_place() -> None:
    terrain = TernaryTerrain(
        np.array([[0, -1], [1, 0]]), np.zeros(3), 0.5, first_row=10, first_column=-4
    )
    parts = meshes(terrain)
    assert len(parts['unseen'].faces) == 2
    assert parts['slab'].vertices[:, 0].min() == pytest.approx(5.0)
    assert parts['slab'].vertices[:, 1].min() == pytest.approx(-2.0)


def test_large_terrain_stays_small_on_the_page() -> None:
    parts = meshes(build(300, 300, 0.1))
    assert 'joints' not in parts
    assert len(parts['permitted'].faces) == 2 * 300


def test_nothing_is_shown_of_nothing() -> None:
    assert terrain_meshes(TernaryTerrain(np.zeros((0, 0)), np.zeros(1), 1.0)) == []
