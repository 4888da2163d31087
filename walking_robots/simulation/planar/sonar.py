"""The ring of sonars of a simulated robot."""

import math
from random import Random
from typing import NamedTuple

from walking_robots.geometry.se2 import Pose2
from walking_robots.robots.wheeled import SonarModel
from walking_robots.simulation.scout.settings import EmulatorSettings
from walking_robots.simulation.scout.sonar_ring import RATE_UNIT, SonarRing
from walking_robots.worlds.moving_disc import Disc
from walking_robots.worlds.rays import RayCaster
from walking_robots.worlds.world import World

MICROSECOND = 1000
"""In ns."""


class EchoModel(NamedTuple):
    """Which surfaces answer.

    angle: from a ray to the normal of a face, rad, up to which an echo comes back; rough: share of
    firings that get theirs whatever the angle.
    """

    angle: float
    rough: float


ALWAYS = EchoModel(0.5 * math.pi, 0.1)
"""Every surface answers."""


class Sonar:
    """Fires its sensors in turn; ``fired`` are those since the reading began."""

    def __init__(
        self,
        world: World,
        model: SonarModel,
        beam_rays: int,
        noise: float,
        rng: Random,
        echo: EchoModel = ALWAYS,
    ) -> None:
        """Switch it on at time 0; noise: sigma as a share of the distance."""
        settings = EmulatorSettings(
            sonar_noise=noise,
            beam_rays=beam_rays,
            specular_angle=echo.angle,
            rough_probability=echo.rough,
        )
        self._ring = SonarRing(RayCaster(world), model, settings, rng)
        self._model = model
        self._rate = round(model.period * 1e6 / RATE_UNIT)
        self._ring.configure(self._rate, model.order, 0)
        self._before = 0

    @property
    def fired(self) -> tuple[int, ...]:
        """Return the sensors fired since the reading began."""
        order = self._model.order
        return tuple(order[k % len(order)] for k in range(self._before, self._ring.firings))

    @property
    def ranges(self) -> tuple[float, ...]:
        """Return the last range of each sensor, m; the farthest range where no echo came."""
        near, far, unit = self._model.near, self._model.far, self._model.unit
        return tuple(min(max(inches * unit, near), far) for inches in self._ring.readings)

    @property
    def stamp(self) -> int:
        """Return the time of the last firing, ns since it was switched on."""
        return self._ring.firings * self._rate * RATE_UNIT * MICROSECOND

    def begin(self, pose: Pose2) -> None:
        """Have heard a whole round at a true pose, as a ring that was on before time 0."""
        order = self._model.order
        self._ring.step(len(order) * self._rate * RATE_UNIT, pose)
        self._ring.configure(self._rate, order, 0)

    def meet(self, disc: Disc) -> None:
        """Place the object there."""
        self._ring.disc = disc

    def rebuild(self, world: World) -> None:
        """Hear walls elsewhere from now on."""
        self._ring.rebuild(world)

    def begin_reading(self) -> None:
        """Begin anew to count what is fired."""
        self._before = self._ring.firings

    def step(self, now: int, pose: Pose2) -> None:
        """Fire what is due by a time, ns since it was switched on, from a true pose."""
        self._ring.step(now // MICROSECOND, pose)
