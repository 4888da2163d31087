"""Search of permitted cells for the feet that are free to be placed (asv.md §9)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.plane import Plane
from walking_robots.geometry.pose import Pose, Rates, Vector
from walking_robots.legs.working_volume import WorkingVolume, kinematic_margins
from walking_robots.robots.model import HexapodModel
from walking_robots.terrain.cells import TernaryTerrain

Array = NDArray[np.float64]
Cell = tuple[int, int]

# Margins that differ by less are a tie, so that rounding never decides between two cells.
TIE = 1e-9


# More than the cells along either side of any terrain, to number cells one by one.
STRIDE = 1 << 20


class Foothold(NamedTuple):
    """A cell centre (m, odometry frame) and its kinematic margin (s)."""

    point: Vector
    margin: float


class Candidates(NamedTuple):
    """Valid footholds of one leg, front to rear and outer to inner.

    Coordinates (m, odometry frame) and kinematic margins (s) lie in lists of their own,
    because most of them are only compared.
    """

    x: Sequence[float] = ()
    y: Sequence[float] = ()
    z: Sequence[float] = ()
    margins: Sequence[float] = ()

    def __len__(self) -> int:
        """Count the footholds."""
        return len(self.margins)

    def foothold(self, k: int) -> Foothold:
        """Return the k-th foothold."""
        return Foothold((self.x[k], self.y[k], self.z[k]), self.margins[k])

    def footholds(self) -> list[Foothold]:
        """Return all footholds in their order."""
        return [self.foothold(k) for k in range(len(self.margins))]

    def best(self, accept: float) -> Foothold | None:
        """Return the first of the largest margin, if that reaches ``accept`` (s)."""
        if not self.margins:
            return None
        largest = max(self.margins)
        if largest < accept:
            return None
        first = next(k for k, margin in enumerate(self.margins) if margin >= largest - TIE)
        return self.foothold(first)


class FootholdSearch:
    """Finds footholds for several legs of a robot in one pass; it holds no state."""

    def __init__(self, model: HexapodModel) -> None:
        """Lay out the search templates and working volumes of all legs as arrays."""
        self._limits = model.kinematic_margin
        self._legs = {leg.number: index for index, leg in enumerate(model.legs)}
        self._neighbours = {leg.number: leg.neighbours for leg in model.legs}
        self._template = np.array([leg.template for leg in model.legs]).transpose(2, 0, 1).copy()
        edges = np.array([leg.search_edges for leg in model.legs])
        self._edge_points, self._edge_ways = edges[:, :, 0], edges[:, :, 1]
        volumes = [WorkingVolume(leg) for leg in model.legs]
        self._normals = np.array([volume.normals for volume in volumes]).transpose(1, 2, 0).copy()
        self._offsets = np.array([volume.offsets for volume in volumes]).T.copy()

    def search(
        self,
        legs: Sequence[int],
        plane: Plane,
        pose: Pose,
        rates: Rates,
        terrain: TernaryTerrain,
        held: Mapping[int, Cell],
    ) -> dict[int, Candidates]:
        """Find the candidates of each leg in ``legs``.

        ``plane`` is the support plane in the odometry frame; ``pose`` the predicted body pose
        at which cells are chosen; ``rates`` the predicted motion that consumes their margin.
        ``held`` gives the cell of every leg that keeps its foothold; a leg is not offered a
        cell that a neighbour holds.
        """
        if not legs:
            return {}
        index = np.array([self._legs[leg] for leg in legs])
        level = plane.in_body(pose)
        row, column = np.nonzero(self._reachable(index, level))
        owner = index[row]
        x, y = self._template[:, owner, column]
        (nx, ny, nz), d = level
        z = -(nx * x + ny * y + d) / nz
        a, b, c, e, f, g, h, i, j = pose.rotation
        px, py, pz = pose.position
        seen = np.empty((len(x), 2))
        seen[:, 0] = a * x + b * y + c * z + px
        seen[:, 1] = e * x + f * y + g * z + py
        permitted, centres, heights = terrain.permitted_centres(seen)
        keep = self._distinct(legs, row, permitted, centres, terrain.cell, held)
        centre_x, centre_y, height = centres[keep, 0], centres[keep, 1], heights[keep]
        dx, dy, dz = centre_x - px, centre_y - py, height - pz
        body = np.array(
            (
                a * dx + e * dy + h * dz,
                b * dx + f * dy + i * dz,
                c * dx + g * dy + j * dz,
            )
        )
        owner = owner[keep]
        margins = kinematic_margins(
            self._normals[:, :, owner], self._offsets[:, owner], body, rates, self._limits
        )
        inside = margins == margins
        table = np.array((centre_x, centre_y, height, margins))[:, inside]
        bounds = np.searchsorted(row[keep][inside], np.arange(len(legs) + 1)).tolist()
        columns = table.tolist()
        return {
            leg: Candidates(*(values[bounds[k] : bounds[k + 1]] for values in columns))
            for k, leg in enumerate(legs)
        }

    def _reachable(self, index: NDArray[np.intp], level: Plane) -> NDArray[np.bool_]:
        """Mark the template points inside the cut of each working volume by a plane.

        ``level`` is the support plane in body coordinates. Shape (legs, template points).
        """
        normal = np.array(level.normal)
        points, ways = self._edge_points[index], self._edge_ways[index]
        reach = -(points @ normal + level.offset) / (ways @ normal)
        corners = points[:, :, :2] + reach[:, :, None] * ways[:, :, :2]
        sides = corners[:, (1, 2, 3, 0)] - corners
        x, y = self._template[:, index]
        along, across = sides[:, :, 0, None], sides[:, :, 1, None]
        to_x, to_y = x[:, None] - corners[:, :, 0, None], y[:, None] - corners[:, :, 1, None]
        cross = along * to_y - across * to_x
        result: NDArray[np.bool_] = (cross > 0.0).all(axis=1) | (cross < 0.0).all(axis=1)
        return result

    def _distinct(
        self,
        legs: Sequence[int],
        row: NDArray[np.intp],
        permitted: NDArray[np.bool_],
        centres: Array,
        cell: float,
        held: Mapping[int, Cell],
    ) -> list[int]:
        """Keep the first of each permitted cell per leg, less the cells of its neighbours."""
        good = permitted.nonzero()[0]
        index = np.floor(centres[good] / cell).astype(np.int64)
        keys = ((row[good] * STRIDE + index[:, 0]) * STRIDE + index[:, 1]).tolist()
        taken = {
            (k * STRIDE + held[other][0]) * STRIDE + held[other][1]
            for k, leg in enumerate(legs)
            for other in self._neighbours[leg]
            if other in held
        }
        keep: list[int] = []
        for k, key in zip(good.tolist(), keys, strict=True):
            if key not in taken:
                taken.add(key)
                keep.append(k)
        return keep
