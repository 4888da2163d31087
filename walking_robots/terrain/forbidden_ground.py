"""Shape forbidden cells as what they are: holes, sharp edges, soft ground that has sunk."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from walking_robots.terrain.cells import FORBIDDEN, HOLE, SHARP, SOFT, TernaryTerrain
from walking_robots.terrain.refinement import refined
from walking_robots.terrain.relief import too_steep

PARTS = 4
"""Parts of a cell along each side; the wall of a hole is one part thick, inside the hole."""

EDGE = 0.75
"""Height of a sharp edge as a share of the depth of holes: feet in the air pass it."""

SINKAGE = 0.5
"""How far soft ground sinks at most, as a share of the depth of holes."""


def visible_ground(terrain: TernaryTerrain, depth: float) -> TernaryTerrain:
    """Return the terrain in cells of a quarter of the side, its holes ``depth`` m deep.

    A sharp cell has an edge across the way, along its middle; soft and slippery ground looks like
    any. Permitted ground keeps its heights, and so do cells that are forbidden because they are
    steep. Terrain without any of this stays as it is. Raises ValueError, one sentence, for too
    many cells.
    """
    deep, sharp = (forbidden_cells_of(terrain, kind) for kind in (HOLE, SHARP))
    if not (deep.any() or sharp.any()):
        return terrain
    found = refined(terrain, terrain.cell / PARTS)
    deep = np.repeat(np.repeat(deep, PARTS, axis=0), PARTS, axis=1)
    solid = np.pad(~deep, 1, mode='edge')
    rim = solid[:-1, :-1] | solid[1:, :-1] | solid[:-1, 1:] | solid[1:, 1:]
    heights = np.where(rim, found.heights, found.heights - depth)
    rows, columns = (PARTS * index for index in np.nonzero(sharp))
    for across in range(1, PARTS):
        heights[rows + PARTS // 2, columns + across] += EDGE * depth
    return replace(found, heights=heights)


def sunk_ground(terrain: TernaryTerrain, depth: float) -> TernaryTerrain:
    """Return what a sensor sees, but with all soft ground as deep as it may sink.

    Terrain without soft ground is as `visible_ground` returns it.
    """
    found, soft = visible_ground(terrain, depth), forbidden_cells_of(terrain, SOFT)
    if not soft.any():
        return found
    if found is terrain:
        found = refined(terrain, terrain.cell / PARTS)
    rows, columns = (np.arange(count) for count in found.heights.shape)
    sunk = SINKAGE * depth * sunk_corners(np.pad(soft.astype(np.float64), 1), rows, columns)
    return replace(found, heights=found.heights - sunk)


def sunk_corners(
    sunk: NDArray[np.float64], rows: NDArray[np.intp], columns: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Return how far corners of parts of cells have sunk: as far as the firmest cell around them.

    sunk: how far each cell has, with a ring of firm ones around all; rows, columns: of corners.
    """
    around = [
        sunk[np.ix_((rows - i) // PARTS + 1, (columns - j) // PARTS + 1)]
        for i in (0, 1)
        for j in (0, 1)
    ]
    return np.asarray(np.min(around, axis=0))


def forbidden_cells_of(terrain: TernaryTerrain, kind: int) -> NDArray[np.bool_]:
    """Return the mask (rows, columns) of the forbidden cells of a kind, but for steep ones."""
    found = (terrain.cells == FORBIDDEN) & (terrain.forbidden_kinds == kind)
    return np.asarray(found & ~too_steep(terrain.heights, terrain.cell))
