"""Add nodes to the scene, and show or hide them."""

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
import viser
from numpy.typing import NDArray

from walking_robots.viewer.common.colours import Colour

MATERIAL: Literal['toon5'] = 'toon5'
"""Of all that is large: a browser without a graphics card draws it several times as fast."""


def show_nodes(nodes: Iterable[Any], visible: bool) -> None:
    """Show or hide nodes of the scene."""
    for node in nodes:
        node.visible = visible


def add_line(
    scene: viser.SceneApi, name: str, colour: Colour, thickness: float, *, visible: bool = True
) -> viser.LineSegmentsHandle:
    """Add a line that gets its points later; thickness in m."""
    nothing = np.zeros((1, 2, 3), dtype=np.float32)
    return scene.add_line_segments(name, nothing, colour, thickness=thickness, visible=visible)


def box_corners(reach: float, height: float) -> NDArray[np.float32]:
    """Return two vertices for a fan, without a face, so that its middle is always its origin.

    Browsers draw transparent meshes in the order of their middles, and without the corners this
    order changes as fans turn.
    """
    corners = ((-reach, -reach, height), (reach, reach, height))
    return np.array(corners, dtype=np.float32)


def add_sheet(
    scene: viser.SceneApi, name: str, vertices: Any, faces: Any, colour: Colour, **options: Any
) -> viser.MeshHandle:
    """Add a mesh that is seen from both sides."""
    shown = {'side': 'double', 'material': MATERIAL, **options}
    points, corners = np.asarray(vertices, np.float32), np.asarray(faces, np.uint32)
    return scene.add_mesh_simple(name, points, corners, color=colour, **shown)
