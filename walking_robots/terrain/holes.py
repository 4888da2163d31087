"""Give forbidden cells the depth of holes."""

from dataclasses import replace

import numpy as np

from walking_robots.terrain.cells import FORBIDDEN, TernaryTerrain
from walking_robots.terrain.refinement import refined

PARTS = 4
"""Parts of a cell along each side; the wall of a hole is one part thick, inside the hole."""


def with_holes(terrain: TernaryTerrain, depth: float) -> TernaryTerrain:
    """Return the terrain in cells of a quarter of the side, its forbidden cells ``depth`` m deep.

    Permitted ground keeps its heights. Raises ValueError, one sentence, for too many cells.
    """
    found = refined(terrain, terrain.cell / PARTS)
    solid = np.pad(found.cells != FORBIDDEN, 1, mode='edge')
    edge = solid[:-1, :-1] | solid[1:, :-1] | solid[:-1, 1:] | solid[1:, 1:]
    return replace(found, heights=np.where(edge, found.heights, found.heights - depth))
