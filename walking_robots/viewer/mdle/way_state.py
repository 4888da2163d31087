"""What a page shows of a map and of a planner, and what it can ask for, as plain data."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.se2 import Pose2
from walking_robots.viewer.common.controls import ignore

FREE, OCCUPIED, UNKNOWN = 0, 1, -1
"""Classes of cells."""

Places = tuple[tuple[float, float], ...]
"""x, y in map, m."""


@dataclass(frozen=True, eq=False)
class MapCells:
    """A map: classes (rows, columns), rows along y; cell: side, m; origin: its corner, m."""

    classes: NDArray[np.int8]
    cell: float
    origin: tuple[float, float]


class Spread(NamedTuple):
    """How well a place is known: variances of x and y and their covariance, m²."""

    xx: float = 0.0
    yy: float = 0.0
    xy: float = 0.0

    @property
    def sigma(self) -> float:
        """Return the largest standard deviation in any direction, m."""
        mean, half = 0.5 * (self.xx + self.yy), 0.5 * (self.xx - self.yy)
        return math.sqrt(max(mean + math.hypot(half, self.xy), 0.0))


KNOWN = Spread()


@dataclass(frozen=True, eq=False)
class WayView:
    """One moment of a planner and of the map that it plans on.

    offered: whether a task can be given; active: whether one runs; state, reason: what was
    decided last, and why; remaining: m of the way, NaN unknown; map: None before the first;
    way: to the goal; tube: path that is driven now; width: of the tube, m; frontiers; goal: one
    place or none; area: outline of what the robot may not leave; pose: of the robot in the map,
    None unknown, and its spread.
    """

    offered: bool = False
    active: bool = False
    state: str = ''
    reason: str = ''
    remaining: float = math.nan
    map: MapCells | None = None
    way: Places = ()
    tube: Places = ()
    width: float = 0.0
    frontiers: Places = ()
    goal: Places = ()
    area: Places = ()
    pose: Pose2 | None = None
    spread: Spread = KNOWN


NO_WAY = WayView()


@dataclass(frozen=True)
class WayControls:
    """Functions that the page calls from a thread of its own.

    ask: for a task, such as 'explore', 'return' or '1.5,2'; cancel: end it; files: those of the
    map as it is now, contents by name.
    """

    ask: Callable[[str], None] = ignore
    cancel: Callable[[], None] = ignore
    files: Callable[[], Mapping[str, bytes]] = dict


NO_TASKS = WayControls()
