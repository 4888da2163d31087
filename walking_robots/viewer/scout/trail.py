"""Remember where a robot has been."""

from collections import deque

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.se2 import Pose2

SPACING = 0.03
JUMP = 0.5
MOST = 2000


class Trail:
    """The way of a robot as points, 3 cm apart; a jump, as of a reset, begins it anew."""

    def __init__(self) -> None:
        """Begin empty."""
        self._points: deque[Pose2] = deque(maxlen=MOST)
        self.changed = False

    def add(self, pose: Pose2 | None) -> None:
        """Note where the robot is; None where nobody knows."""
        if pose is None:
            return
        way = self._points[-1].distance(pose) if self._points else JUMP + SPACING
        if way > JUMP:
            self._points.clear()
        if way >= SPACING:
            self._points.append(pose)
            self.changed = True

    def segments(self, height: float) -> NDArray[np.float32]:
        """Return the way as pieces (n, 2, 3), m in map, at a height (m); one at least."""
        self.changed = False
        points = [(pose.x, pose.y, height) for pose in self._points] or [(0.0, 0.0, height)]
        line = np.array(points if len(points) > 1 else points * 2, dtype=np.float32)
        return np.stack((line[:-1], line[1:]), axis=1)
