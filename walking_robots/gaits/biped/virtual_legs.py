"""Virtual legs: the line from hip to foot, by length and absolute angle (biped.md §6)."""

import math
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from walking_robots.robots.kwalk import Kwalk


class LegRates(NamedTuple):
    """A virtual leg with its rates: m, rad, m/s, rad/s."""

    length: float
    angle: float
    length_rate: float
    angle_rate: float


class VirtualLeg(Protocol):
    """Maps between the joints of a leg and its virtual leg.

    Angles turn about +y from straight down: a foot ahead has a negative angle.
    """

    def forward(self, thigh: float, knee: float, thigh_rate: float, knee_rate: float) -> LegRates:
        """Return the virtual leg of a thigh at an absolute angle, rad, and a knee, rad or m."""

    def inverse(self, length: float, angle: float) -> tuple[float, float]:
        """Return thigh angle, rad, and knee for a length, m, as near as it gets, and an angle."""

    def knee_effort(self, force: float, length: float) -> float:
        """Return the effort of the knee that pushes hip and foot apart by a force, N."""


@dataclass(frozen=True)
class PrismaticLeg:
    """A leg whose knee shortens it; full: its length fully extended, m (§5)."""

    full: float

    def forward(self, thigh: float, knee: float, thigh_rate: float, knee_rate: float) -> LegRates:
        """Return the virtual leg."""
        return LegRates(self.full - knee, thigh, -knee_rate, thigh_rate)

    def inverse(self, length: float, angle: float) -> tuple[float, float]:
        """Return thigh angle and retraction of the knee."""
        return angle, self.full - length

    def knee_effort(self, force: float, length: float) -> float:
        """Return the force of the knee: it counts retraction."""
        return -force


@dataclass(frozen=True)
class RevoluteLeg:
    """A leg of two equal links, m each; direction: -1 for a knee that bends forward (§6.1)."""

    link: float
    direction: int

    def forward(self, thigh: float, knee: float, thigh_rate: float, knee_rate: float) -> LegRates:
        """Return the virtual leg: a knee turns it by half its own angle."""
        half, double = 0.5 * knee, 2.0 * self.link
        return LegRates(
            double * math.cos(half),
            thigh + half,
            -self.link * math.sin(half) * knee_rate,
            thigh_rate + 0.5 * knee_rate,
        )

    def inverse(self, length: float, angle: float) -> tuple[float, float]:
        """Return thigh angle and knee; a length out of reach gives the straight leg (§6.2)."""
        knee = -2.0 * self.direction * math.acos(max(-1.0, min(1.0, 0.5 * length / self.link)))
        return angle - 0.5 * knee, knee

    def knee_effort(self, force: float, length: float) -> float:
        """Return the torque of the knee; with a limp hip the foot pushes along the leg (§6.3)."""
        cosine = 0.5 * length / self.link
        return self.direction * force * self.link * math.sqrt(max(0.0, 1.0 - cosine * cosine))


def virtual_leg(robot: Kwalk) -> VirtualLeg:
    """Return the maps of a robot's legs; raise ValueError for a revolute knee of unequal links."""
    if robot.knee == 'prismatic':
        return PrismaticLeg(robot.leg_length)
    if robot.thigh.z != robot.shank.z:
        raise ValueError(
            f'{robot.name}: thigh and shank of a revolute knee must have one length, '
            f'found {robot.thigh.z:g} m and {robot.shank.z:g} m'
        )
    return RevoluteLeg(robot.thigh.z, robot.knee_direction)
