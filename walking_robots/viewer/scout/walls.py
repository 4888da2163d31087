"""Turn the occupied cells of a floor into walls, and end rays at them."""

import math

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.se2 import Pose2
from walking_robots.viewer.common.mesh import Mesh, Quads, mesh_of_quads
from walking_robots.viewer.scout import colours
from walking_robots.viewer.scout.state import Walls
from walking_robots.worlds.rays import RayCaster
from walking_robots.worlds.world import World

HEIGHT = 0.3
"""Height (m) at which walls are drawn, a little lower than the robot; a grid knows none."""


class WallSight:
    """How far one sees between walls."""

    def __init__(self, walls: Walls) -> None:
        """Prepare rays between walls, of which there is a cell at least."""
        filled = np.asarray(walls.occupied, dtype=bool)
        nothing, none = np.full(filled.shape, -1), np.zeros(filled.shape)
        self._rays = RayCaster(World('walls', walls.cell, filled, nothing, none, ()))
        self._into_grid = walls.origin.inverse()

    def reach(
        self, robot: Pose2, starts: NDArray[np.float64], angles: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return how far rays go, m, from starts (n, 1, 2) at angles (n, k) of a robot in map."""
        x, y, heading = self._into_grid @ robot
        ahead, left = starts[..., 0], starts[..., 1]
        cos, sin = math.cos(heading), math.sin(heading)
        return self._rays.cast(
            x + cos * ahead - sin * left, y + sin * ahead + cos * left, heading + angles
        ).distance


def wall_meshes(walls: Walls) -> list[Mesh]:
    """Return tops and sides of walls in the axes of the grid, lengths in m."""
    occupied = np.asarray(walls.occupied, dtype=bool)
    if not occupied.size:
        return []
    sides = np.concatenate((_sides(occupied), _sides(occupied.T)[:, ::-1, [1, 0, 2]]))
    scale = np.array((walls.cell, walls.cell, 1.0))
    layers = (
        ('tops', _tops(occupied), colours.WALL_TOP),
        ('sides', sides, colours.WALL_SIDE),
    )
    return [
        mesh_of_quads(name, quads * scale, colour) for name, quads, colour in layers if len(quads)
    ]


def _tops(occupied: NDArray[np.bool_]) -> Quads:
    """Return the tops of walls (n, 4, 3), one for each run along a row; in cells."""
    row, start, stop = _runs(occupied)
    height = np.full(len(row), HEIGHT)
    corners = ((start, row), (stop, row), (stop, row + 1), (start, row + 1))
    return np.stack([np.column_stack((x, y, height)) for x, y in corners], axis=1)


def _sides(occupied: NDArray[np.bool_]) -> Quads:
    """Return the sides of walls (n, 4, 3) that lie along rows, facing away from them; in cells."""
    change = np.diff(np.pad(occupied, ((1, 1), (0, 0))).astype(np.int8), axis=0)
    found = []
    for sign in (1, -1):
        row, start, stop = _runs(change == sign)
        low, high = np.zeros(len(row)), np.full(len(row), HEIGHT)
        # Where a wall begins, the side faces -y; where it ends, +y.
        first, last = (start, stop) if sign > 0 else (stop, start)
        corners = ((first, low), (last, low), (last, high), (first, high))
        found.append(np.stack([np.column_stack((x, row, z)) for x, z in corners], axis=1))
    return np.concatenate(found)


def _runs(
    mask: NDArray[np.bool_],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the row, start and stop of each run of true entries along a row."""
    change = np.diff(np.pad(mask, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    row, start = np.nonzero(change == 1)
    return row, start, np.nonzero(change == -1)[1]
