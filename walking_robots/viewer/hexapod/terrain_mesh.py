"""Turn a ternary terrain into coloured meshes."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from walking_robots.terrain.cells import FORBIDDEN, PERMITTED, UNSEEN, TernaryTerrain
from walking_robots.terrain.vision import ditch_cells
from walking_robots.viewer.common.mesh import Mesh, Picture, Quads, mesh_of_quads
from walking_robots.viewer.hexapod import colours

PIT = 0.7
"""Depth (m) at which a ditch is drawn; the model itself knows none (asv.md §4.1)."""

SLAB = 0.1
"""Thickness (m) of the ground that is drawn above the plain, or below a ditch."""
PIXELS, MOST_PIXELS = 16, 2048
"""Of a cell in the picture of the ground, and of a side of the picture."""
LEAST_FOR_JOINTS = 8
"""Pixels of a cell that has a border."""
WHITE = (255, 255, 255)
CELL_COLOURS = {
    PERMITTED: colours.PERMITTED_CELL,
    FORBIDDEN: colours.FORBIDDEN_CELL,
    UNSEEN: colours.UNSEEN_CELL,
}

GridIndex = NDArray[np.integer[Any]]


def terrain_meshes(terrain: TernaryTerrain, scale: float = 1.0) -> list[Mesh]:
    """Return the meshes that show a terrain: ground with a picture of the cells, pit and slab.

    scale: depth of what is below the ground, times that for the ASV.
    """
    if not terrain.cells.size:
        return []
    ditch = ditch_cells(terrain)
    ground = mesh_of_quads('ground', _strips(terrain, ~ditch), WHITE)
    size = np.array((terrain.rows, terrain.columns)) * terrain.cell
    first = np.array((terrain.first_row, terrain.first_column)) * terrain.cell
    uv = (ground.vertices[:, :2] - first) / size
    layers = [
        ('pit', _strips(terrain, ditch, -PIT * scale), colours.DITCH_FLOOR),
        ('walls', _walls(terrain, ditch, PIT * scale), colours.DITCH_WALL),
        ('slab', _slab(terrain, ditch, scale), colours.EARTH),
    ]
    return [
        replace(ground, picture=cell_picture(terrain), uv=uv),
        *(mesh_of_quads(name, quads, colour) for name, quads, colour in layers if len(quads)),
    ]


def cell_picture(terrain: TernaryTerrain) -> Picture:
    """Return the picture (height, width, 3) of all cells, x to the right and y upwards."""
    cells = terrain.cells.T[::-1]
    found = np.empty((*cells.shape, 3), dtype=np.uint8)
    for kind, colour in CELL_COLOURS.items():
        found[cells == kind] = colour
    pixels = min(PIXELS, max(1, MOST_PIXELS // max(cells.shape)))
    picture = found.repeat(pixels, axis=0).repeat(pixels, axis=1)
    if pixels >= LEAST_FOR_JOINTS:
        picture[::pixels] = picture[:, ::pixels] = colours.JOINTS_BETWEEN
    return picture


def _strips(terrain: TernaryTerrain, mask: NDArray[np.bool_], lift: float = 0.0) -> Quads:
    """Return the masked cells as (n, 4, 3) corners, straight runs along y as one quad."""
    row, start, stop = _runs(mask) if terrain.profile is not None else _cells(mask)
    x1, x2 = _along(terrain, row), _along(terrain, row + 1)
    y1, y2 = _across(terrain, start), _across(terrain, stop)
    corners = tuple(
        (x, y, terrain.heights[i, j] + lift)
        for (x, i), (y, j) in (
            ((x1, row), (y1, start)),
            ((x2, row + 1), (y1, start)),
            ((x2, row + 1), (y2, stop)),
            ((x1, row), (y2, stop)),
        )
    )
    return np.stack([np.stack(corner, axis=-1) for corner in corners], axis=1)


def _runs(mask: NDArray[np.bool_]) -> tuple[GridIndex, GridIndex, GridIndex]:
    """Return the row and the first and last border of each run of masked cells along y."""
    change = np.diff(np.pad(mask, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    row, start = np.nonzero(change == 1)
    return row, start, np.nonzero(change == -1)[1]


def _cells(mask: NDArray[np.bool_]) -> tuple[GridIndex, GridIndex, GridIndex]:
    """Return the row and both borders of each masked cell."""
    row, start = np.nonzero(mask)
    return row, start, start + 1


def _walls(terrain: TernaryTerrain, ditch: NDArray[np.bool_], depth: float) -> Quads:
    """Return the walls (n, 4, 3) between ditch cells and firm ground."""
    padded = np.pad(ditch.astype(np.int8), 1)
    quads = []
    change = np.diff(padded[:, 1:-1], axis=0)
    for i, j in np.argwhere(change != 0):
        edge = ((i, j), (i, j + 1)) if change[i, j] > 0 else ((i, j + 1), (i, j))
        quads.append(_wall(terrain, edge, depth))
    change = np.diff(padded[1:-1], axis=1)
    for i, j in np.argwhere(change != 0):
        edge = ((i + 1, j), (i, j)) if change[i, j] > 0 else ((i, j), (i + 1, j))
        quads.append(_wall(terrain, edge, depth))
    return np.array(quads).reshape(-1, 4, 3)


def _slab(terrain: TernaryTerrain, ditch: NDArray[np.bool_], scale: float) -> Quads:
    """Return the sides (n, 4, 3) of the piece of ground that is shown."""
    rows, columns = ditch.shape
    pit = PIT * scale
    bottom = pit * bool(ditch.any()) + SLAB * scale
    quads = [_wall(terrain, ((i, 0), (i + 1, 0)), bottom) for i in range(rows)]
    quads += [_wall(terrain, ((i + 1, columns), (i, columns)), bottom) for i in range(rows)]
    quads.append(_wall(terrain, ((0, columns), (0, 0)), bottom))
    quads.append(_wall(terrain, ((rows, 0), (rows, columns)), bottom))
    sunk = np.zeros(len(quads))
    sunk[:rows] = np.where(ditch[:, 0], pit, 0.0)
    sunk[rows : 2 * rows] = np.where(ditch[:, -1], pit, 0.0)
    result = np.array(quads)
    result[:, :2, 2] -= sunk[:, None]
    return result


def _wall(
    terrain: TernaryTerrain, edge: tuple[tuple[int, int], tuple[int, int]], depth: float
) -> Quads:
    """Return a vertical wall (4, 3) below a cell edge between two grid nodes (i, j)."""
    i, j = np.array(edge).T
    x, y = _along(terrain, i), _across(terrain, j)
    z = terrain.heights[i, j]
    top = np.stack((x, y, z), axis=-1)
    low = np.stack((x, y, z - depth), axis=-1)
    return np.array([top[0], top[1], low[1], low[0]])[[1, 0, 3, 2]]


def _along(terrain: TernaryTerrain, i: GridIndex) -> NDArray[np.float64]:
    """Return x (m) of row borders."""
    return (np.asarray(i, dtype=np.float64) + terrain.first_row) * terrain.cell


def _across(terrain: TernaryTerrain, j: GridIndex) -> NDArray[np.float64]:
    """Return y (m) of column borders."""
    return (np.asarray(j, dtype=np.float64) + terrain.first_column) * terrain.cell
