"""Ground as glTF files whose colours contain the light.

A browser without a graphics card would need most of its time for the light on large faces.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import trimesh
from numpy.typing import NDArray
from PIL import Image
from trimesh.exchange import gltf
from trimesh.visual import ColorVisuals, TextureVisuals
from trimesh.visual.material import PBRMaterial

from walking_robots.geometry.pose import Vector
from walking_robots.viewer.common.colours import PLAIN, PLAIN_LINES
from walking_robots.viewer.common.mesh import Mesh, Picture

SUN: Vector = (3.0, -2.0, 8.0)
"""Towards the light."""
SHADE = 0.55
"""Brightness of a face that is turned away from the sun, share of that of one that faces it."""

SIDES = 64
"""Corners of the plain."""
CELLS, PIXELS, TENTH = 10, 32, 6
"""Cells of the plain in its picture, pixels of a cell, and of the border of ten cells."""

Triangles = NDArray[np.floating[Any]]
Shares = NDArray[np.float64]


def ground_glb(meshes: Sequence[Mesh]) -> bytes:
    """Return meshes as one file."""
    return _export([_lit(mesh) for mesh in meshes], 'OPAQUE')


def plain_glb(sight: float, cell: float) -> bytes:
    """Return the plain z = 0, which fades away up to `sight` m, with lines `cell` m apart."""
    picture = np.full((CELLS * PIXELS, CELLS * PIXELS, 3), PLAIN, dtype=np.uint8)
    for lines in (picture, picture.swapaxes(0, 1)):
        lines[::PIXELS] = lines[1::PIXELS] = lines[:TENTH] = PLAIN_LINES
    angles = np.linspace(0.0, 2.0 * np.pi, SIDES + 1)
    rim = sight * np.column_stack((np.cos(angles), np.sin(angles), np.zeros(SIDES + 1)))
    disc = np.stack((np.zeros((SIDES, 3)), rim[:-1], rim[1:]), axis=1)
    colours = np.tile((255, 255, 255, 0), (3 * SIDES, 1))
    colours[::3, 3] = 255
    uv = disc[:, :, :2].reshape(-1, 2) / (CELLS * cell)
    return _export([_trimesh(disc, colours, picture, uv)], 'BLEND')


def _lit(mesh: Mesh) -> trimesh.Trimesh:
    """Return a mesh with the light in its colours, which are linear in glTF."""
    triangles = mesh.vertices[mesh.faces]
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    scale = np.linalg.norm(SUN) * np.linalg.norm(normals, axis=1).clip(1e-12)
    light = SHADE + (1.0 - SHADE) * (normals @ SUN / scale).clip(0.0)
    linear = 255.0 * (np.array(mesh.colour) / 255.0) ** 2.2 * light[:, None]
    colours = np.column_stack((linear, np.full(len(linear), 255.0))).repeat(3, axis=0)
    uv = None if mesh.uv is None else mesh.uv[mesh.faces].reshape(-1, 2)
    return _trimesh(triangles, colours, mesh.picture, uv)


def _trimesh(
    triangles: Triangles, colours: Shares, picture: Picture | None, uv: Triangles | None
) -> trimesh.Trimesh:
    """Return triangles (n, 3, 3), with colours (3 n, 4) and places in a picture, of corners."""
    solid = colours.round().astype(np.uint8)
    visual: Any = ColorVisuals(vertex_colors=solid)
    if picture is not None:
        material = PBRMaterial(baseColorTexture=Image.fromarray(picture))  # type: ignore[no-untyped-call]
        visual = TextureVisuals(uv=uv, material=material)  # type: ignore[no-untyped-call]
        visual.vertex_attributes['color'] = solid
    corners = triangles.reshape(-1, 3)
    faces = np.arange(len(corners)).reshape(-1, 3)
    return trimesh.Trimesh(corners, faces, visual=visual, process=False)


def _export(parts: Sequence[trimesh.Trimesh], mode: str) -> bytes:
    finish = partial(_unlit, mode)
    return bytes(gltf.export_glb(trimesh.Scene(parts), tree_postprocessor=finish))  # type: ignore[no-untyped-call]


def _unlit(mode: str, tree: dict[str, Any]) -> None:
    """Have all of a glTF document drawn as it is coloured; from both sides what is opaque."""
    name = 'KHR_materials_unlit'
    tree['extensionsUsed'] = [name]
    materials = tree.setdefault('materials', [])
    materials.append({})
    for material in materials:
        material |= {'extensions': {name: {}}, 'doubleSided': mode == 'OPAQUE', 'alphaMode': mode}
    for mesh in tree['meshes']:
        for primitive in mesh['primitives']:
            primitive.setdefault('material', len(materials) - 1)
