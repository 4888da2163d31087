"""Ground as glTF files."""

import io
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import trimesh

from walking_robots.viewer.common.gltf import SHADE, ground_glb, plain_glb
from walking_robots.viewer.common.mesh import mesh_of_quads

FLOOR = np.array([[(0, 0, 0), (2, 0, 0), (2, 1, 0), (0, 1, 0)]], dtype=float)


def read(glb: bytes) -> list[Any]:
    return list(trimesh.load(io.BytesIO(glb), file_type='glb').geometry.values())


def colours(mesh: Any) -> Any:
    return mesh.visual.vertex_attributes['color']


def test_faces_are_as_bright_as_they_face_the_sun() -> None:
    low = FLOOR[:, ::-1] - (0.0, 0.0, 1.0)
    hue = (200, 100, 0)
    top, bottom = read(
        ground_glb([mesh_of_quads('top', FLOOR, hue), mesh_of_quads('low', low, hue)])
    )
    assert len(top.faces) == 2 and top.bounds.tolist() == [[0, 0, 0], [2, 1, 0]]
    linear = 255 * (np.array(hue) / 255) ** 2.2
    assert colours(top)[0, :3] == pytest.approx(0.96 * linear, abs=3)
    assert colours(bottom)[0, :3] == pytest.approx(SHADE * linear, abs=1)
    assert (colours(top)[:, 3] == 255).all()


def test_a_picture_lies_where_the_mesh_says() -> None:
    picture = np.zeros((1, 2, 3), np.uint8)
    picture[0, 1] = (250, 0, 0)
    uv = FLOOR[0, :, :2] / (2.0, 1.0)
    (mesh,) = read(
        ground_glb([replace(mesh_of_quads('g', FLOOR, (255,) * 3), picture=picture, uv=uv)])
    )
    assert mesh.visual.uv == pytest.approx(mesh.vertices[:, :2] / (2.0, 1.0))
    assert mesh.visual.material.baseColorTexture.getpixel((1, 0)) == (250, 0, 0)


def test_the_plain_fades_away_before_its_edge() -> None:
    (mesh,) = read(plain_glb(10.0, 0.5))
    far = np.linalg.norm(mesh.vertices, axis=1)
    assert far.max() == pytest.approx(10.0) and not mesh.vertices[:, 2].any()
    alpha = colours(mesh)[:, 3]
    assert (alpha[far == 0.0] == 255).all() and not alpha[far > 0.0].any()
    assert mesh.visual.uv == pytest.approx(mesh.vertices[:, :2] / 5.0), 'a picture of ten cells'


def test_files_are_drawn_without_light() -> None:
    for glb in (plain_glb(10.0, 0.5), ground_glb([mesh_of_quads('top', FLOOR, (0, 0, 0))])):
        assert b'"KHR_materials_unlit"' in glb
