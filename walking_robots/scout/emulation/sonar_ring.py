"""The ring of sonars: one sensor at a time, echoes and what goes for them (§5)."""

import math
from collections.abc import Sequence
from random import Random

import numpy as np

from walking_robots.geometry.se2 import Pose2
from walking_robots.robots.wheeled import SonarModel
from walking_robots.scout.emulation.settings import EmulatorSettings
from walking_robots.worlds.rays import RayCaster

__all__ = ['SonarRing']

NO_ECHO = 255
RATE_UNIT = 4000
"""Unit of the firing rate, microseconds."""
BLIND = 3
"""Distance, inches, below which the second echo is heard: twice the distance (§5)."""


class SonarRing:
    """Fires its sensors in turn; ``readings`` are whole inches, old until fired again.

    It is off at power-up, a choice.
    """

    def __init__(
        self, caster: RayCaster, model: SonarModel, settings: EmulatorSettings, rng: Random
    ) -> None:
        """Begin switched off, without an echo."""
        self._caster, self._model, self._settings, self._rng = caster, model, settings, rng
        rays = settings.beam_rays
        half = 0.5 * model.field_of_view if rays > 1 else 0.0
        self._beam = np.linspace(-half, half, rays)
        self._cosine = math.cos(settings.specular_angle) - 1e-12
        self._order: tuple[int, ...] = ()
        self._period = self._due = self._turn = 0
        self.readings = [NO_ECHO] * model.count

    def configure(self, rate: int, order: Sequence[int], now: int) -> None:
        """Fire these sensors, the first after one period; none: off (``conf_sn``).

        A rate of 0 counts as 1, a choice. ``now`` in microseconds.
        """
        self._order, self._turn = tuple(order), 0
        self._period = max(rate, 1) * RATE_UNIT
        self._due = now + self._period

    def step(self, now: int, pose: Pose2) -> None:
        """Fire whatever is due by a time, microseconds, from a true pose."""
        while self._order and self._due <= now:
            sensor = self._order[self._turn]
            self.readings[sensor] = self._fire(pose, self._model.bearing(sensor))
            self._turn = (self._turn + 1) % len(self._order)
            self._due += self._period

    def _fire(self, pose: Pose2, bearing: float) -> int:
        """Give what a sensor hears, whole inches."""
        axis = pose.heading + bearing
        hits = self._caster.cast(
            pose.x + self._model.radius * math.cos(axis),
            pose.y + self._model.radius * math.sin(axis),
            axis + self._beam,
            self._model.far,
        )
        rough = self._rng.random() < self._settings.rough_probability
        noise = self._rng.gauss(1.0, self._settings.sonar_noise)
        distance = hits.distance
        if not rough:
            along = np.where(hits.face == 0, np.cos(axis + self._beam), np.sin(axis + self._beam))
            distance = distance[(np.abs(along) >= self._cosine) | (hits.face < 0)]
        nearest = float(distance.min()) if distance.size else math.inf
        if not nearest < self._model.far:
            return NO_ECHO
        inches = max(nearest * noise, 0.0) / self._model.unit
        return min(round(2.0 * inches if inches < BLIND else inches), NO_ECHO)
