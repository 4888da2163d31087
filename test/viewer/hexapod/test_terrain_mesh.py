"""Test the meshes that show a terrain."""

import numpy as np
import pytest

from walking_robots.geometry.units import FOOT
from walking_robots.terrain import TernaryTerrain
from walking_robots.terrain.cells import FORBIDDEN, UNSEEN
from walking_robots.terrain.generator import DEFAULT_PROFILE, Ditch, build
from walking_robots.viewer.common.mesh import Mesh
from walking_robots.viewer.hexapod.terrain_mesh import (
    CELL_COLOURS,
    PIT,
    cell_picture,
    terrain_meshes,
)


def meshes(terrain: TernaryTerrain) -> dict[str, Mesh]:
    return {mesh.name: mesh for mesh in terrain_meshes(terrain)}


def normals(mesh: Mesh) -> np.ndarray:
    a, b, c = (mesh.vertices[mesh.faces[:, k]] for k in range(3))
    return np.cross(b - a, c - a)


def test_the_ground_lies_on_the_profile_and_faces_the_sky() -> None:
    terrain = build(profile=DEFAULT_PROFILE, share=0.2)
    ground = meshes(terrain)['ground']
    assert len(ground.faces) == 2 * 49, 'a strip for each row'
    heights = [terrain.height(*point) for point in ground.vertices[:, :2].tolist()]
    assert ground.vertices[:, 2] == pytest.approx(np.array(heights), abs=1e-5)
    assert (normals(ground)[:, 2] > 0).all()


def test_each_cell_has_the_colour_of_its_class_where_it_is() -> None:
    terrain = build(share=0.25)
    ground = meshes(terrain)['ground']
    assert ground.picture is not None and ground.uv is not None
    height, width, _ = ground.picture.shape
    # Along x and along y the picture grows as the ground does.
    for axis in (0, 1):
        low, high = ground.vertices[:, axis].argmin(), ground.vertices[:, axis].argmax()
        assert ground.uv[[low, high], axis].tolist() == pytest.approx([0.0, 1.0], abs=1e-6)
    for row, column in ((0, 0), (3, 40), (30, 5), (48, 48)):
        u, v = (row + 0.5) / 49, (column + 0.5) / 49
        colour = tuple(ground.picture[int((1.0 - v) * height), int(u * width)])
        assert colour == CELL_COLOURS[int(terrain.cells[row, column])]


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
    picture = cell_picture(terrain)
    assert tuple(picture[8, 8]) == CELL_COLOURS[UNSEEN]
    assert tuple(picture[24, 24]) == CELL_COLOURS[FORBIDDEN]
    assert parts['ground'].uv is not None
    assert sorted(set(parts['ground'].uv.ravel())) == [0.0, 0.5, 1.0]
    assert parts['slab'].vertices[:, 0].min() == pytest.approx(5.0)
    assert parts['slab'].vertices[:, 1].min() == pytest.approx(-2.0)


def test_large_terrain_stays_small_on_the_page() -> None:
    terrain = build(300, 300, 0.1)
    assert max(cell_picture(terrain).shape) <= 2048
    assert len(meshes(terrain)['ground'].faces) == 2 * 300


def test_nothing_is_shown_of_nothing() -> None:
    assert terrain_meshes(TernaryTerrain(np.zeros((0, 0)), np.zeros(1), 1.0)) == []
