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


class _Subset(NamedTuple):
    """Legs that are searched together.

    Their templates x and y, (legs, points), edges of their working volumes, a point of each and
    the way along it, (legs, 2, 5, 3), and the planes of the volumes: normals (3, planes, legs) and
    offsets (planes, legs).
    """

    x: Array
    y: Array
    edges: Array
    normals: Array
    offsets: Array


def _reachable(legs: _Subset, level: Plane) -> NDArray[np.bool_]:
    """Mark the template points inside the cut of each working volume by a plane.

    ``level`` is the support plane in body coordinates. Shape (legs, template points).
    """
    points, ways = legs.edges[:, 0, :, :2], legs.edges[:, 1, :, :2]
    heights = legs.edges @ np.array(level.normal)
    reach = -(heights[:, 0] + level.offset) / heights[:, 1]
    corners = points + reach[:, :, None] * ways
    starts, sides = corners[:, :-1, :, None], (corners[:, 1:] - corners[:, :-1])[..., None]
    to_x, to_y = legs.x[:, None] - starts[:, :, 0], legs.y[:, None] - starts[:, :, 1]
    cross = sides[:, :, 0] * to_y - sides[:, :, 1] * to_x
    result: NDArray[np.bool_] = (cross.min(axis=1) > 0.0) | (cross.max(axis=1) < 0.0)
    return result


class FootholdSearch:
    """Finds footholds for several legs of a robot in one pass; it holds no state."""

    def __init__(self, model: HexapodModel) -> None:
        """Lay out the search templates and working volumes of all legs as arrays."""
        self._limits = model.kinematic_margin
        self._legs = {leg.number: index for index, leg in enumerate(model.legs)}
        self._neighbours = {leg.number: leg.neighbours for leg in model.legs}
        self._template = np.array([leg.template for leg in model.legs]).transpose(2, 0, 1).copy()
        # The first edge again at the end, so that each has a next one.
        edges = np.array([(*leg.search_edges, leg.search_edges[0]) for leg in model.legs])
        self._edges = edges.transpose(0, 2, 1, 3).copy()
        volumes = [WorkingVolume(leg) for leg in model.legs]
        self._normals = np.array([volume.normals for volume in volumes]).transpose(2, 1, 0).copy()
        self._offsets = np.array([volume.offsets for volume in volumes]).T.copy()
        self._subsets: dict[tuple[int, ...], _Subset] = {}

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
        subset = self._subset(tuple(legs))
        level = plane.in_body(pose)
        reachable = _reachable(subset, level)
        row = reachable.nonzero()[0]
        x, y = subset.x[reachable], subset.y[reachable]
        (nx, ny, nz), d = level
        z = -(nx * x + ny * y + d) / nz
        a, b, c, e, f, g, *_ = pose.rotation
        px, py, pz = pose.position
        seen = np.empty((len(x), 2))
        seen[:, 0] = a * x + b * y + c * z + px
        seen[:, 1] = e * x + f * y + g * z + py
        permitted, centres, heights = terrain.permitted_centres(seen)
        keep = self._distinct(legs, row, permitted, centres, terrain.cell, held)
        row, (centre_x, centre_y), height = row[keep], centres[keep].T, heights[keep]
        dx, dy, dz = centre_x - px, centre_y - py, height - pz
        # A sum in this order, and not a product of matrices, which may round otherwise.
        ahead, left, up = pose.matrix()[..., None]
        body = ahead * dx + left * dy + up * dz
        margins = kinematic_margins(
            subset.normals.take(row, axis=2),
            subset.offsets.take(row, axis=1),
            body,
            rates,
            self._limits,
        )
        inside = margins == margins
        table = np.array((centre_x, centre_y, height, margins))[:, inside]
        bounds = row[inside].searchsorted(np.arange(len(legs) + 1)).tolist()
        columns = table.tolist()
        return {
            leg: Candidates(*(values[bounds[k] : bounds[k + 1]] for values in columns))
            for k, leg in enumerate(legs)
        }

    def _subset(self, legs: tuple[int, ...]) -> '_Subset':
        """Return the arrays of some legs."""
        if legs not in self._subsets:
            index = np.array([self._legs[leg] for leg in legs])
            x, y = self._template[:, index]
            self._subsets[legs] = _Subset(
                x, y, self._edges[index], self._normals[:, :, index], self._offsets[:, index]
            )
        return self._subsets[legs]

    def _distinct(
        self,
        legs: Sequence[int],
        row: NDArray[np.intp],
        permitted: NDArray[np.bool_],
        centres: Array,
        cell: float,
        held: Mapping[int, Cell],
    ) -> NDArray[np.intp]:
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
        # Of equal keys a dictionary keeps the last, here the first.
        first = dict(zip(reversed(keys), reversed(good.tolist()), strict=True))
        for key in taken:
            first.pop(key, None)
        return np.array(sorted(first.values()), dtype=np.intp)
