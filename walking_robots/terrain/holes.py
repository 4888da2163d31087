"""Give forbidden cells the depth of holes."""

from dataclasses import replace

import numpy as np

from walking_robots.terrain.cells import FORBIDDEN, TernaryTerrain
from walking_robots.terrain.refinement import refined
from walking_robots.terrain.relief import too_steep

PARTS = 4
"""Parts of a cell along each side; the wall of a hole is one part thick, inside the hole."""


def with_holes(terrain: TernaryTerrain, depth: float) -> TernaryTerrain:
    """Return the terrain in cells of a quarter of the side, its forbidden cells ``depth`` m deep.

    Permitted ground keeps its heights, and so do cells that are forbidden because they are steep.
    Terrain without holes stays as it is. Raises ValueError, one sentence, for too many cells.
    """
    deep = (terrain.cells == FORBIDDEN) & ~too_steep(terrain.heights, terrain.cell)
    if not deep.any():
        return terrain
    found = refined(terrain, terrain.cell / PARTS)
    deep = np.repeat(np.repeat(deep, PARTS, axis=0), PARTS, axis=1)
    solid = np.pad(~deep, 1, mode='edge')
    edge = solid[:-1, :-1] | solid[1:, :-1] | solid[:-1, 1:] | solid[1:, 1:]
    return replace(found, heights=np.where(edge, found.heights, found.heights - depth))
