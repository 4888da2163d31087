"""Turn walls and places into meshes."""

import numpy as np
from numpy.typing import NDArray

from walking_robots.viewer.ars_magna import colours
from walking_robots.viewer.ars_magna.frame import CoordinateFrame
from walking_robots.viewer.ars_magna.state import GroundView
from walking_robots.viewer.common.mesh import Mesh, Quads, mesh_of_quads

HEIGHT = 0.9
"""Height of walls, cells; a map knows none."""

SHADES = 8
"""Shades of grey that walls have at most."""

_MARK_HEIGHT = 0.02
# Sides of a cell as its neighbour (down, right) in the map, and corners counter-clockwise from
# outside in the scene, as offsets from its centre.
_SIDES = (
    ((0, 1), ((0.5, -0.5), (0.5, 0.5))),
    ((0, -1), ((-0.5, 0.5), (-0.5, -0.5))),
    ((-1, 0), ((0.5, 0.5), (-0.5, 0.5))),
    ((1, 0), ((-0.5, -0.5), (0.5, -0.5))),
)
_SQUARE = np.array(((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)))


def ground_meshes(ground: GroundView) -> list[Mesh]:
    """Return walls by their shade and places by their type, in the frame of the scene."""
    rows = len(ground.filled)
    if not ground.filled.size:
        return []
    frame = CoordinateFrame(rows)
    meshes = []
    shade = np.rint(np.clip(ground.brightness, 0.0, 1.0) * (SHADES - 1)).astype(int)
    for level in range(SHADES):
        quads = _walls(ground.filled, ground.filled & (shade == level), frame)
        if len(quads):
            colour = colours.wall_colour(level / (SHADES - 1))
            meshes.append(mesh_of_quads(f'wall{level}', quads, colour))
    for number, places in enumerate(ground.places):
        if places.cells:
            centres = np.array([frame.point(*cell) for cell in places.cells], dtype=float)
            quads = _flat(centres[:, None] + 0.9 * _SQUARE, _MARK_HEIGHT)
            colour = colours.PLACES.get(places.type, colours.OTHER_PLACE)
            meshes.append(mesh_of_quads(f'places{number}', quads, colour))
    return meshes


def _flat(corners: NDArray[np.float64], height: float) -> Quads:
    """Return corners (n, 4, 2) at a height."""
    return np.concatenate((corners, np.full((*corners.shape[:2], 1), height)), axis=2)


def _walls(filled: NDArray[np.bool_], chosen: NDArray[np.bool_], frame: CoordinateFrame) -> Quads:
    """Return the tops of chosen cells, and their sides towards cells that are not filled."""
    row, column = np.nonzero(chosen)
    quads = [_flat(_centres(row, column, frame)[:, None] + _SQUARE, HEIGHT)]
    ringed = np.pad(filled, 1)
    for (down, right), ends in _SIDES:
        open_side = ~ringed[row + 1 + down, column + 1 + right]
        centres = _centres(row[open_side], column[open_side], frame)
        line = centres[:, None] + np.array(ends)
        corners = np.concatenate((line, line[:, ::-1]), axis=1)
        side = _flat(corners, 0.0)
        side[:, 2:, 2] = HEIGHT
        quads.append(side)
    return np.concatenate(quads)


def _centres(
    row: NDArray[np.intp], column: NDArray[np.intp], frame: CoordinateFrame
) -> NDArray[np.float64]:
    """Return the centres of cells (n, 2) in the scene."""
    x, y = frame.point(column, row)  # type: ignore[arg-type]
    return np.stack((x, y), axis=1).astype(float)
