"""Describe what a file of a hexapod may say, with units, ranges and a remedy for each field."""

import math
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from walking_robots.documents.fields import DocumentPart, within
from walking_robots.geometry.polygon import convex_hull
from walking_robots.geometry.units import (
    parse_angle,
    parse_angular_speed,
    parse_charge,
    parse_length,
    parse_time,
)
from walking_robots.robots.articulated import (
    JOINTS,
    ArticulatedHexapod,
    ArticulatedLeg,
    Battery,
    JointRange,
    Masses,
    Servo,
    ServoWiring,
    Stance,
)
from walking_robots.robots.hexapod_mounts import LARGEST, Angle, Length, MountsPart, Six, Size

_LINK = 'write a length such as 66mm or 0.5m'
_JOINT = 'write {range: [-60deg, 60deg], home: 0deg}'

REMEDIES = {
    'hexapod_schema': "begin the file with 'hexapod_schema: 1'",
    'name': 'write a name of small letters, digits and _, such as insect18',
    'mounts': 'write ring: {radius: 10cm}, pairs: of three legs, or list: of six',
    'ring': 'write {radius: 10cm, first: 0deg, order: clockwise}',
    'order': 'write clockwise or counter-clockwise',
    'pairs': 'write the left front, middle and rear leg: {at: [12cm, 6cm], heading: 45deg}',
    'list': 'write legs 1 to 6, each as {at: [12cm, 6cm], heading: 45deg}',
    'at': 'write [x, y] or [x, y, z], lengths forward, to the left and up',
    'heading': 'write an angle such as 45deg, counter-clockwise from ahead',
    'first': 'write an angle such as 30deg, counter-clockwise from ahead',
    'radius': _LINK,
    'coxa': _LINK,
    'femur': _LINK,
    'tibia': _LINK,
    'yaw': _JOINT,
    'lift': _JOINT,
    'knee': _JOINT,
    'range': 'write the lower and the upper end, such as [-60deg, 60deg]',
    'home': 'write an angle within the range, such as 0deg',
    'direction': 'write 1 or -1, or six of them, one a leg',
    'offset': 'write an angle such as 0deg, or six of them, one a leg',
    'outline': 'write at least three corners, such as [[10cm, 5cm], [-10cm, 5cm], [0cm, -5cm]]',
    'masses': 'write {body: 1.2, coxa: 0.06, femur: 0.07, tibia: 0.1, guessed: true}, in kg',
    'body': 'write kg such as 1.2',
    'guessed': 'write false once all parts were weighed, and true before',
    'foot_radius': _LINK,
    'stance': 'write {height: 8cm, reach: 12cm}, or height and six feet [x, y]',
    'height': 'write a length such as 8cm, from the ground to the plane of z = 0',
    'reach': 'write a length such as 12cm, from the axis of the hip to the foot',
    'feet': 'write six places [x, y] of the feet seen from the middle of the body',
    'joint_speed': 'write an angular speed such as 300deg/s',
    'cell': 'write a length such as 5cm',
    'servo': 'write {torque: 1.5, no_load_speed: 400deg/s}, or leave it out',
    'torque': 'write N m such as 1.5',
    'no_load_speed': 'write an angular speed above joint_speed, such as 400deg/s',
    'delay': 'write a time such as 20ms',
    'backlash': 'write an angle such as 0.5deg',
    'battery': 'write {voltage: 7.4, capacity: 5000mAh, idle_power: 5}, or leave it out',
    'voltage': 'write V such as 7.4, as on its label',
    'capacity': 'write a charge such as 5000mAh or 5Ah, as on its label',
    'idle_power': 'write W such as 5, for computer, sensors and servos at rest',
    'servo_bus': 'write {model: XL430-W250, ids: [[1, 2, 3], ...]}, or leave it out',
    'ids': 'write yaw, lift and knee of legs 1 to 6, each id once: [[1, 2, 3], [4, 5, 6], ...]',
    'baud': 'write the speed of the bus in bit/s, such as 1000000',
    'description': 'write the path of a URDF as robot import --urdf writes it, or leave it out',
    'inertia': 'write kg m^2 such as 0.005, of the rotor times the square of the gear ratio',
    'compliance': 'write the angle by which a joint gives way at its greatest torque, as 4deg',
}

Coxa = Annotated[float, BeforeValidator(parse_length), within(0.0, LARGEST, 'from 0 to 10 m')]
JointAngle = Annotated[
    float, BeforeValidator(parse_angle), within(-math.pi, math.pi, 'from -180 to 180 degrees')
]
Speed = Annotated[
    float, BeforeValidator(parse_angular_speed), within(1e-4, 1e3, 'positive, up to 1000 rad/s')
]
Play = Annotated[
    float, BeforeValidator(parse_angle), within(0.0, 0.1, 'from 0 to 0.1 rad, 5.7 degrees')
]
Give = Annotated[
    float,
    BeforeValidator(parse_angle),
    within(0.02, 0.3, 'from 0.02 to 0.3 rad, 1.2 to 17 degrees'),
]
Charge = Annotated[
    float, BeforeValidator(parse_charge), within(1e-3, 1e3, 'from 1 mAh to 1000 Ah')
]
Kilograms = Annotated[float, Field(strict=True, ge=0.0, le=1e5)]
Direction = Literal[1, -1]
Place = tuple[Length, Length]


class JointPart(DocumentPart):
    """Say how far a joint turns, where it rests, and how its own value counts."""

    range: tuple[JointAngle, JointAngle]
    home: JointAngle = 0.0
    direction: Direction | Annotated[list[Direction], Six] = 1
    offset: Angle | Annotated[list[Angle], Six] = 0.0

    def limits(self, side: int) -> JointRange:
        """Return the range; side -1 mirrors it."""
        low, high = sorted(side * end for end in self.range)
        return JointRange(low, high)


class LegsPart(DocumentPart):
    """Say what six equal legs are like."""

    mounts: MountsPart
    coxa: Coxa
    femur: Size
    tibia: Size
    yaw: JointPart
    lift: JointPart
    knee: JointPart

    def legs(self) -> tuple[ArticulatedLeg, ...]:
        """Build the legs; a mirrored leg turns its hip the other way."""
        return tuple(
            self._leg(number, side, *mounted)
            for number, (side, mounted) in enumerate(
                zip(self.mounts.sides(), self.mounts.mounts(), strict=True), 1
            )
        )

    def _leg(
        self, number: int, side: int, mount: tuple[float, float, float], heading: float
    ) -> ArticulatedLeg:
        yaw, lift, knee = self.yaw, self.lift, self.knee
        directions, offsets = (
            [_of(getattr(joint, what), number) for joint in (yaw, lift, knee)]
            for what in ('direction', 'offset')
        )
        return ArticulatedLeg(
            number=number,
            mount=mount,
            heading=heading,
            coxa=self.coxa,
            femur=self.femur,
            tibia=self.tibia,
            ranges=(yaw.limits(side), lift.limits(1), knee.limits(1)),
            home=(side * yaw.home + 0.0, lift.home, knee.home),
            directions=(directions[0], directions[1], directions[2]),
            offsets=(offsets[0], offsets[1], offsets[2]),
        )


class MassesPart(DocumentPart):
    """Say what the parts weigh, kg, and whether somebody weighed them."""

    body: Annotated[float, Field(strict=True, gt=0.0, le=1e5)]
    coxa: Kilograms
    femur: Kilograms
    tibia: Kilograms
    guessed: bool


class StancePart(DocumentPart):
    """Say how high the body stands, and where its feet do."""

    height: Size
    reach: Length | None = None
    feet: Annotated[list[Place], Six] | None = None

    def stance(self) -> Stance | tuple[tuple[float, float, float], ...]:
        """Return the stance as a robot takes it."""
        if self.feet is None:
            return Stance(self.height, self.reach or 0.0)
        return tuple((x, y, -self.height) for x, y in self.feet)


class ServoPart(DocumentPart):
    """Say what drives the joints; what is left out is ideal, and the rest guessed."""

    torque: Annotated[float, Field(strict=True, gt=0.0, le=1e7)] | None = None
    no_load_speed: Speed | None = None
    delay: Annotated[float, BeforeValidator(parse_time), within(0.0, 0.2, 'from 0 to 0.2 s')] = 0.0
    backlash: Play = 0.0
    compliance: Give = Servo.compliance
    inertia: Annotated[float, Field(strict=True, ge=0.0, le=1e5)] | None = None

    def servo(self) -> Servo:
        """Return the servo."""
        fastest = math.inf if self.no_load_speed is None else self.no_load_speed
        return Servo(
            self.torque, fastest, self.delay, self.backlash, self.compliance, self.inertia
        )


class BatteryPart(DocumentPart):
    """Say what drives the servos: the label of the battery, and what else it feeds, W."""

    voltage: Annotated[float, Field(strict=True, gt=0.0, le=1e4)]
    capacity: Charge
    idle_power: Annotated[float, Field(strict=True, ge=0.0, le=1e6)] = 0.0

    def battery(self) -> Battery:
        """Return the battery."""
        return Battery(self.voltage, self.capacity, self.idle_power)


Id = Annotated[int, Field(strict=True, ge=0, le=252)]


class ServoBusPart(DocumentPart):
    """Say which servos of a bus drive the joints."""

    model: Annotated[str, Field(min_length=1, max_length=200)]
    ids: Annotated[list[tuple[Id, Id, Id]], Six] | None = None
    baud: Annotated[int, Field(strict=True, ge=9600, le=4_500_000)] = ServoWiring.baud

    def wiring(self) -> ServoWiring:
        """Return the wiring."""
        ids = ServoWiring.ids if self.ids is None else tuple(n for leg in self.ids for n in leg)
        return ServoWiring(self.model, ids, self.baud)


class HexapodDocument(DocumentPart):
    """Hold the file of a robot; lengths in m, angles in rad once read."""

    hexapod_schema: Literal[1]
    name: Annotated[str, Field(pattern=r'^[a-z][a-z0-9_]{0,39}$')]
    legs: LegsPart
    outline: Annotated[list[Place], Field(min_length=3, max_length=100)] | None = None
    masses: MassesPart
    foot_radius: Size
    stance: StancePart
    joint_speed: Speed
    cell: Size
    servo: ServoPart = ServoPart()
    battery: BatteryPart | None = None
    servo_bus: ServoBusPart | None = None
    description: Annotated[str, Field(min_length=1, max_length=1000)] | None = None

    @model_validator(mode='after')
    def _agree(self) -> Self:
        """Refuse fields that contradict each other."""
        mounts = self.legs.mounts
        if sum(way is not None for way in (mounts.ring, mounts.pairs, mounts.legs)) != 1:
            raise ValueError('legs.mounts: must hold one of ring, pairs and list')
        if (self.stance.reach is None) == (self.stance.feet is None):
            raise ValueError('stance: must hold either reach or feet beside height')
        for name in JOINTS:
            joint: JointPart = getattr(self.legs, name)
            low, high = joint.range
            if not low < high:
                raise ValueError(f'legs.{name}.range: must begin with the lower end')
            if not low <= joint.home <= high:
                raise ValueError(f'legs.{name}.home: must lie within the range of the joint')
        idle = self.servo.no_load_speed
        if idle is not None and not idle > self.joint_speed:
            raise ValueError('servo.no_load_speed: must be above joint_speed')
        ids = self.servo_bus.wiring().ids if self.servo_bus else ()
        if len(set(ids)) != len(ids):
            raise ValueError('servo_bus.ids: must be different')
        if self.outline is None and len(_hull(self.legs.mounts)) < 3:
            raise ValueError('legs.mounts: must not lie in one line where there is no outline')
        return self

    def robot(self) -> ArticulatedHexapod:
        """Build the robot; without an outline its body is the hull of its mounts."""
        masses = self.masses
        return ArticulatedHexapod(
            name=self.name,
            legs=self.legs.legs(),
            outline=tuple(self.outline or _hull(self.legs.mounts)),
            masses=Masses(masses.body, masses.coxa, masses.femur, masses.tibia, masses.guessed),
            foot_radius=self.foot_radius,
            stance=self.stance.stance(),
            joint_speed=self.joint_speed,
            cell=self.cell,
            servo=self.servo.servo(),
            battery=self.battery.battery() if self.battery else None,
            servo_bus=self.servo_bus.wiring() if self.servo_bus else None,
            description=Path(self.description) if self.description else None,
        )


def _of(value: float | list[float] | list[Direction], number: int) -> float:
    """Return what a field says for a leg, be it one for all or one each."""
    return float(value[number - 1] if isinstance(value, list) else value)


def _hull(mounts: MountsPart) -> list[tuple[float, float]]:
    """Return the corners of the hull of the mounts, m."""
    return convex_hull(mount[:2] for mount, _ in mounts.mounts())
