"""Divide the cells of a terrain for feet that are smaller than they."""

import numpy as np
from numpy.typing import NDArray

from walking_robots.terrain.cells import TernaryTerrain

LARGEST_SIDE = 4000
"""Cells along a side beyond which a terrain is refused."""


def refined(terrain: TernaryTerrain, cell: float) -> TernaryTerrain:
    """Return the same ground with cells divided into equal parts of at least ``cell`` m.

    Feet are sent to the centres of cells only. Raises ValueError, one sentence, where cells are
    smaller from the first, or too many come of it.
    """
    parts = int(terrain.cell / cell * (1.0 + 1e-9))
    if parts < 1:
        raise ValueError(
            f'the terrain has cells of {terrain.cell:.3g} m and a foot needs {cell:.3g} m; '
            'give a terrain with cells of that size or larger'
        )
    if parts == 1:
        return terrain
    rows, columns = terrain.rows * parts, terrain.columns * parts
    if max(rows, columns) > LARGEST_SIDE:
        raise ValueError(
            f'a terrain of {terrain.rows} by {terrain.columns} cells of {terrain.cell:.3g} m has '
            f'too many cells of {cell:.3g} m; give a smaller one'
        )
    return TernaryTerrain(
        _repeated(terrain.cells, parts),
        _refined_heights(terrain, parts),
        terrain.cell / parts,
        terrain.first_row * parts,
        terrain.first_column * parts,
        terrain.revision,
        None if terrain.kinds is None else _repeated(terrain.kinds, parts),
    )


def _repeated(values: NDArray[np.int8], parts: int) -> NDArray[np.int8]:
    return np.repeat(np.repeat(values, parts, axis=0), parts, axis=1)


def _refined_heights(terrain: TernaryTerrain, parts: int) -> NDArray[np.float64]:
    """Return the heights at the corners of cells divided into ``parts`` along each side, m."""
    if terrain.profile is not None:
        return _refined_profile(terrain.profile, parts)
    across = np.apply_along_axis(_refined_profile, 1, terrain.heights, parts)
    return np.apply_along_axis(_refined_profile, 0, across, parts)


def _refined_profile(heights: NDArray[np.float64], parts: int) -> NDArray[np.float64]:
    """Return the heights along a line at ``parts`` times as many places, m."""
    borders = len(heights)
    found: NDArray[np.float64] = np.interp(
        np.arange((borders - 1) * parts + 1) / parts, np.arange(borders), heights
    )
    return found
