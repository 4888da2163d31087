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
MOVED = 0.15
"""Way, m, that the robot drives between two rounds that count in full: echoes that come again and
again from one place may close a passage that is open. Found in random worlds."""


@dataclass
class Confirmation:
    """Counts, for each cell, the rounds for which it was occupied and the robot near.

    nearest: square of the distance, m, from which the robot was nearest to each.
    """

    rounds: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0)))
    nearest: NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 0)))
    origin: tuple[float, float] = (0.0, 0.0)
    _from: Pose2 | None = field(init=False, default=None)

    def confirmed(self, ground: KnownGround, pose: Pose2) -> KnownGround:
        """Return the ground of a new round with its confirmed cells, which are occupied."""
        self.lay_out(ground)
        x, y = ground.middles()
        away = (x - pose.x)[None, :] ** 2 + (y - pose.y)[:, None] ** 2
        self.nearest = np.minimum(self.nearest, away)
        counts = np.where(away <= FAR * FAR, NEAR * NEAR / np.maximum(away, NEAR * NEAR), 0.0)
        # What cones free from afar at grazing angles was a wall from nearby, and still is.
        moved = MOVED if self._from is None else pose.distance(self._from)
        self._from = pose
        step = np.where(ground.classes == OCCUPIED, counts * min(moved / MOVED, 1.0), 0.0)
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

    def forget_far(self) -> bool:
        """Forget the cells that were not seen from NEAR; return whether there were any."""
        return self._forget(self.nearest > NEAR * NEAR)

    def forget_doubtful(self, ground: KnownGround) -> bool:
        """Forget the cells that the map does not show as occupied; return whether there were any.

        ground: that of the last round.
        """
        return self._forget(ground.classes != OCCUPIED)

    def _forget(self, cells: NDArray[np.bool_]) -> bool:
        confirmed = (self.rounds >= ROUNDS) & cells
        self.rounds[cells] = 0.0
        return bool(confirmed.any())

    def lay_out(self, ground: KnownGround) -> None:
        """Lay the counts out as the map is now."""
        if self.rounds.shape == ground.classes.shape and self.origin == ground.origin:
            return
        cell = ground.resolution
        below = round((self.origin[1] - ground.origin[1]) / cell)
        before = round((self.origin[0] - ground.origin[0]) / cell)
        rows, columns = self.rounds.shape
        tall, wide = ground.classes.shape
        rounds, nearest = np.zeros((tall, wide)), np.full((tall, wide), np.inf)
        if rows and 0 <= below <= tall - rows and 0 <= before <= wide - columns:
            part = slice(below, below + rows), slice(before, before + columns)
            rounds[part], nearest[part] = self.rounds, self.nearest
        self.rounds, self.nearest, self.origin = rounds, nearest, ground.origin
