"""Odometry that drifts: the feet slip a little, always the same way."""

import math

import numpy as np

from walking_robots.geometry.pose import Vector


class OdometryDrift:
    """Follows how far odometry is off: a share of the way, in a direction of the seed."""

    def __init__(self, share: float, seed: int) -> None:
        """Begin without an error."""
        direction = np.random.default_rng(seed).standard_normal(3)
        self._rate = share * direction / np.linalg.norm(direction)
        self._way = 0.0
        self._last: tuple[float, float] | None = None

    def reset(self) -> None:
        """Forget the way so far."""
        self._way, self._last = 0.0, None

    def offset(self, position: Vector) -> Vector:
        """Return what leads from odometry to the true place, m; ``position`` by odometry, m."""
        here = (position[0], position[1])
        if self._last is not None:
            self._way += math.dist(here, self._last)
        self._last = here
        x, y, z = (-self._rate * self._way).tolist()
        return (x, y, z)
