"""Build the fields that all parts of a design have: names, values, numbers."""

import math
from collections import Counter
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, PlainValidator, model_validator

from walking_robots.ars_magna.inputs import normal_name
from walking_robots.documents.fields import DocumentPart, within


def _name(value: object) -> str:
    """Read a name; the manual's end in a star where they are global."""
    if not isinstance(value, str):
        raise ValueError('must be a name')
    name = normal_name(value)
    if not (name.isascii() and name.replace('*', '').isidentifier() and len(name) <= 80):
        raise ValueError('must be a name of letters, digits, _ and -, a letter first')
    return name


def _plain(value: object) -> bool | float | str:
    """Read a truth, a finite number or a text."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float) and abs(value) < 1e300:
        return float(value)
    if isinstance(value, str) and len(value) <= 200:
        return value
    raise ValueError('must be true, false, a finite number or a text')


def _distinct(content: object) -> object:
    """Refuse keys that are the same name, written in two ways."""
    if isinstance(content, dict):
        counts = Counter(normal_name(key) for key in content if isinstance(key, str))
        name, count = max(counts.items(), key=lambda item: item[1], default=('', 0))
        if count > 1:
            raise ValueError(f"must not hold '{name[:40]}' twice")
    return content


Name = Annotated[str, PlainValidator(_name)]
Distinct = BeforeValidator(_distinct)
Plain = Annotated[bool | float | str, PlainValidator(_plain)]
Attributes = Annotated[dict[Name, Plain], Distinct]
Number = Annotated[float, Field(strict=True, allow_inf_nan=False)]
NotNegative = Annotated[Number, within(0.0, math.inf, '0 or more')]
Probability = Annotated[Number, within(0.0, 1.0, 'from 0 to 1')]
Truth = Annotated[bool, Field(strict=True)]


def _with_on(content: Any) -> Any:
    """Take the key ``on`` for the word that it is; YAML takes it for true."""
    if isinstance(content, dict) and True in content:
        return {'on' if key is True else key: value for key, value in content.items()}
    return content


class OnPart(DocumentPart):
    """Say which thing is meant."""

    _words = model_validator(mode='before')(_with_on)
