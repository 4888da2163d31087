"""Detect by sonar that somebody may be approaching: echoes from ground that was free before."""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.planner.ground import FREE, OCCUPIED, KnownGround

SAME_PLACE, MEMORY_ROUNDS = 0.25, 6
"""Distance, m, within which an echo comes from the same thing, which has not moved, and for how
many rounds: half the width of a cone at a metre, and about as many seconds."""
WAIT_ROUNDS = 2
"""Rounds of the sensors for which the robot stands, so that each sonar is fired once meanwhile."""


@dataclass
class ApproachDetector:
    """Detects what comes to where nothing was.

    echoes: arc (k, 2), m, of each such echo of late, and how many rounds ago; wait: for how many
    rounds more the robot stands.
    """

    echoes: list[tuple[NDArray[np.float64], int]] = field(default_factory=list)
    wait: int = 0

    def detect(
        self,
        ground: KnownGround,
        soon: Pose2,
        reach: float,
        arcs: NDArray[np.float64],
        *,
        drives: bool,
    ) -> bool:
        """Return whether one of the echoes from ``arcs`` (n, k, 2), m, makes the robot stop.

        ground: as it was known before them; soon: where the robot will be when all sonars have
        been fired again; reach: distance from there, m, within which somebody may touch it by
        then; drives: whether it is faster than creeping, at which a touch does no harm. All of
        an arc must lie in cells that are free for certain, none of it beside an occupied one, and
        no echo may have come from there lately.
        """
        approached = False
        for arc in arcs:
            if math.dist(_middle(arc), soon[:2]) > reach or not _was_free(ground, arc):
                continue
            places = [_middle(other) for other, _ in self.echoes]
            approached |= all(math.dist(_middle(arc), place) > SAME_PLACE for place in places)
            self.echoes.append((arc, 0))
        if approached and (drives or self.stands):
            self.wait = WAIT_ROUNDS
        return approached and drives

    @property
    def stands(self) -> bool:
        """Return whether the robot stands for who may come."""
        return self.wait > 0

    def next_round(self) -> None:
        """Count a round of the sensors."""
        self.wait = max(self.wait - 1, 0)
        self.echoes = [(arc, ago + 1) for arc, ago in self.echoes if ago < MEMORY_ROUNDS]


def _middle(arc: NDArray[np.float64]) -> tuple[float, float]:
    x, y = arc[len(arc) // 2]
    return float(x), float(y)


def _was_free(ground: KnownGround, arc: NDArray[np.float64]) -> bool:
    """Return whether all cells at places (k, 2), m, are certainly free, none beside occupied."""
    rows, columns = ground.classes.shape
    for x, y in arc:
        row = math.floor((y - ground.origin[1]) / ground.resolution)
        column = math.floor((x - ground.origin[0]) / ground.resolution)
        if not (0 < row < rows - 1 and 0 < column < columns - 1):
            return False
        around = ground.classes[row - 1 : row + 2, column - 1 : column + 2]
        if ground.sure[row, column] != FREE or (around == OCCUPIED).any():
            return False
    return True
