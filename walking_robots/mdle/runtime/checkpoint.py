"""Where a run was, so that another one can go on there (mdle.md §6.2, U18).

A checkpoint holds what was ordered, which step of every container ran, in which iteration, how
long it had been running, and what was known. Atoms begin afresh: no control law is taken up in its
middle. So do handlers and ``finally``: what is kept is the container that they belong to. What was
driven is not kept.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator, Field, PlainSerializer, TypeAdapter

LARGEST = 100_000
"""Letters of a checkpoint."""
ENDLESS = 'float'
"""Key of a number that JSON does not know, such as an infinite time."""


def _encoded(value: Any) -> Any:
    """Return a value of a program as JSON holds it."""
    if isinstance(value, Mapping):
        return {name: _encoded(item) for name, item in value.items()}
    if isinstance(value, tuple):
        return [_encoded(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {ENDLESS: repr(value)}
    if isinstance(value, (bool, str, float, int)):
        return value
    raise ValueError(f'a {type(value).__name__} is among the values, which no checkpoint can keep')


def _decoded(value: Any) -> Any:
    """Return a value as it was: JSON knows lists where there were points and poses."""
    if isinstance(value, list):
        return tuple(map(_decoded, value))
    if isinstance(value, dict):
        return float(value[ENDLESS])
    if isinstance(value, (bool, str, float, int)):
        return value
    raise ValueError


def _decoded_values(data: Any) -> dict[str, Any]:
    return {name: _decoded(value) for name, value in data.items()}


Factor = Annotated[float, Field(allow_inf_nan=False)]
# What a message can hold, and what is shorter than endless.
Count = Annotated[int, Field(strict=True, ge=0, lt=2**31)]
Nanoseconds = Annotated[int, Field(strict=True, ge=0, le=2**62)]
Values = Annotated[Mapping[str, Any], BeforeValidator(_decoded_values), PlainSerializer(_encoded)]


@dataclass(frozen=True, slots=True)
class Position:
    """Where a container of a kind is: its step, in which iteration, and its variables.

    within: where that step is; None where it begins afresh; alpha, beta: the scales around it;
    age: since it was entered, ns; left: to the end of its timer, ns, None where there is none;
    tries: of the step and of the container, after the first; drove: whether the steps before
    this one drove, and this one itself.
    """

    kind: str
    step: Count
    iteration: Count
    variables: Values
    within: 'Where'
    alpha: tuple[Factor, ...] | None
    beta: Factor
    age: Nanoseconds
    left: Nanoseconds | None
    tries: tuple[Count, Count]
    drove: tuple[bool, bool]


class Lane(NamedTuple):
    """Where a child of ``par`` is, and whether it has ended."""

    over: bool = False
    within: 'Where' = None


Where = Position | tuple[Lane, ...] | None
"""Of a container, of the children of ``par`` in the order written, or of what begins afresh."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A place in a program, of which ``program`` is the digest.

    arguments, alpha, beta, backwards: of the order that began it, the first as written.
    """

    program: str
    entry: str
    where: Where
    board: Values
    arguments: Mapping[str, str]
    alpha: tuple[Factor, ...] | None
    beta: Factor
    backwards: bool

    def to_text(self) -> str:
        """Return it as one line of JSON.

        Raises ValueError where the program keeps what is neither a number nor a text.
        """
        return json.dumps(_adapter().dump_python(self), sort_keys=True, allow_nan=False)


@cache
def _adapter() -> TypeAdapter[Checkpoint]:
    return TypeAdapter(Checkpoint)


def parse_checkpoint(text: str) -> Checkpoint:
    """Read a checkpoint; raise ValueError where it is none."""
    try:
        if len(text) > LARGEST:
            raise ValueError
        return _adapter().validate_python(json.loads(text))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ValueError(
            'this is no checkpoint; take one from get_snapshot while the program runs'
        ) from None
