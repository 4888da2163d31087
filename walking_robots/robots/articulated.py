"""The data that describe a hexapod whose legs turn in three joints each; all SI.

House frame: x forward, y left, z up. Canonical joints of a leg, rad: q1 yaw of the hip about the
body's z axis, q2 lift of the femur, positive upwards, q3 knee, negative where the shank folds
down. With the leg's heading H, its foot stands in the body frame at

    mount + Rz(H) (r cos q1, r sin q1, h),
    r = coxa + femur cos q2 + tibia cos(q2 + q3),  h = femur sin q2 + tibia sin(q2 + q3)

(aquarobot.md §3.4, with z up). What travels on topics is a robot's own joint value,
``direction * q + offset``.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from walking_robots.geometry.pose import Vector

JOINTS = ('yaw', 'lift', 'knee')
"""The joints of a leg from the body outwards."""

LEGS = 6

RAISED = 0.2
"""How far below their upper ends the joints of a leg are that is held out of the way, in their
ranges."""

Triple = tuple[float, float, float]


@dataclass(frozen=True)
class JointRange:
    """The canonical angles that a joint takes, rad, both ends included."""

    low: float
    high: float

    def __post_init__(self) -> None:
        """Refuse a range that is empty or leaves -180 to 180 degrees."""
        if not -math.pi - 1e-12 <= self.low < self.high <= math.pi + 1e-12:
            raise ValueError(
                f'a joint range of {math.degrees(self.low):g} to {math.degrees(self.high):g} '
                'degrees is none; give the lower end first, both within -180 to 180 degrees'
            )

    def holds(self, angle: float) -> bool:
        """Return whether an angle lies in the range, its ends included."""
        return self.low <= angle <= self.high


@dataclass(frozen=True)
class ArticulatedLeg:
    """One leg: where it hangs (m, body frame), how it is turned (rad, ccw from x), its links (m).

    ``ranges`` and ``home`` are canonical and in the order of `JOINTS`, as are ``directions``
    (1 or -1) and ``offsets`` (rad), which lead to the robot's own joint values.
    """

    number: int
    mount: Vector
    heading: float
    coxa: float
    femur: float
    tibia: float
    ranges: tuple[JointRange, JointRange, JointRange]
    home: Triple
    directions: Triple = (1.0, 1.0, 1.0)
    offsets: Triple = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        """Refuse what is no leg."""
        who = f'leg {self.number}'
        _finite(f'mount, heading and offsets of {who}', (*self.mount, self.heading, *self.offsets))
        for name in ('femur', 'tibia'):
            _positive(f'{name} of {who}', getattr(self, name), 'm')
        if not 0.0 <= self.coxa < math.inf:
            raise ValueError(f'coxa of {who} is {self.coxa:g} m; give a length of 0 or more')
        for joint, limits, angle in zip(JOINTS, self.ranges, self.home, strict=True):
            if not limits.holds(angle):
                raise ValueError(
                    f'home of the {joint} joint of {who} is {math.degrees(angle):g} degrees; '
                    f'keep it within its range of {math.degrees(limits.low):g} to '
                    f'{math.degrees(limits.high):g} degrees'
                )
        if any(abs(direction) != 1.0 for direction in self.directions):
            raise ValueError(f'a joint direction of {who} is not 1 or -1; give one of the two')

    def forward(self, joints: Iterable[float]) -> Vector:
        """Return the foot of canonical joints, m, body frame."""
        q1, q2, q3 = joints
        r = self.coxa + self.femur * math.cos(q2) + self.tibia * math.cos(q2 + q3)
        h = self.femur * math.sin(q2) + self.tibia * math.sin(q2 + q3)
        return self.out(r, h, q1)

    def out(self, reach: float, height: float, yaw: float = 0.0) -> Vector:
        """Return the point at a reach from the hip axis and a height over the hip, m, body frame.

        yaw: the canonical angle of the hip at which the point lies ahead of the leg, rad.
        """
        x, y, z = self.mount
        angle = self.heading + yaw
        return (x + reach * math.cos(angle), y + reach * math.sin(angle), z + height)

    @property
    def raised_foot(self) -> Vector:
        """Return the foot of the leg as it is held out of the way, m, body frame."""
        lift, knee = (
            limits.high - RAISED * (limits.high - limits.low) for limits in self.ranges[1:]
        )
        return self.forward((0.0, lift, knee))

    def joint_names(self) -> Iterable[str]:
        """Name the joints of the leg in the order of `JOINTS`."""
        return (f'leg{self.number}_{joint}' for joint in JOINTS)


@dataclass(frozen=True)
class Stance:
    """How a robot stands: body origin above the ground, and feet out from their hip axes, m."""

    height: float
    reach: float

    def __post_init__(self) -> None:
        """Refuse a body that lies on the ground or under it."""
        _positive('stance height', self.height, 'm')
        _finite('stance reach', (self.reach,))

    def foot(self, leg: ArticulatedLeg) -> Vector:
        """Return the foot of a leg that stands straight ahead of its hip, m, body frame."""
        x, y, _ = leg.out(self.reach, 0.0)
        return (x, y, -self.height)


@dataclass(frozen=True)
class Masses:
    """Masses of the body and of the links of one leg, kg; ``guessed`` where nobody weighed."""

    body: float
    coxa: float
    femur: float
    tibia: float
    guessed: bool = True

    def __post_init__(self) -> None:
        """Refuse a body without mass, or links of less than none."""
        _positive('mass of the body', self.body, 'kg')
        if not all(0.0 <= mass < math.inf for mass in (self.coxa, self.femur, self.tibia)):
            raise ValueError('the mass of a link is negative or not finite; give kg, 0 or more')

    @property
    def total(self) -> float:
        """Return the mass of the whole robot, kg."""
        return self.body + LEGS * (self.coxa + self.femur + self.tibia)


@dataclass(frozen=True)
class Servo:
    """What drives a joint; simulations with forces need it.

    ``torque`` is the greatest, at rest, N m, None where nobody knows it. It falls in proportion
    to the speed, to zero at ``no_load_speed``, rad/s. ``delay``: from a command to its effect, s;
    ``backlash``: play of the gears from end to end, rad; ``compliance``: how far the joint misses
    its set point at the greatest torque, rad, a guess where it is not given; ``inertia``: of the
    rotor, times the square of the gear ratio, kg m^2, None where nobody knows it.
    """

    torque: float | None = None
    no_load_speed: float = math.inf
    delay: float = 0.0
    backlash: float = 0.0
    compliance: float = 0.08
    inertia: float | None = None


@dataclass(frozen=True)
class Battery:
    """What its label says, V and Ah, and what the robot draws beside its servos, W."""

    voltage: float
    capacity: float
    idle_power: float = 0.0

    @property
    def energy(self) -> float:
        """Return the energy of a full one, J."""
        return 3600.0 * self.voltage * self.capacity


@dataclass(frozen=True)
class ServoWiring:
    """Which servos of a bus drive the joints.

    model: its name, or the file of one; ids: of yaw, lift and knee, leg by leg; baud: bit/s.
    """

    model: str
    ids: tuple[int, ...] = tuple(range(1, 3 * LEGS + 1))
    baud: int = 1_000_000


@dataclass(frozen=True)
class ArticulatedHexapod:
    """A six-legged robot with three rotary joints a leg.

    ``outline`` lists the corners (x, y) of the body, m; ``stance`` is a `Stance`, or the six
    neutral feet (m, body frame) themselves; ``joint_speed`` bounds every joint, rad/s; ``cell``
    is the side of the terrain cells that suit its feet, m; ``servo`` is any of the 18; ``battery``
    and ``servo_bus`` are None where nobody knows them; ``description`` is the URDF by which it
    is shown, None for one that is made of the rest.
    """

    name: str
    legs: tuple[ArticulatedLeg, ...]
    outline: tuple[tuple[float, float], ...]
    masses: Masses
    foot_radius: float
    stance: Stance | tuple[Vector, ...]
    joint_speed: float
    cell: float
    servo: Servo = Servo()
    battery: Battery | None = None
    servo_bus: ServoWiring | None = None
    description: Path | None = None
    neutral_feet: tuple[Vector, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Refuse what is no hexapod, and work out where its feet stand."""
        if [leg.number for leg in self.legs] != list(range(1, LEGS + 1)):
            raise ValueError(f'{self.name} must have legs 1 to {LEGS} in order; give all six')
        if len(self.outline) < 3:
            raise ValueError(f'the outline of {self.name} has fewer than 3 corners; give more')
        _finite(f'outline of {self.name}', (part for corner in self.outline for part in corner))
        _positive(f'foot radius of {self.name}', self.foot_radius, 'm')
        _positive(f'joint speed of {self.name}', self.joint_speed, 'rad/s')
        _positive(f'cell of {self.name}', self.cell, 'm')
        stance = self.stance
        feet = tuple(map(stance.foot, self.legs)) if isinstance(stance, Stance) else stance
        if len(feet) != LEGS:
            raise ValueError(f'{self.name} has {len(feet)} neutral feet; give {LEGS}')
        _finite(f'neutral feet of {self.name}', (part for foot in feet for part in foot))
        if any(foot[2] >= 0.0 for foot in feet):
            raise ValueError(f'a neutral foot of {self.name} is not below its body; give z < 0')
        object.__setattr__(self, 'neutral_feet', feet)

    @property
    def height(self) -> float:
        """Return the height of the body's origin over its neutral feet, m: the mean of the six."""
        return -sum(foot[2] for foot in self.neutral_feet) / LEGS

    def joint_names(self) -> tuple[str, ...]:
        """Name the 18 joints leg by leg: yaw, lift and knee."""
        return tuple(name for leg in self.legs for name in leg.joint_names())

    def passive_joint_names(self) -> tuple[str, ...]:
        """Name the joints that follow from others: none."""
        return ()


def _positive(what: str, value: float, unit: str) -> None:
    """Raise ValueError unless a value is positive and finite."""
    if not 0.0 < value < math.inf:
        raise ValueError(f'{what} is {value:g} {unit}; give a positive value')


def _finite(what: str, values: Iterable[float]) -> None:
    """Raise ValueError unless all values are finite."""
    if not all(map(math.isfinite, values)):
        raise ValueError(f'{what} hold a value that is not finite; give plain numbers')
