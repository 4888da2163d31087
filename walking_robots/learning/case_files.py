"""Read files of cases over which a biped's parameters are learned and tested."""

import math
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from walking_robots.documents.fields import DocumentPart, within
from walking_robots.documents.reader import Reader
from walking_robots.documents.shared import shared_path
from walking_robots.gaits.biped.parameters import WalkParameters
from walking_robots.gaits.biped.spatial.parameters import SpatialParameters
from walking_robots.geometry.units import (
    parse_angle,
    parse_angular_speed,
    parse_length,
    parse_speed,
    parse_time,
)
from walking_robots.robots.kwalk_spatial import SPATIAL_KWALKS
from walking_robots.trials.biped.spatial_ground import find_spatial_ground

SHIPPED_CASES = 'config/learning/biped.yaml'

Seconds = Annotated[float, BeforeValidator(parse_time), within(0.1, 600.0, 'from 0.1 to 600 s')]
Delay = Annotated[float, BeforeValidator(parse_time), within(0.0, 0.1, 'from 0 to 0.1 s')]
Metres = Annotated[float, BeforeValidator(parse_length), within(0.1, 100.0, 'from 0.1 to 100 m')]
Speed = Annotated[float, BeforeValidator(parse_speed), within(0.0, 2.0, 'from 0 to 2 m/s')]
Angle = Annotated[float, BeforeValidator(parse_angle), within(-6.3, 6.3, 'from -6.3 to 6.3 rad')]
Turn = Annotated[
    float, BeforeValidator(parse_angular_speed), within(-2.0, 2.0, 'from -2 to 2 rad/s')
]
Newtons = Annotated[float, Field(ge=-1000.0, le=1000.0)]
Step = Annotated[float, Field(gt=0.0, le=1e4)]


class CaseFileError(ValueError):
    """Say in one sentence which file, line and field is wrong, why, and what to write."""


class WalkCase(DocumentPart):
    """Walks of one kind; SI.

    A walk passes that covers ``distance`` within ``time``, or stands at its end where it has none,
    and is never faster than `walking_robots.learning.scoring.FASTEST`. ``push``: N forward, for
    0.1 s, at a time that follows from the seed, as does rough ground; ``noise``: a multiple of the
    errors of common sensors; ``delay``: from sensors to torque.

    In space only: ``push_from``: where a push comes from, 90 degrees from the left; ``turn``: to
    the left; ``slope_heading``: where a slope leads up, to the left of ahead; ``stop``: when the
    robot is to stop.
    """

    terrain: str = 'level'
    walks: Annotated[int, Field(ge=1, le=1000)] = 1
    distance: Metres | None = None
    time: Seconds = 12.0
    speed: Speed | None = None
    push: Newtons = 0.0
    friction: Annotated[float, Field(ge=0.05, le=10.0)] = 1.0
    noise: Annotated[float, Field(ge=0.0, le=10.0)] = 0.0
    delay: Delay = 0.0
    push_from: Angle = math.pi
    turn: Turn = 0.0
    slope_heading: Angle = 0.0
    stop: Seconds | None = None

    @model_validator(mode='after')
    def _known(self) -> Self:
        """Refuse a ground that there is not."""
        find_spatial_ground(self.terrain)
        return self


ONLY_SPATIAL = ('push_from', 'turn', 'slope_heading', 'stop')


class LearningDocument(DocumentPart):
    """What is learned, from where, over which cases, and how it is tested.

    ``learn`` has the first step of the search for each number of the set that is learned.
    """

    biped_learning: Literal[1]
    robot: Literal['a', 'b', 'b3d']
    start: str
    learn: Annotated[dict[str, Step], Field(min_length=2)]
    training: Annotated[dict[str, WalkCase], Field(min_length=1)]
    tests: Annotated[dict[str, WalkCase], Field(min_length=1)]

    @model_validator(mode='after')
    def _numbers(self) -> Self:
        """Refuse what is no number of a set."""
        kind = SpatialParameters if self.robot in SPATIAL_KWALKS else WalkParameters
        known = [f.name for f in fields(kind) if f.name != 'ways']
        for name in self.learn:
            if name not in known:
                raise ValueError(f"learn: must name numbers of a set, found '{name}'")
        return self

    @model_validator(mode='after')
    def _planar(self) -> Self:
        """Refuse for a robot in the plane what only one in space has, and the other way round."""
        for part, cases in (('training', self.training), ('tests', self.tests)):
            for name, case in cases.items():
                place = f'{part}.{name}'
                if self.robot in SPATIAL_KWALKS:
                    if case.delay:
                        raise ValueError(f'{place}: the servos of {self.robot} have no delay')
                    continue
                for field in ONLY_SPATIAL:
                    if field in case.model_fields_set:
                        raise ValueError(f'{place}: only a robot in space, b3d, has {field}')
        return self


_READER = Reader(
    LearningDocument,
    CaseFileError,
    title='file of cases',
    example='biped_learning: 1',
    folder='config/learning',
    shorter='leave out some cases',
    remedies={
        'biped_learning': 'write 1',
        'robot': 'write a, b or b3d',
        'start': 'write the name of a set of parameters, such as b_h41',
        'learn': 'write numbers of a set with a first step each, such as {lift: 0.02}',
        'training': 'write cases, such as level: {terrain: level}',
        'tests': 'write cases, such as level: {terrain: level}',
        'distance': 'write a length such as 4m',
        'time': 'write a time such as 12s',
        'delay': 'write a time such as 5ms',
        'speed': 'write a speed such as 0.3m/s',
        'push': 'write N such as 40 or -20',
        'push_from': 'write an angle such as 90deg',
        'turn': 'write an angular speed such as 10deg/s',
        'slope_heading': 'write an angle such as 90deg',
        'stop': 'write a time such as 6s',
    },
)


def load_cases(path: str | Path | None = None) -> LearningDocument:
    """Read a file of cases, or the one that is installed beside the code.

    Raises CaseFileError when it cannot be read or is not such a file.
    """
    return _READER.load(shared_path(SHIPPED_CASES) if path is None else path)


def parse_cases(text: str, name: str = 'cases') -> LearningDocument:
    """Read cases from YAML text; ``name`` stands for the file in errors.

    Raises CaseFileError when the text is not such a file.
    """
    return _READER.parse(text, name)
