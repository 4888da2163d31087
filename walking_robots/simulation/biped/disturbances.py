"""Small disturbances that make one walk of a biped in space differ from the next."""

import math

import numpy as np

from walking_robots.geometry.pose import Vector

START_SPEED = 0.02
"""Standard deviation of the rates with which a body begins, m/s and rad/s."""
STRONGEST = 2.0
"""Greatest force, N."""
RENEWED = 0.24
"""Time between two forces, s: about a step, and a whole number of ticks of the controller."""
STILL = (0.0,) * 14


class SmallDisturbances:
    """Rates at the start, and level forces between the hips that change four times a second.

    All follow from the seed; there are none with seed 0.
    """

    def __init__(self, seed: int) -> None:
        """Take the seed."""
        self._seed = seed
        self._number = -1
        self._force: Vector = (0.0, 0.0, 0.0)

    def start_velocity(self) -> tuple[float, ...]:
        """Return the 14 rates with which the robot begins, its joints at rest."""
        if not self._seed:
            return STILL
        rates = np.random.default_rng(self._seed).normal(scale=START_SPEED, size=6)
        return (*rates.tolist(), *STILL[6:])

    def force(self, time: float) -> Vector:
        """Return the force, N along the axes of the world, at a time, s."""
        number = math.floor(time / RENEWED + 1e-9)
        if self._seed and number != self._number:
            self._number = number
            size, angle = np.random.default_rng((self._seed, number)).uniform(size=2).tolist()
            size, angle = STRONGEST * size, math.tau * angle
            self._force = (size * math.cos(angle), size * math.sin(angle), 0.0)
        return self._force
