"""Between terrain messages and the library's terrain."""

from array import array
from typing import Any

import numpy as np
from nav_msgs.msg import MapMetaData, OccupancyGrid
from numpy.typing import NDArray
from walking_robots_interfaces.msg import TerrainPatch

from walking_robots.nodes.common.conversions import (
    array_to_msg,
    header_to_msg,
    pose_to_msg,
    time_to_msg,
)
from walking_robots.terrain.cells import FORBIDDEN, HOLE, KINDS, UNSEEN, TernaryTerrain
from walking_robots.terrain.refinement import refined

TERRAIN, TRUTH = 'terrain', 'ground'
"""Where the terrain is published that gaits walk by, and the true one where they have to see."""

HIGHEST = 1.0e4
"""Heights beyond this, m, are refused."""


def terrain_to_msg(terrain: TernaryTerrain, stamp: int) -> TerrainPatch:
    """Return the message of a terrain or a part of it."""
    profile = terrain.profile
    return TerrainPatch(
        header=header_to_msg(stamp, 'odom'),
        revision=terrain.revision,
        resolution=terrain.cell,
        first_row=terrain.first_row,
        first_column=terrain.first_column,
        rows=terrain.rows,
        columns=terrain.columns,
        cells=_cells_to_msg(terrain.cells),
        kinds=array('b') if terrain.kinds is None else _cells_to_msg(terrain.kinds),
        heights=array_to_msg(terrain.heights.ravel() if profile is None else profile),
    )


def _cells_to_msg(values: NDArray[np.int8]) -> 'array[int]':
    return array('b', np.ascontiguousarray(values).tobytes())


class Patches:
    """Reads patches and gives the same terrain for as long as they do not change.

    What has been prepared for a terrain, such as the ditches seen in it, then holds on.
    """

    def __init__(self, cell: float | None = None) -> None:
        """Begin without terrain; larger cells are divided into parts of ``cell`` m or more."""
        self._cell = cell
        self._key: tuple[Any, ...] = ()
        self._terrain: TernaryTerrain | None = None

    def read(self, message: Any) -> TernaryTerrain:
        """Read a TerrainPatch; raise ValueError for a wrong one."""
        key = (
            message.revision, message.resolution, message.first_row, message.first_column,
            message.rows, message.columns, bytes(message.cells), bytes(message.kinds),
            bytes(message.heights),
        )  # fmt: skip
        if self._terrain is None or key != self._key:
            found = terrain_from_msg(message)
            self._terrain = found if self._cell is None else refined(found, self._cell)
            self._key = key
        return self._terrain


def terrain_from_msg(message: Any) -> TernaryTerrain:
    """Return the terrain of a TerrainPatch; raise ValueError for one that makes no sense."""
    rows, columns = message.rows, message.columns
    if rows * columns != len(message.cells) or rows * columns == 0:
        raise ValueError(f'{rows} x {columns} cells come with {len(message.cells)} values')
    cells = np.array(message.cells, dtype=np.int8)
    if not ((cells >= UNSEEN) & (cells <= FORBIDDEN)).all():
        raise ValueError('a cell is neither unseen, permitted nor forbidden')
    kinds = np.array(message.kinds, dtype=np.int8) if len(message.kinds) else None
    if kinds is not None:
        if len(kinds) != len(cells):
            raise ValueError(f'{rows} x {columns} cells come with {len(kinds)} kinds')
        if not ((kinds >= HOLE) & (kinds < len(KINDS))).all():
            raise ValueError('the kind of a cell is unknown')
        kinds = kinds.reshape(rows, columns)
    heights = np.array(message.heights, dtype=np.float64)
    if not (np.abs(heights) <= HIGHEST).all():
        raise ValueError('a height is out of range')
    if len(heights) != rows + 1:
        if len(heights) != (rows + 1) * (columns + 1):
            raise ValueError(f'{rows} x {columns} cells come with {len(heights)} heights')
        heights = heights.reshape(rows + 1, columns + 1)
    return TernaryTerrain(
        cells.reshape(rows, columns),
        heights,
        message.resolution,
        message.first_row,
        message.first_column,
        message.revision,
        kinds,
    )


def terrain_to_grid(terrain: TernaryTerrain, stamp: int) -> OccupancyGrid:
    """Return the map: 0 permitted, 100 forbidden, -1 unseen; x runs fastest."""
    values = np.where(terrain.cells == FORBIDDEN, 100, terrain.cells).astype(np.int8)
    corner = (terrain.first_row * terrain.cell, terrain.first_column * terrain.cell, 0.0)
    return OccupancyGrid(
        header=header_to_msg(stamp, 'odom'),
        info=MapMetaData(
            map_load_time=time_to_msg(stamp),
            resolution=terrain.cell,
            width=terrain.rows,
            height=terrain.columns,
            origin=pose_to_msg(corner, (1.0, 0.0, 0.0, 0.0)),
        ),
        data=array('b', np.ascontiguousarray(values.T).tobytes()),
    )
