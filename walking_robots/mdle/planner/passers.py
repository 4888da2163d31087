"""Who passes by: echoes from ground that was known to be free, for which the robot stops."""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.planner.ground import FREE, OCCUPIED, KnownGround

STANDS, LATELY = 0.25, 6
"""Distance, m, within which the same thing is heard again, which has not moved, and for how many
looks at the map: half the width of a cone at a metre, and about as many seconds."""
LOOKS = 2
"""Looks at the map for which the robot stands, so that each sonar is fired once meanwhile."""


@dataclass
class PassersBy:
    """Notices what comes to where nothing was.

    heard: place, m, of each such echo of late, and how many looks at the map ago; looks: for how
    many more the robot stands, -1 where it does not.
    """

    heard: list[tuple[float, float, int]] = field(default_factory=list)
    looks: int = -1

    def hear(
        self,
        ground: KnownGround,
        soon: Pose2,
        reach: float,
        arcs: NDArray[np.float64],
        *,
        drives: bool,
    ) -> bool:
        """Return whether one of the echoes from ``arcs`` (n, k, 2), m, makes the robot stop.

        ground: as it was known before them; soon: where the robot will be when the sonars have
        been fired again; reach: m from there, within which somebody may touch it by then; drives: whether it drives faster than it creeps, at which a touch
        does no harm. All of an arc must lie in free cells, none of it beside an occupied one, and
        nothing was heard there lately.
        """
        came = False
        for arc in arcs:
            x, y = (float(middle) for middle in arc[len(arc) // 2])
            if math.dist((x, y), soon[:2]) > reach or not _was_free(ground, arc):
                continue
            came |= all(math.dist((x, y), place[:2]) > STANDS for place in self.heard)
            self.heard.append((x, y, 0))
        if came and (drives or self.looks >= 0):
            self.looks = LOOKS
        return came and drives

    def stand(self) -> bool:
        """Return whether the robot stands at this look at the map."""
        self.looks = max(self.looks - 1, -1)
        self.heard = [(x, y, ago + 1) for x, y, ago in self.heard if ago < LATELY]
        return self.looks >= 0


def _was_free(ground: KnownGround, arc: NDArray[np.float64]) -> bool:
    """Return whether all cells at places (k, 2), m, are free, and none beside them occupied."""
    rows, columns = ground.classes.shape
    for x, y in arc:
        row = math.floor((y - ground.origin[1]) / ground.resolution)
        column = math.floor((x - ground.origin[0]) / ground.resolution)
        if not (0 < row < rows - 1 and 0 < column < columns - 1):
            return False
        around = ground.classes[row - 1 : row + 2, column - 1 : column + 2]
        if ground.classes[row, column] != FREE or (around == OCCUPIED).any():
            return False
    return True
