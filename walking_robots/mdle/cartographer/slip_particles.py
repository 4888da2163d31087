"""The pose of a robot that draws its own map, by the slip of its wheels.

What a robot draws contains the error of its own pose, and looks right however wrong it is (study
§3). Here the only unknowns are the two constant factors of the wheels (issue): they alone decide
where the robot was at each time, and with it where each cell of its map belongs. Particles assume
a slip; when a wall is met again, it is compared where it would be drawn with that slip. What was seen
just now is displaced as the robot itself and says nothing, what was seen long ago says much.
"""

import math

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.se2 import Pose2, wrap
from walking_robots.mdle.cartographer.map_particles import Estimate
from walking_robots.mdle.cartographer.range_likelihood import (
    TRUST_TO,
    RangeModel,
    Reference,
    log_likelihoods,
)

Floats = NDArray[np.float64]

COUNT = 150
"""Particles; a choice."""
SHRINK = 0.98
"""Share of its distance from the mean that a particle keeps when all are drawn anew (J. Liu, M.
West, "Combined parameter and state estimation in simulation-based filtering", 2001)."""
FLOOR = 0.01
"""Sigma, m, that the map's cells leave."""


class SlipParticles:
    """Particles (count, 5): x, y, heading, and the slips that led there.

    ``nominal`` is where the robot is with the slip ``assumed``, with which the map is drawn, and
    ``drift``, (3, 2), by how much that would be another pose for another slip.
    """

    def __init__(
        self,
        start: Pose2,
        slip: float,
        separation: float,
        rng: np.random.Generator,
        ranges: RangeModel = RangeModel(power=0.3),
        count: int = COUNT,
    ) -> None:
        """Begin at ``start``; slip: greatest share of each wheel; separation: of them, m."""
        self._rng, self._slip, self._separation, self._ranges = rng, slip, separation, ranges
        self.states = np.empty((count, 5))
        self.states[:, :3] = start
        self.states[:, 3:] = rng.uniform(-slip, slip, (count, 2))
        self.log_weights = np.zeros(count)
        self.assumed = (0.0, 0.0)
        self.nominal, self.drift = start, np.zeros((3, 2))

    def move(self, step: Pose2) -> None:
        """Follow odometry; step: the motion since the last one in the robot's axes."""
        states, half = self.states, 0.5 * self._separation
        left, right = step.x - half * step.heading, step.x + half * step.heading
        lefts, rights = left * (1.0 + states[:, 3]), right * (1.0 + states[:, 4])
        turns = (rights - lefts) / self._separation
        ways, middles = 0.5 * (lefts + rights), states[:, 2] + 0.5 * turns
        cosines, sines = np.cos(middles), np.sin(middles)
        states[:, 0] += ways * cosines - step.y * sines
        states[:, 1] += ways * sines + step.y * cosines
        states[:, 2] += turns
        self.nominal, self.drift = advance(
            self.nominal, self.drift, step, self.assumed, self._separation
        )

    def weigh(self, reference: Reference, sensor: Pose2, distance: float, half_angle: float) -> None:
        """Compare a range, m, of a sensor at its pose on the robot with the map drawn so far."""
        if distance <= TRUST_TO:
            self.log_weights += log_likelihoods(
                self.states, reference, self.nominal, sensor, distance, half_angle, self._ranges
            )

    def resample(self) -> None:
        """Draw particles anew by their weights where few carry most of them."""
        weights = self._weights()
        count = len(weights)
        if 1.0 / float((weights * weights).sum()) > 0.5 * count:
            return
        mean, off = self._moments(weights)
        spread = (off[:, 3:] * weights[:, None]).T @ off[:, 3:]
        ends = np.cumsum(weights)
        ends[-1] = 1.0
        places = (np.arange(count) + self._rng.random()) / count
        states = self.states[np.searchsorted(ends, places)]
        blur = np.sqrt(1.0 - SHRINK * SHRINK)
        slips = mean[3:] + SHRINK * (states[:, 3:] - mean[3:])
        slips += blur * self._rng.multivariate_normal(np.zeros(2), spread, count)
        slips = np.clip(slips, -self._slip, self._slip)
        states[:, :3] += (slips - states[:, 3:]) @ self.drift.T
        states[:, 3:] = slips
        self.states, self.log_weights = states, np.zeros(count)

    def estimate(self) -> Estimate:
        """Return mean and covariance of the pose."""
        weights = self._weights()
        mean, off = self._moments(weights)
        covariance = (off[:, :3] * weights[:, None]).T @ off[:, :3]
        covariance[np.diag_indices(3)] += FLOOR * FLOOR
        return Estimate(Pose2(mean[0], mean[1], wrap(mean[2])), covariance)

    def slips(self) -> tuple[float, float]:
        """Return the mean slip of both wheels."""
        mean, _ = self._moments(self._weights())
        return float(mean[3]), float(mean[4])

    def _moments(self, weights: Floats) -> tuple[Floats, Floats]:
        mean = weights @ self.states
        return mean, self.states - mean

    def _weights(self) -> Floats:
        weights: Floats = np.exp(self.log_weights - self.log_weights.max())
        return weights / weights.sum()


def advance(
    pose: Pose2, drift: Floats, step: Pose2, slip: tuple[float, float], separation: float
) -> tuple[Pose2, Floats]:
    """Return a pose after a step of odometry with a slip, and what another slip would change."""
    half = 0.5 * separation
    left, right = step.x - half * step.heading, step.x + half * step.heading
    turn = (right * (1.0 + slip[1]) - left * (1.0 + slip[0])) / separation
    way = 0.5 * (left * (1.0 + slip[0]) + right * (1.0 + slip[1]))
    middle = pose.heading + 0.5 * turn
    cosine, sine = math.cos(middle), math.sin(middle)
    dx, dy = way * cosine - step.y * sine, way * sine + step.y * cosine
    after = drift.copy()
    for wheel, (travel, sign) in enumerate(((left, -1.0), (right, 1.0))):
        bend = sign * travel / separation
        turned = drift[2, wheel] + 0.5 * bend
        after[0, wheel] += 0.5 * travel * cosine - dy * turned
        after[1, wheel] += 0.5 * travel * sine + dx * turned
        after[2, wheel] += bend
    return Pose2(pose.x + dx, pose.y + dy, pose.heading + turn), after
