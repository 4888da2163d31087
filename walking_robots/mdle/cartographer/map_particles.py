"""Where a robot is in a map, by particles that each assume a pose and the slip of both wheels.

The slip is one constant factor a wheel (issue), so it belongs to the state: what a particle has
assumed wrongly moves it away from where its readings fit. Compared with matching several rings at
once, which is as good in a known map, particles take a twentieth of the time (study §3).
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.geometry.compiled import compiled
from walking_robots.geometry.se2 import Pose2, wrap
from walking_robots.mdle.cartographer.range_likelihood import (
    TRUST_TO,
    RangeModel,
    Reference,
    log_likelihoods,
    reading,
)

Floats = NDArray[np.float64]

COUNT = 120
"""Particles; the study had 150 (§3)."""


class ParticleModel(NamedTuple):
    """How particles spread; found on drives in random worlds.

    jitter: m after a metre, turn_jitter: rad after a radian; slip_jitter: of the share after a
    metre; floor: sigma, m, that the map's cells leave.
    """

    jitter: float = 0.03
    turn_jitter: float = 0.03
    slip_jitter: float = 0.0005
    floor: float = 0.005


class Estimate(NamedTuple):
    """A pose with its covariance, (3, 3), of x, y, m, and heading, rad."""

    pose: Pose2
    covariance: Floats

    @property
    def sigma(self) -> float:
        """Return the largest standard deviation of the position, m, in any direction."""
        return math.sqrt(float(np.linalg.eigvalsh(self.covariance[:2, :2])[-1]))


PARTICLES, RANGES = ParticleModel(), RangeModel()


def along_arc(step: Pose2) -> tuple[float, float]:
    """Return how far a step of odometry leads ahead and aside as seen half-way, m.

    On an arc nothing leads aside (mdle.md §1.4, midpoint).
    """
    cosine, sine = math.cos(0.5 * step.heading), math.sin(0.5 * step.heading)
    return step.x * cosine + step.y * sine, step.y * cosine - step.x * sine


class MapParticles:
    """Particles (count, 5): x, y, heading, and the slip of the left and the right wheel."""

    def __init__(
        self,
        around: Estimate,
        slip: float,
        separation: float,
        rng: np.random.Generator,
        model: ParticleModel = PARTICLES,
        ranges: RangeModel = RANGES,
        count: int = COUNT,
        usual: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        """Spread particles about an estimate.

        slip: each wheel may go up to this share further or less far than odometry says, beside
        the ``usual`` share of the left and the right one; separation: of the wheels, m.
        """
        self._rng, self._model, self._separation = rng, model, separation
        self._slip, self._usual, self._ranges = slip, np.array(usual), ranges
        self.states = np.empty((count, 5))
        self.states[:, :3] = rng.multivariate_normal(around.pose, around.covariance, count)
        self.states[:, 3:] = self._usual + rng.uniform(-slip, slip, (count, 2))
        self.log_weights = np.zeros(count)

    def move(self, step: Pose2) -> None:
        """Follow odometry; step: the motion since the last one in the robot's axes."""
        way, turn = math.hypot(step.x, step.y), abs(step.heading)
        if not (way or turn):
            return
        model = self._model
        noise = self._rng.standard_normal((len(self.states), 5))
        reach = way + 0.5 * self._separation * turn
        place = model.jitter * math.sqrt(0.05 * reach)
        angle = model.turn_jitter * math.sqrt(0.05 * (turn + way))
        share = model.slip_jitter * math.sqrt(reach) if self._slip else 0.0
        ahead, aside = along_arc(step)
        _move(
            self.states, noise, ahead, aside, step.heading, self._separation, place, angle, share
        )
        least, most = self._usual - 1.2 * self._slip, self._usual + 1.2 * self._slip
        np.clip(self.states[:, 3:], least, most, out=self.states[:, 3:])

    def hear(
        self, reference: Reference, sensor: Pose2, distance: float, half_angle: float
    ) -> None:
        """Compare a range, m, of a sensor at its pose on the robot with the map."""
        if distance <= TRUST_TO:
            heard = reading(sensor, distance, half_angle)
            self.log_weights += log_likelihoods(self.states, reference, heard, self._ranges)

    def resample(self) -> None:
        """Draw particles anew by their weights where few carry most of them."""
        weights = self._weights()
        count = len(weights)
        if 1.0 / float((weights * weights).sum()) > 0.5 * count:
            return
        ends = np.cumsum(weights)
        ends[-1] = 1.0
        places = (np.arange(count) + self._rng.random()) / count
        self.states = self.states[np.searchsorted(ends, places)]
        self.log_weights = np.zeros(count)

    def estimate(self) -> Estimate:
        """Return mean and covariance of the particles."""
        weights = self._weights()
        states = self.states[:, :3].copy()
        first = float(states[0, 2])
        states[:, 2] = np.remainder(states[:, 2] - first + math.pi, 2.0 * math.pi) - math.pi
        mean = weights @ states
        off = states - mean
        covariance = (off * weights[:, None]).T @ off
        floor = self._model.floor**2
        covariance[np.diag_indices(3)] += floor
        pose = Pose2(float(mean[0]), float(mean[1]), wrap(float(mean[2]) + first))
        return Estimate(pose, covariance)

    def slips(self) -> tuple[Floats, Floats]:
        """Return mean and standard deviation of the slip of both wheels, (2,) each."""
        weights = self._weights()
        mean = weights @ self.states[:, 3:]
        return mean, np.sqrt(weights @ (self.states[:, 3:] - mean) ** 2)

    def _weights(self) -> Floats:
        weights: Floats = np.exp(self.log_weights - self.log_weights.max())
        weights /= weights.sum()
        return weights


@compiled(
    'float64[:, ::1]', 'float64[:, ::1]', 'float64', 'float64', 'float64', 'float64', 'float64',
    'float64', 'float64',
)  # fmt: skip
def _move(
    states: Floats,
    noise: Floats,
    ahead: float,
    aside: float,
    turn: float,
    separation: float,
    place: float,
    angle: float,
    share: float,
) -> None:
    """Move particles by what their wheels did, about the middle of the arc (mdle.md §1.4)."""
    for i in range(states.shape[0]):
        left = (ahead - 0.5 * separation * turn) * (1.0 + states[i, 3])
        right = (ahead + 0.5 * separation * turn) * (1.0 + states[i, 4])
        turned = (right - left) / separation
        way = 0.5 * (left + right) + place * noise[i, 0]
        off = aside + place * noise[i, 1]
        middle = states[i, 2] + 0.5 * turned
        cosine, sine = math.cos(middle), math.sin(middle)
        states[i, 0] += way * cosine - off * sine
        states[i, 1] += way * sine + off * cosine
        states[i, 2] += turned + angle * noise[i, 2]
        states[i, 3] += share * noise[i, 3]
        states[i, 4] += share * noise[i, 4]
