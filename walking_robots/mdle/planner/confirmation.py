"""Which walls are beyond doubt: cells that were occupied for a while with the robot near them.

Echoes from afar close doors that are open, since a cone is wider than a door; from nearby it goes
through.
"""

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.planner.ground import FREE, OCCUPIED, KnownGround

NEAR = 1.2
"""Distance of the body's middle, m, from which a round counts in full: up to there a cone of 25
degrees is narrower than a door. Farther off it counts less, as the cone is wider both ways. With
1.5 m, unsolvable worlds are said sooner, but an open door of 0.65 m was confirmed as a wall."""
FAR = 2.4
"""Distance, m, from which it does not count."""
ROUNDS = 5
"""Rounds of the sensors for which a cell must have been occupied; one in which it is free takes
back two."""


@dataclass
class Confirmation:
    """Counts, for each cell, the rounds for which it was occupied and the robot near."""

    rounds: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0)))
    origin: tuple[float, float] = (0.0, 0.0)

    def confirmed(self, ground: KnownGround, pose: Pose2) -> KnownGround:
        """Return the ground of a new round with its confirmed cells, which are occupied."""
        if self.rounds.shape != ground.classes.shape or self.origin != ground.origin:
            self._move(ground)
        x, y = ground.middles()
        away = (x - pose.x)[None, :] ** 2 + (y - pose.y)[:, None] ** 2
        counts = np.where(away <= FAR * FAR, NEAR * NEAR / np.maximum(away, NEAR * NEAR), 0.0)
        # What cones free from afar at grazing angles was a wall from nearby, and still is.
        step = np.where(ground.classes == OCCUPIED, counts, 0.0)
        step -= np.where(ground.classes == FREE, 2.0 * counts, 0.0)
        self.rounds = np.clip(self.rounds + step, 0.0, 2.0 * ROUNDS)
        confirmed = self.rounds >= ROUNDS
        classes = np.where(confirmed, np.int8(OCCUPIED), ground.classes)
        return replace(ground, classes=classes, confirmed=confirmed)

    def close(self, ground: KnownGround, x: float, y: float, reach: float) -> None:
        """Confirm all cells within ``reach``, m, of a place that are not known to be free.

        ground: that of the last round, or more round it. Those that are seen to be free later are
        confirmed no more.
        """
        below = round((self.origin[1] - ground.origin[1]) / ground.resolution)
        before = round((self.origin[0] - ground.origin[0]) / ground.resolution)
        part = slice(below, below + len(self.rounds)), slice(before, before + self.rounds.shape[1])
        columns, rows = ground.middles()
        near = (columns - x)[None, :] ** 2 + (rows - y)[:, None] ** 2 <= reach * reach
        self.rounds[(near & (ground.classes != FREE))[part]] = ROUNDS

    def _move(self, ground: KnownGround) -> None:
        """Lay the counts out as the map is now."""
        moved = np.zeros(ground.classes.shape)
        cell = ground.resolution
        below = round((self.origin[1] - ground.origin[1]) / cell)
        before = round((self.origin[0] - ground.origin[0]) / cell)
        rows, columns = self.rounds.shape
        tall, wide = ground.classes.shape
        if rows and 0 <= below <= tall - rows and 0 <= before <= wide - columns:
            moved[below : below + rows, before : before + columns] = self.rounds
        self.rounds, self.origin = moved, ground.origin
