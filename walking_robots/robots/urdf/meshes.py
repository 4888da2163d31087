"""Read the meshes that a URDF names."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import numpy as np
from numpy.typing import NDArray

from walking_robots.documents.extras import extra_needed
from walking_robots.documents.sentences import one_line
from walking_robots.robots.urdf.urdf_tree import UrdfTree

FORMATS = ('.stl', '.obj', '.ply', '.off', '.glb', '.gltf')
"""Ends of the names of files of meshes that can be read."""


def load_mesh(path: Path) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the vertices of a mesh, (n, 3), and its triangles, (k, 3), of indices of vertices.

    Raises ValueError, one sentence, for a file that cannot be read.
    """
    with extra_needed('viewer'):
        import trimesh
    try:
        if path.suffix.lower() not in FORMATS:
            raise ValueError(f'it is none of {", ".join(FORMATS)}')
        mesh: Any = trimesh.load(path, force='mesh')
        if not len(mesh.faces):
            raise ValueError('it has no triangles')
        vertices = np.asarray(mesh.vertices, dtype=float).reshape(-1, 3)
        return vertices, np.asarray(mesh.faces, dtype=np.int64).reshape(-1, 3)
    except Exception as error:
        raise ValueError(
            f'{path}: this mesh cannot be read ({one_line(str(error))[:100]}); convert it to STL'
        ) from None


def mesh_path(name: str) -> Path | None:
    """Return the file of a mesh that a URDF names as file://, None where it cannot be read."""
    place = urlsplit(name)
    path = Path(unquote(place.path))
    return path if place.scheme == 'file' and path.suffix.lower() in FORMATS else None


def unreadable_meshes(tree: UrdfTree) -> Iterator[str]:
    """Return a sentence for each mesh of a URDF that cannot be drawn."""
    for name in sorted({part.get('filename', '') for part in tree.document.iter('mesh')}):
        path = tree.mesh_file(name)
        if path is None:
            yield f'The mesh {name} is not found, so that it is not drawn.'
        elif path.suffix.lower() not in FORMATS:
            yield f'The mesh {path.name} is not drawn on the page: convert it to STL.'
