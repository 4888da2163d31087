"""Which walls are beyond doubt: what the map has as certainly occupied while the robot drives on.

The edge of a door lays arcs across it, as wide as a cone, which close it on the map until the
robot has come nearer. Their cells are occupied, but seldom for certain, and such cells are alone.
What stays unknown in a gap narrower than a frontier, seen from nearby, is a wall as well: the last
of a corner gives no echo.
"""

import math
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.planner.frontiers import narrow_gaps
from walking_robots.mdle.planner.ground import FREE, OCCUPIED, KnownGround

NEAR = 1.2
"""Distance of the body's middle, m, within which a cell that is free is no wall any more: what
cones free from farther off, at grazing angles, was a wall from nearby and still is."""
WAY = 0.15
"""Way, m, for which a cell must have been certainly occupied: echoes that come again and again
from one place may close a passage that is open. A choice."""
LOOKED = 0.8
"""Distance of the body's middle, m, from which a gap is looked at, as frontiers are."""
ALONE = 3
"""Cells to each side within which there must be another such cell: the last cell of an arc, when
all others are known to be free, is certainly occupied and stands in a door. A choice."""


@dataclass
class Confirmation:
    """Counts, for each cell, the way, m, that the robot drove while it looked like a wall.

    It was certainly occupied then, or unknown in a narrow gap nearby. way: (rows, columns), inf
    where `close` says that there is a wall; origin: as of the ground.
    """

    way: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0)))
    origin: tuple[float, float] = (0.0, 0.0)
    _last: Pose2 | None = field(init=False, default=None)

    def confirmed(
        self, ground: KnownGround, pose: Pose2, goal: Pose2, radius: float
    ) -> KnownGround:
        """Return the ground of a new round of the sensors with its confirmed cells.

        They are occupied. Where the map does not say what is certain, all occupied cells are.
        What is not known under a body of ``radius``, m, at the goal is no wall unless it was
        looked at in vain.
        """
        self.lay_out(ground)
        gaps = narrow_gaps(ground, pose.x, pose.y, LOOKED)
        looked = (ground.sure == OCCUPIED) | gaps & ~ground.within(goal, radius)
        self.way[looked] += pose.distance(self._last or pose)
        self._last = pose
        self.way[ground.within(pose, NEAR) & (ground.classes == FREE)] = 0.0
        confirmed = self.way >= WAY
        around = np.pad(confirmed, ALONE)
        for axis in (0, 1):
            around = sliding_window_view(around, 2 * ALONE + 1, axis).sum(axis=-1)
        confirmed &= (around > 1) | np.isinf(self.way)
        classes = np.where(confirmed, np.int8(OCCUPIED), ground.classes)
        return replace(ground, classes=classes, confirmed=confirmed)

    def close(self, ground: KnownGround, x: float, y: float, reach: float) -> None:
        """Confirm all cells within ``reach``, m, of a place that are not known to be free.

        ground: that of the last round, or more round it. Those that are seen to be free later are
        confirmed no more.
        """
        below = round((self.origin[1] - ground.origin[1]) / ground.resolution)
        before = round((self.origin[0] - ground.origin[0]) / ground.resolution)
        part = slice(below, below + len(self.way)), slice(before, before + self.way.shape[1])
        near = ground.within((x, y), reach)
        self.way[(near & (ground.classes != FREE))[part]] = math.inf

    def forget_doubtful(self, ground: KnownGround) -> None:
        """Forget the cells that the map of the last round does not show as occupied."""
        self.way[ground.classes != OCCUPIED] = 0.0

    def lay_out(self, ground: KnownGround) -> None:
        """Lay the ways out as the map is now."""
        if self.way.shape == ground.classes.shape and self.origin == ground.origin:
            return
        cell = ground.resolution
        below = round((self.origin[1] - ground.origin[1]) / cell)
        before = round((self.origin[0] - ground.origin[0]) / cell)
        rows, columns = self.way.shape
        tall, wide = ground.classes.shape
        way = np.zeros((tall, wide))
        if rows and 0 <= below <= tall - rows and 0 <= before <= wide - columns:
            way[below : below + rows, before : before + columns] = self.way
        self.way, self.origin = way, ground.origin
