"""What is known of the ground, as the planner sees it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.planner.cost_map import CostMap, cost_map
from walking_robots.mdle.planner.motion_model import MotionModel
from walking_robots.worlds.distance_field import distance_field
from walking_robots.worlds.world import World

FREE, OCCUPIED, UNKNOWN = 0, 1, -1
"""Classes of cells, as in the cartographer's grid."""
ROOM = 1.0
"""Unknown ground, m, that is added round what the planner has to do with."""
Mask = NDArray[np.bool_]
Floats = NDArray[np.float64]


class Area(NamedTuple):
    """A rectangle of the map, m, that a robot may not leave; without bounds at first."""

    left: float = -math.inf
    low: float = -math.inf
    right: float = math.inf
    high: float = math.inf

    def contains(self, x: Any, y: Any) -> Any:
        """Return whether places, m, lie in it; x and y are numbers, or arrays that go together."""
        return (self.left <= x) & (x <= self.right) & (self.low <= y) & (y <= self.high)

    @property
    def outline(self) -> tuple[tuple[float, float], ...]:
        """Return the corners one after the other, the first one again at the end, m."""
        left, low, right, high = self
        return (left, low), (right, low), (right, high), (left, high), (left, low)


ANYWHERE = Area()


@dataclass(frozen=True, eq=False)
class KnownGround:
    """A map of cells: FREE, OCCUPIED or UNKNOWN.

    classes: (rows, columns) int8; resolution: side of a cell, m; origin: lower left corner, m;
    certain: of the cells of which the map is certain their class, of others UNKNOWN, None where
    it does not say; confirmed: which occupied cells are beyond doubt, None where nothing was said
    of it.
    """

    classes: NDArray[np.int8]
    resolution: float
    origin: tuple[float, float] = (0.0, 0.0)
    confirmed: Mask | None = None
    certain: NDArray[np.int8] | None = None

    @cached_property
    def to_occupied(self) -> Floats:
        """Return the distance, m, from each cell's middle to the nearest occupied cell's edge."""
        return self.distance(self.classes == OCCUPIED)

    @cached_property
    def to_confirmed(self) -> Floats:
        """Return the distance, m, to the nearest confirmed cell's edge."""
        return self.distance(self.beyond_doubt)

    @cached_property
    def to_unknown(self) -> Floats:
        """Return the distance, m, to the edge of the nearest cell that is not known to be free."""
        return self.distance(self.classes != FREE)

    @cached_property
    def to_uncertain(self) -> Floats:
        """Return the distance, m, to the edge of the nearest cell that is not certainly free."""
        return self.to_unknown if self.certain is None else self.distance(self.certain != FREE)

    @property
    def sure(self) -> NDArray[np.int8]:
        """Return the classes that are certain, all where the map does not say."""
        return self.classes if self.certain is None else self.certain

    @property
    def beyond_doubt(self) -> Mask:
        """Return the occupied cells that are confirmed."""
        return self.classes == OCCUPIED if self.confirmed is None else self.confirmed

    def distance(self, mask: Mask) -> Floats:
        """Return the distance, m, from each cell's middle to the edge of the nearest of a mask.

        The edge is taken to be half a cell from its middle; without any cell it is infinite.
        """
        return distance_field(mask, self.resolution).astype(np.float64) - 0.5 * self.resolution

    def costs(self, model: MotionModel, margin: float, *, confirmed: bool = False) -> CostMap:
        """Return the map for a body; only confirmed cells block it if ``confirmed``."""
        return cost_map(
            self.to_confirmed if confirmed else self.to_occupied,
            self.to_occupied - model.radius,
            self.resolution,
            self.origin,
            model,
            margin,
        )

    def middles(self) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
        """Return x of the middles of all columns and y of those of all rows, m."""
        rows, columns = self.classes.shape
        return (
            self.origin[0] + (np.arange(columns) + 0.5) * self.resolution,
            self.origin[1] + (np.arange(rows) + 0.5) * self.resolution,
        )

    def within(self, place: Sequence[float], reach: float) -> Mask:
        """Return the cells whose middle lies within ``reach`` of a place, m."""
        x, y = self.middles()
        found: Mask = (x - place[0])[None, :] ** 2 + (y - place[1])[:, None] ** 2 <= reach * reach
        return found

    def centre_of(self, row: int, column: int) -> tuple[float, float]:
        """Return the middle of a cell, m."""
        return (
            self.origin[0] + (column + 0.5) * self.resolution,
            self.origin[1] + (row + 0.5) * self.resolution,
        )

    def including(self, *places: tuple[float, float]) -> 'KnownGround':
        """Return the ground with unknown cells added up to ROOM beyond places, m."""
        rows, columns = self.classes.shape
        cell = self.resolution
        around = []
        for axis, size in ((1, rows), (0, columns)):
            low = min(place[axis] for place in places) - ROOM - self.origin[axis]
            high = max(place[axis] for place in places) + ROOM - self.origin[axis]
            around.append((max(math.ceil(-low / cell), 0), max(math.ceil(high / cell) - size, 0)))
        if not any(map(any, around)):
            return self
        return KnownGround(
            np.pad(self.classes, around, constant_values=np.int8(UNKNOWN)),
            cell,
            (self.origin[0] - around[1][0] * cell, self.origin[1] - around[0][0] * cell),
            None if self.confirmed is None else np.pad(self.confirmed, around),
            None
            if self.certain is None
            else np.pad(self.certain, around, constant_values=np.int8(UNKNOWN)),
        )

    def fenced(self, area: Area) -> 'KnownGround':
        """Return the ground with a wall in all cells beyond an area."""
        if area == ANYWHERE:
            return self
        x, y = self.middles()
        beyond = ~area.contains(x[None, :], y[:, None])
        wall = np.int8(OCCUPIED)
        return replace(
            self,
            classes=np.where(beyond, wall, self.classes),
            confirmed=None if self.confirmed is None else self.confirmed | beyond,
            certain=None if self.certain is None else np.where(beyond, wall, self.certain),
        )

    def standing(self, pose: Pose2, radius: float) -> 'KnownGround':
        """Return the ground with what is under a body at a pose certainly free, but for walls."""
        under = self.within(pose, radius) & (self.classes != OCCUPIED)
        free = np.int8(FREE)
        return replace(
            self,
            classes=np.where(under, free, self.classes),
            certain=None if self.certain is None else np.where(under, free, self.certain),
        )


def ground_of(world: World) -> KnownGround:
    """Return a world as ground that is known completely."""
    filled = np.pad(world.filled, 1, constant_values=True)
    origin = (world.origin[0] - world.cell, world.origin[1] - world.cell)
    return KnownGround(filled.astype(np.int8), world.cell, origin, filled)
