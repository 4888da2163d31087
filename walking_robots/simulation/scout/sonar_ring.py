"""The ring of sonars: one sensor at a time, echoes and what goes for them (§5)."""

import math
from collections.abc import Sequence
from random import Random

import numpy as np

from walking_robots.geometry.se2 import Pose2, wrap
from walking_robots.robots.wheeled import SonarModel
from walking_robots.simulation.scout.settings import EmulatorSettings
from walking_robots.worlds.moving_disc import Disc
from walking_robots.worlds.rays import RayCaster
from walking_robots.worlds.world import World

NO_ECHO = 255
RATE_UNIT = 4000
"""Unit of the firing rate, microseconds."""
BLIND = 3
"""Distance, inches, below which the second echo is heard: twice the distance (§5)."""


class SonarRing:
    """Fires its sensors in turn; ``readings`` are whole inches, old until fired again.

    ``disc`` is an object that it hears beside the walls, or None; ``firings`` counts since it
    was configured. It is off at power-up, a choice.
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
        self._half = half
        self.disc: Disc | None = None
        self.firings = 0
        self.readings = [NO_ECHO] * model.count

    def rebuild(self, world: World) -> None:
        """Hear walls elsewhere from now on."""
        self._caster = RayCaster(world)

    def configure(self, rate: int, order: Sequence[int], now: int) -> None:
        """Fire these sensors, the first after one period; none: off (``conf_sn``).

        A rate of 0 counts as 1, a choice. ``now`` in microseconds.
        """
        self._order, self._turn = tuple(order), 0
        self.firings = 0
        self._period = max(rate, 1) * RATE_UNIT
        self._due = now + self._period

    def step(self, now: int, pose: Pose2) -> None:
        """Fire whatever is due by a time, microseconds, from a true pose."""
        while self._order and self._due <= now:
            sensor = self._order[self._turn]
            self.readings[sensor] = self._fire(pose, self._model.bearing(sensor))
            self._turn = (self._turn + 1) % len(self._order)
            self.firings += 1
            self._due += self._period

    def _fire(self, pose: Pose2, bearing: float) -> int:
        """Return what a sensor hears, whole inches."""
        axis = pose.heading + bearing
        x = pose.x + self._model.radius * math.cos(axis)
        y = pose.y + self._model.radius * math.sin(axis)
        rays = axis + self._beam
        if self.disc is not None:
            # A small thing must not slip through between two rays: one more goes to its middle.
            centre = self.disc.near(x, y)[1]
            if abs(wrap(centre - axis)) <= self._half:
                rays = np.append(rays, centre)
        hits = self._caster.cast(x, y, rays, self._model.far)
        rough = self._rng.random() < self._settings.rough_probability
        noise = self._rng.gauss(1.0, self._settings.sonar_noise)
        distance, cosine = hits.distance, None
        if not rough:
            along = np.where(hits.face == 0, np.cos(rays), np.sin(rays))
            cosine = np.where(hits.face < 0, 1.0, np.abs(along))
        if self.disc is not None:
            way, normal = self.disc.cast(x, y, rays)
            before = way < distance
            distance = np.where(before, way, distance)
            cosine = cosine if cosine is None else np.where(before, normal, cosine)
        if cosine is not None:
            distance = distance[cosine >= self._cosine]
        nearest = float(distance.min()) if distance.size else math.inf
        if not nearest < self._model.far:
            return NO_ECHO
        inches = max(nearest * noise, 0.0) / self._model.unit
        return min(round(2.0 * inches if inches < BLIND else inches), NO_ECHO)
