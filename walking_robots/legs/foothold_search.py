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


class Foothold(NamedTuple):
    """A cell centre (m, odometry frame) and its kinematic margin (s)."""

    point: Vector
    margin: float


class Candidates(NamedTuple):
    """Valid footholds of one leg, front to rear and outer to inner."""

    footholds: tuple[Foothold, ...]

    def best(self, accept: float) -> Foothold | None:
        """Give the first of the largest margin, if that reaches ``accept`` (s)."""
        best: Foothold | None = None
        for foothold in self.footholds:
            if best is None or foothold.margin > best.margin + TIE:
                best = foothold
        return best if best is not None and best.margin >= accept else None


NO_CANDIDATES = Candidates(())


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
        if not keep:
            return dict.fromkeys(legs, NO_CANDIDATES)
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
        found: dict[int, list[Foothold]] = {leg: [] for leg in legs}
        for k, px_, py_, pz_, margin in zip(
            row[keep].tolist(),
            centre_x.tolist(),
            centre_y.tolist(),
            height.tolist(),
            margins.tolist(),
            strict=True,
        ):
            if margin == margin:
                found[legs[k]].append(Foothold((px_, py_, pz_), margin))
        return {leg: Candidates(tuple(footholds)) for leg, footholds in found.items()}

    def _reachable(self, index: NDArray[np.intp], level: Plane) -> NDArray[np.bool_]:
        """Mark the template points inside the cut of each working volume by a plane.

        ``level`` is the support plane in body coordinates. Shape (legs, template points).
        """
        normal = np.array(level.normal)
        points, ways = self._edge_points[index], self._edge_ways[index]
        reach = -(points @ normal + level.offset) / (ways @ normal)
        corners = points[:, :, :2] + reach[:, :, None] * ways[:, :, :2]
        sides = np.roll(corners, -1, axis=1) - corners
        x, y = self._template[:, index]
        cross = sides[:, :, 0, None] * (y[:, None] - corners[:, :, 1, None]) - sides[
            :, :, 1, None
        ] * (x[:, None] - corners[:, :, 0, None])
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
        cells = np.floor(centres / cell).astype(int).tolist()
        taken: list[set[Cell]] = [
            {held[other] for other in self._neighbours[leg] if other in held} for leg in legs
        ]
        keep: list[int] = []
        for k, (owner, good, (i, j)) in enumerate(
            zip(row.tolist(), permitted.tolist(), cells, strict=True)
        ):
            if good and (i, j) not in taken[owner]:
                taken[owner].add((i, j))
                keep.append(k)
        return keep
