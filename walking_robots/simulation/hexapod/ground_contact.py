"""What soft and slippery ground does to the feet of a robot with forces."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from walking_robots.robots.articulated import LEGS
from walking_robots.terrain.cells import SLIPPERY, SOFT, TernaryTerrain
from walking_robots.terrain.forbidden_ground import (
    PARTS,
    SINKAGE,
    forbidden_cells_of,
    sunk_corners,
)

Array = NDArray[np.float64]

SLIPPERY_FRICTION = 0.1
"""Coefficient of friction on slippery ground, about that of wet ice: guessed."""

FULL_LOAD = 0.3
"""Force of a foot, in weights of the robot, under which soft ground sinks as far as it can."""

LEAST = 0.01
"""Share of the greatest sinkage below which ground does not sink on."""

SINKING = 0.1
"""Time, s, in which ground sinks by most of what it will: a short blow does little."""


class GroundContact:
    """Makes cells sink and feet slip in a model, by where the feet are.

    Soft ground sinks, in proportion to the force of a foot on it, and does not rise again.
    """

    def __init__(self, model: Any, terrain: TernaryTerrain, depth: float, weight: float) -> None:
        """Begin with firm ground; the model is compiled with that of `sunk_ground`.

        depth: of holes, m; weight: of the robot, N.
        """
        self._feet = np.array([model.geom(f'foot{leg}').id for leg in range(1, LEGS + 1)])
        self._friction = model.geom_friction[self._feet, 0].copy()
        self._frictions = model.geom_friction
        # Otherwise the greater friction of foot and ground counted.
        model.geom_priority[self._feet] = 1
        self._rate = min(1.0, model.opt.timestep / SINKING)
        self._cell, self._full = terrain.cell, FULL_LOAD * weight
        # A ring of other ground answers for all outside.
        self._first = np.array((terrain.first_row - 1, terrain.first_column - 1))
        self._last = np.array(terrain.cells.shape) + 1
        self._slippery = np.pad(forbidden_cells_of(terrain, SLIPPERY), 1)
        self._soft = np.pad(forbidden_cells_of(terrain, SOFT), 1)
        self._sunk = np.zeros(self._soft.shape)
        self._sinks = bool(self._soft.any())
        if self._sinks:
            # The rows of a height field go along y, and its heights are shares of the highest.
            _, _, rise, _ = model.hfield_size[0].tolist()
            shape = (int(model.hfield_ncol[0]), int(model.hfield_nrow[0]))
            self._heights = model.hfield_data.reshape(shape[::-1]).T
            rows, columns = map(np.arange, shape)
            self._rows, self._columns = rows, columns
            self._sinkage = SINKAGE * depth / rise
            soft = self._soft.astype(np.float64)
            self._firm = self._heights + self._sinkage * sunk_corners(soft, rows, columns)
            self.reset()

    def reset(self) -> None:
        """Make all ground firm again."""
        if self._sinks:
            self._sunk[:] = 0.0
            self._heights[:] = self._firm

    def act(self, data: Any) -> None:
        """Take in where the feet are and what they bear after a step of the simulation."""
        place = np.floor(data.geom_xpos[self._feet, :2] / self._cell).astype(np.intp) - self._first
        i, j = np.clip(place, 0, self._last).T
        self._frictions[self._feet, 0] = np.where(
            self._slippery[i, j], np.minimum(SLIPPERY_FRICTION, self._friction), self._friction
        )
        if not (self._sinks and self._soft[i, j].any()):
            return
        forces = np.linalg.norm(data.sensordata.reshape(LEGS, 3), axis=1)
        share = np.where(self._soft[i, j], np.minimum(forces / self._full, 1.0), 0.0)
        for foot in np.flatnonzero(share > self._sunk[i, j] + LEAST).tolist():
            self._sink(int(i[foot]), int(j[foot]), float(share[foot]))

    def _sink(self, i: int, j: int, share: float) -> None:
        """Sink a cell, by its place in the ring, towards a share of the greatest sinkage."""
        self._sunk[i, j] += self._rate * (share - self._sunk[i, j])
        rows = self._rows[PARTS * (i - 1) : PARTS * i + 1]
        columns = self._columns[PARTS * (j - 1) : PARTS * j + 1]
        at = np.ix_(rows, columns)
        self._heights[at] = self._firm[at] - self._sinkage * sunk_corners(
            self._sunk, rows, columns
        )
