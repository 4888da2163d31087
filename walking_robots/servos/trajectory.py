"""Postures on the way of a joint trajectory."""

from collections.abc import Sequence

import numpy as np


class JointCourse:
    """Moves joints evenly from point to point, beginning where they are commanded to be."""

    def __init__(
        self, start: Sequence[float], times: Sequence[float], points: Sequence[Sequence[float]]
    ) -> None:
        """Begin at joints, rad; times: s from the beginning, ascending, of each point.

        Raises ValueError, one sentence, for times that do not ascend or points without all joints.
        """
        if not times or len(times) != len(points):
            raise ValueError('a trajectory needs points, each with its time')
        if any(len(point) != len(start) for point in points):
            raise ValueError(f'a point of a trajectory needs {len(start)} positions')
        self._times = np.array([0.0, *times])
        if not (np.isfinite(self._times).all() and (np.diff(self._times) >= 0.0).all()):
            raise ValueError('the times of a trajectory must ascend from 0')
        self._points = np.array([start, *points], dtype=float)

    @property
    def duration(self) -> float:
        """Return the time of its last point, s."""
        return float(self._times[-1])

    def at(self, time: float) -> list[float]:
        """Return the joints at a time, s; before and after it as at its ends."""
        return [float(np.interp(time, self._times, joint)) for joint in self._points.T]
