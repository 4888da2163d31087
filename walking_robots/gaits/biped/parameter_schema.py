"""Describe what a file of biped parameters may say, with units, ranges and remedies."""

import math
from dataclasses import replace
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from walking_robots.documents.fields import DocumentPart, within
from walking_robots.gaits.biped.parameters import LISTED_WAYS, WalkParameters
from walking_robots.gaits.biped.spatial.parameters import SpatialParameters
from walking_robots.geometry.units import parse_angle, parse_length, parse_speed, parse_time

Ground = Literal['level', 'rough', 'very_rough', 'up', 'down', 'slippery']

Robot = Literal['a', 'b', 'b3d']

REMEDIES = {
    'biped_sets': 'write 1',
    'robot': 'write a, b or b3d',
    'like': 'write the name of a set further up',
    'height': 'write a length such as 0.55m',
    'start_length': 'write a length such as 0.58m, or a height in its place',
    'reach': 'write an angle ahead such as -0.1 or -6deg',
    'lead': 'write an angle such as -0.15 or -9deg',
    'choices': 'write a set for each robot and ground',
    'ways': 'write what differs from the listing, such as {lowering: hold}',
}

Length = Annotated[float, BeforeValidator(parse_length), within(0.0, 1.0, 'from 0 to 1 m')]
Offset = Annotated[float, BeforeValidator(parse_length), within(-1.0, 1.0, 'from -1 to 1 m')]
Angle = Annotated[float, BeforeValidator(parse_angle), within(-1.0, 1.0, 'from -1 to 1 rad')]
Speed = Annotated[float, BeforeValidator(parse_speed), within(0.01, 2.0, 'from 0.01 to 2 m/s')]
Time = Annotated[float, BeforeValidator(parse_time), within(0.0, 10.0, 'from 0 to 10 s')]
Positive = Annotated[float, Field(gt=0.0, le=1e6)]
NotNegative = Annotated[float, Field(ge=0.0, le=1e6)]


class WaysPart(DocumentPart):
    """What a set does otherwise than the listing of its robot."""

    carried: Literal['thighs', 'body'] | None = None
    balance_at_start: bool | None = None
    start_effort: bool | None = None
    clip_pitch_servo: bool | None = None
    swing_hip_in_lift: bool | None = None
    carry_shank: bool | None = None
    clear_ahead: bool | None = None
    less_pitch: bool | None = None
    lowering: Literal['frozen', 'damped', 'hold'] | None = None
    raise_by_joint: bool | None = None
    stumble_to: Literal['double', 'lift'] | None = None
    fresh_angle: bool | None = None
    mirrored: bool | None = None
    step_back: bool | None = None


class SpatialPart(DocumentPart):
    """What only a set for a robot in space has."""

    beside: Length | None = None
    ahead: Time | None = None
    after: Time | None = None
    share: Positive | None = None
    narrow: Length | None = None
    gate: Length | None = None
    hurry: Length | None = None
    roll_stiffness: NotNegative | None = None
    roll_damping: NotNegative | None = None
    rear_damping: NotNegative | None = None
    load_share: NotNegative | None = None
    start_beside: Length | None = None
    swing_stiffness: Positive | None = None
    swing_damping: NotNegative | None = None
    yaw_stiffness: Positive | None = None
    yaw_damping: NotNegative | None = None
    yaw_lead: Annotated[float, Field(ge=-10.0, le=10.0)] | None = None
    march_time: Time | None = None
    march_share: NotNegative | None = None
    march_ahead: Offset | None = None
    march_hold: NotNegative | None = None
    march_lead: NotNegative | None = None
    march_below: NotNegative | None = None
    sway_smoothing: Time | None = None


SPATIAL_NUMBERS = tuple(SpatialPart.model_fields)


class SetPart(SpatialPart):
    """A set of parameters, whole or what differs from another one."""

    robot: Robot | None = None
    like: str | None = None
    height: Length | None = None
    start_length: Length | None = None
    start_angle: Angle | None = None
    reach: Angle | None = None
    lead: Angle | None = None
    lift: Length | None = None
    shorter: Length | None = None
    clearance: Length | None = None
    forward_limit: NotNegative | None = None
    lowering_force: NotNegative | None = None
    lowering_damping: NotNegative | None = None
    start_knee_stiffness: Positive | None = None
    knee_stiffness: Positive | None = None
    hip_stiffness: Positive | None = None
    height_stiffness: Positive | None = None
    speed_gain: NotNegative | None = None
    hip_damping_ratio: NotNegative | None = None
    knee_damping_ratio: NotNegative | None = None
    speed: Speed | None = None
    least_speed: Speed | None = None
    least_push: NotNegative | None = None
    standing_stiffness: NotNegative | None = None
    strike_lift: Length | None = None
    brake: NotNegative | None = None
    most_acceleration: NotNegative | None = None
    most_forward: NotNegative | None = None
    settled: Time | None = None
    balanced: Time | None = None
    smoothing: Time | None = None
    ways: WaysPart | None = None


class BipedDocument(DocumentPart):
    """Hold a whole file of parameters."""

    biped_sets: Literal[1]
    sets: dict[str, SetPart]
    choices: dict[str, dict[Robot, dict[Ground, str]]] = Field(default_factory=dict)

    @model_validator(mode='after')
    def _agree(self) -> Self:
        """Refuse sets that are not whole, and names that nothing bears."""
        known: set[str] = set()
        for name, part in self.sets.items():
            if part.like is not None and part.like not in known:
                raise ValueError(
                    f"sets.{name}.like: must name a set further up, found '{part.like}'"
                )
            known.add(name)
            self._check(name)
        for kind, robots in self.choices.items():
            for robot, grounds in robots.items():
                for ground, name in grounds.items():
                    place = f'choices.{kind}.{robot}.{ground}'
                    if name not in known:
                        raise ValueError(f"{place}: must name a set, found '{name}'")
                    if self.robot_of(name) != robot:
                        raise ValueError(f'{place}: must name a set of robot {robot}')
        return self

    def _check(self, name: str) -> None:
        """Refuse a set that lacks a parameter or says one twice."""
        found = self._numbers(name)
        place = f'sets.{name}'
        if 'robot' not in found:
            raise ValueError(
                f"{place}: must say whose it is, 'robot: a', 'robot: b' or 'robot: b3d'"
            )
        if self.sets[name].height is not None and self.sets[name].start_length is not None:
            raise ValueError(f'{place}: must give a height or a start_length, not both')
        if 'height' not in found and 'start_length' not in found:
            raise ValueError(f'{place}: must give a height')
        needed = ('reach', 'lead', 'lift', 'shorter', 'clearance', 'lowering_force',
                  'lowering_damping', 'start_knee_stiffness', 'knee_stiffness',
                  'hip_damping_ratio', 'knee_damping_ratio', 'balanced', 'smoothing')  # fmt: skip
        own = SPATIAL_NUMBERS if found['robot'] == 'b3d' else ()
        missing = [field for field in (*needed, *own) if field not in found]
        if missing:
            raise ValueError(f'{place}: must give {missing[0]}, itself or by the set it is like')
        for field in SPATIAL_NUMBERS:
            if field in found and not own:
                raise ValueError(f'{place}: only a robot in space, b3d, has {field}')

    def _numbers(self, name: str) -> dict[str, Any]:
        """Return what a set says, itself and by the sets that it is like."""
        part = self.sets[name]
        found = self._numbers(part.like) if part.like is not None else {}
        own = part.model_dump(exclude_none=True, exclude={'like', 'ways'})
        if 'height' in own:
            found.pop('start_length', None)
        if 'start_length' in own:
            found.pop('height', None)
        ways = part.ways.model_dump(exclude_none=True) if part.ways is not None else {}
        return {**found, **own, 'ways': {**found.get('ways', {}), **ways}}

    def robot_of(self, name: str) -> str:
        """Return the letter of the robot that a set is for."""
        return str(self._numbers(name)['robot'])

    def parameters(self, name: str) -> WalkParameters:
        """Build a set."""
        found = self._numbers(name)
        robot = found.pop('robot')
        ways = replace(LISTED_WAYS[robot], **found.pop('ways'))
        length = found.pop('start_length', None)
        if length is not None:
            angle = found.get('start_angle', WalkParameters.start_angle)
            found['height'] = length * math.cos(angle)
        kind = SpatialParameters if robot == 'b3d' else WalkParameters
        return kind(**found, ways=ways)
