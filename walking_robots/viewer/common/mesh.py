"""Meshes of one colour or with a picture, as plain arrays."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from walking_robots.viewer.common.colours import Colour

Quads = NDArray[np.float64]
Picture = NDArray[np.uint8]


@dataclass(frozen=True)
class Mesh:
    """A mesh of one colour: vertices (n, 3) m, faces (k, 3) of vertex indices.

    picture: (height, width, 3), on it times the colour; uv: (n, 2), places of vertices in it,
    shares to the right and up.
    """

    name: str
    vertices: NDArray[np.float32]
    faces: NDArray[np.uint32]
    colour: Colour
    picture: Picture | None = None
    uv: NDArray[np.float64] | None = None


def mesh_of_quads(name: str, quads: Quads, colour: Colour) -> Mesh:
    """Return quads (n, 4, 3), counter-clockwise from outside, as a mesh of triangles."""
    first = 4 * np.arange(len(quads), dtype=np.uint32)[:, None]
    corners = np.array([(0, 1, 2), (0, 2, 3)])
    faces = np.concatenate((first + corners[0], first + corners[1])).astype(np.uint32)
    return Mesh(name, quads.reshape(-1, 3).astype(np.float32), faces, colour)
