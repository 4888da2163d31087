"""Read the file of one more model of servo: a known one, and what is different."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from walking_robots.documents.fields import DocumentPart, within
from walking_robots.documents.reader import Reader
from walking_robots.geometry.units import parse_angle, parse_angular_speed
from walking_robots.servos.models import MODELS, Code, Register, ServoModel

Positive = Annotated[float, Field(strict=True, gt=0.0, le=1e4)]
Travel = Annotated[
    float, BeforeValidator(parse_angle), within(0.1, 6.3, 'from 6 to 360 degrees to either side')
]
Speed = Annotated[
    float, BeforeValidator(parse_angular_speed), within(0.01, 1e3, 'positive, up to 1000 rad/s')
]

REMEDIES = {
    'servo_schema': "begin the file with 'servo_schema: 1'",
    'name': 'write the name of the model, such as XC330-M288',
    'like': f'write the most similar known model: {", ".join(MODELS)}',
    'number': 'write its model number, as `walking_robots servo scan` prints it',
    'travel': 'write the greatest angle to either side of the middle, such as 150deg',
    'voltage': 'write the least and the greatest voltage, such as [6.5, 12.0]',
    'no_load_speed': 'write an angular speed at the rated voltage, such as 366deg/s',
    'registers': 'write such as position: {address: 132, size: 4, unit: 0.001534, zero: 2048}',
}


class ServoFileError(ValueError):
    """Say in one sentence which file, line and field is wrong, why, and what to write."""


class RegisterPart(DocumentPart):
    """Say where a value is in the control table, and how it counts."""

    address: Annotated[int, Field(strict=True, ge=0, le=1023)]
    size: Literal[1, 2, 4]
    unit: Positive = 1.0
    zero: Annotated[int, Field(strict=True, ge=0, le=65535)] = 0
    code: Code = 'unsigned'


class ServoDocument(DocumentPart):
    """Hold the file of a model; what it leaves out is as in the model that it is like."""

    servo_schema: Literal[1]
    name: Annotated[str, Field(min_length=1, max_length=40)]
    like: Literal[tuple(MODELS)]  # type: ignore[valid-type]
    number: Annotated[int, Field(strict=True, ge=0, le=65535)]
    travel: Travel | None = None
    stall_torque: Positive | None = None
    stall_current: Positive | None = None
    no_load_speed: Speed | None = None
    rated: Positive | None = None
    voltage: tuple[Positive, Positive] | None = None
    hottest: Positive | None = None
    mass: Positive | None = None
    registers: dict[str, RegisterPart] = Field(default_factory=dict)

    def model_of(self) -> ServoModel:
        """Return the model."""
        found = MODELS[self.like]
        changed = self.model_dump(exclude={'servo_schema', 'like', 'registers'}, exclude_none=True)
        registers = {name: Register(**part.model_dump()) for name, part in self.registers.items()}
        return replace(found, **changed, registers={**found.registers, **registers})


_READER = Reader(
    ServoDocument,
    ServoFileError,
    title='servo file',
    example='servo_schema: 1',
    folder='docs',
    shorter='leave out what is no field of a servo',
    remedies=REMEDIES,
)


def parse_model(text: str, name: str = 'servo') -> ServoModel:
    """Read a model from YAML text; ``name`` stands for the file in errors.

    Raises ServoFileError when the text is not a model of servo.
    """
    return _READER.parse(text, name).model_of()


def find_model(model: str) -> ServoModel:
    """Return a known model by its name, or read the file of one.

    Raises ValueError, one sentence, for neither, and for a wrong file.
    """
    if model in MODELS:
        return MODELS[model]
    if Path(model).suffix in ('.yaml', '.yml'):
        return parse_model(_READER.text_of(model), model)
    raise ValueError(
        f'servo model {model!r} is unknown; use {", ".join(MODELS)}, or the file of one in YAML'
    )
