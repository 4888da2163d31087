"""KWALKA and KWALKB, planar bipeds with point feet: prismatic knees and revolute knees.

Source of every number: ``biped.md`` §2. Bodies are solid boxes whose masses follow from their
size; the divisors of the density make them weigh what the real parts weigh.
"""

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

GRAVITY = 9.81
"""m/s² (§2.1)."""

ALUMINIUM = 2700.0
"""Density of aluminium, kg/m³; the thesis gives none (§12.1)."""

RIGHT, LEFT = 0, 1
"""Places of the legs in every pair."""

JOINTS = ('rhip', 'rknee', 'lhip', 'lknee')
"""The joints in the order of all orders and readings (§13)."""

FALL_HEIGHT, FALL_PITCH = 0.2, 1.0
"""Hips this near to the ground, m, or pitch this large, rad: the robot lies (§15.1)."""

Knee = Literal['prismatic', 'revolute']


class BodyBox(NamedTuple):
    """A solid box: sides along x, y and z, m, and its density, kg/m³."""

    x: float
    y: float
    z: float
    density: float

    @property
    def mass(self) -> float:
        """Return the mass, kg."""
        return self.density * self.x * self.y * self.z

    @property
    def inertia(self) -> tuple[float, float, float]:
        """Return the moments of inertia about its own centre, kg m²."""
        xx, yy, zz = self.x**2, self.y**2, self.z**2
        twelfth = self.mass / 12.0
        return (twelfth * (yy + zz), twelfth * (xx + zz), twelfth * (xx + yy))


BODY = BodyBox(0.30, 0.30, 0.20, ALUMINIUM / 7.48)
THIGH = BodyBox(0.025, 0.035, 0.32, ALUMINIUM / 0.65)
SHANK = BodyBox(0.025, 0.035, 0.32, ALUMINIUM / 1.70)
"""Sides and densities of the parts (§2.1)."""


@dataclass(frozen=True)
class Kwalk:
    """A planar biped; lengths m, efforts N m, or N for a prismatic knee.

    The box of the body is centred on the axis of the hips, as its mass is (§2.1). A hip turns
    about +y, positive to the rear. A prismatic knee is retracted by its value; a revolute one
    turns about +y and is straight at zero. ``knee_direction`` is the INVERT of the thesis: -1
    bends a revolute knee forward, +1 backward (§2.3, §12.2).
    """

    name: str
    letter: str
    knee: Knee
    knee_effort: float
    knee_direction: int = -1
    body: BodyBox = BODY
    thigh: BodyBox = THIGH
    shank: BodyBox = SHANK
    hip_effort: float = 15.0

    def __post_init__(self) -> None:
        """Refuse what the maps of virtual legs do not know."""
        if self.knee not in ('prismatic', 'revolute') or self.knee_direction not in (-1, 1):
            raise ValueError(
                f'{self.name}: a knee is prismatic or revolute and bends to -1 or 1, '
                f'found {self.knee} and {self.knee_direction}'
            )

    @property
    def leg_length(self) -> float:
        """Return the length of a leg that is fully extended, m."""
        return self.thigh.z + self.shank.z

    @property
    def mass(self) -> float:
        """Return the mass of the robot, kg."""
        return self.body.mass + 2.0 * (self.thigh.mass + self.shank.mass)

    @property
    def hip_range(self) -> tuple[float, float]:
        """Return the limits of a hip, rad."""
        return (-math.pi / 2.0, math.pi / 2.0)

    @property
    def knee_range(self) -> tuple[float, float]:
        """Return the limits of a knee, m or rad (§2.2, §2.3)."""
        if self.knee == 'prismatic':
            return (0.0, self.shank.z)
        middle = -self.knee_direction * math.pi / 2.0
        return (middle - math.pi / 2.0, middle + math.pi / 2.0)

    @property
    def efforts(self) -> tuple[float, float, float, float]:
        """Return the greatest efforts of the joints in their order (§2.4)."""
        return (self.hip_effort, self.knee_effort, self.hip_effort, self.knee_effort)


KWALKA = Kwalk('kwalka', 'a', 'prismatic', knee_effort=100.0)
KWALKB = Kwalk('kwalkb', 'b', 'revolute', knee_effort=20.0)
KWALKS = {robot.letter: robot for robot in (KWALKA, KWALKB)}
"""Both robots by the letter of the command line."""


def has_fallen(height: float, pitch: float) -> bool:
    """Return whether a robot lies whose hips are so high over the ground, m, with a pitch, rad."""
    return height < FALL_HEIGHT or abs(pitch) > FALL_PITCH
