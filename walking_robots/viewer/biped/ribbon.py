"""Turn points of the ground into a ribbon along x, with a cut through the earth below it."""

import math

import numpy as np
from numpy.typing import NDArray

from walking_robots.viewer.biped.colours import EARTH, GROUND
from walking_robots.viewer.biped.state import CellGround, Ground
from walking_robots.viewer.common.mesh import Mesh, mesh_of_quads

HALF_WIDTH = 0.45
"""m, to either side of the robot."""
DEPTH = 0.2
"""m, of the earth that is drawn below the lowest point of the ground."""
TICK, LONG_TICK = 0.035, 0.08
"""Lengths, m, of the marks every 0.1 m and every metre."""
STEP = 10
"""Marks a metre."""


def ribbon_meshes(ground: Ground) -> list[Mesh]:
    """Return the surface and, seen from the right of the robot, the cut through the earth; m."""
    points = np.array(ground, dtype=float)
    if len(points) < 2:
        return []
    x, z = points.T
    near, far = np.full(len(x), -HALF_WIDTH), np.full(len(x), HALF_WIDTH)
    bottom = np.full(len(x), z.min() - DEPTH)
    right, left = np.column_stack((x, near, z)), np.column_stack((x, far, z))
    below = np.column_stack((x, near, bottom))
    return [
        mesh_of_quads('surface', _strip(right, left), GROUND),
        mesh_of_quads('earth', _strip(below, right), EARTH),
    ]


def _strip(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the quads (n - 1, 4, 3) between two lines of points (n, 3) along x."""
    return np.stack((first[:-1], first[1:], second[1:], second[:-1]), axis=1)


def cell_meshes(ground: CellGround) -> list[Mesh]:
    """Return the tops of cells, and their sides down to the lowest of them; m."""
    half = ground.side / 2.0
    corner = np.array(((-half, -half), (half, -half), (half, half), (-half, half)))
    tops = np.repeat(ground.tops[:, None], 4, axis=1)
    tops[:, :, :2] += corner
    below = tops.copy()
    below[:, :, 2] = ground.tops[:, 2].min() - DEPTH
    sides = [
        np.stack((below[:, a], below[:, b], tops[:, b], tops[:, a]), axis=1)
        for a, b in ((0, 1), (1, 2), (2, 3), (3, 0))
    ]
    return [
        mesh_of_quads('surface', tops, GROUND),
        mesh_of_quads('earth', np.concatenate(sides), EARTH),
    ]


def tick_marks(ground: Ground) -> NDArray[np.float32]:
    """Return marks every 0.1 m on the cut, longer ones every metre, as pieces (n, 2, 3), m."""
    if len(ground) < 2:
        return np.zeros((1, 2, 3), dtype=np.float32)
    x, z = np.array(ground, dtype=float).T
    numbers = np.arange(math.ceil(x[0] * STEP), math.floor(x[-1] * STEP) + 1)
    at = numbers / STEP
    height = np.interp(at, x, z)
    length = np.where(numbers % STEP == 0, LONG_TICK, TICK)
    side = np.full(len(at), -HALF_WIDTH - 0.003)
    ends = (np.column_stack((at, side, height)), np.column_stack((at, side, height - length)))
    return np.stack(ends, axis=1).astype(np.float32)


def milestones(ground: Ground) -> list[tuple[int, float]]:
    """Return whole metres along the ground, and the height of the ground there, m."""
    if len(ground) < 2:
        return []
    x, z = np.array(ground, dtype=float).T
    whole = range(math.ceil(x[0]), math.floor(x[-1]) + 1)
    return [(metre, float(np.interp(metre, x, z))) for metre in whole]
