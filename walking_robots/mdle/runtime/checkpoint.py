"""Where a run was, so that another one can go on there (mdle.md §6.2, U18).

A checkpoint holds what was ordered, which step of every container ran, in which iteration, how
long it had been running, and what was known. Atoms begin afresh: no control law is taken up in its
middle. So do handlers and ``finally``: what is kept is the container that they belong to. What was
driven is not kept.
"""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

LARGEST = 100_000
"""Letters of a checkpoint."""
MOST = 2**31 - 1
"""Steps, iterations and tries: what a message can hold."""
LONGEST = 2**62
"""Nanoseconds; what is longer has no end."""
ENDLESS = 'float'
"""Key of a number that JSON does not know, such as an infinite time."""


@dataclass(frozen=True, slots=True)
class Position:
    """Where a container of a kind is: its step, in which iteration, and its variables.

    within: where that step is; None where it begins afresh; alpha, beta: the scales around it;
    age: since it was entered, ns; left: to the end of its timer, ns, None where there is none;
    tries: of the step and of the container, after the first; drove: whether the steps before
    this one drove, and this one itself.
    """

    kind: str
    step: int
    iteration: int
    variables: Mapping[str, Any] = field(default_factory=dict)
    within: 'Where' = None
    alpha: tuple[float, ...] | None = None
    beta: float = 1.0
    age: int = 0
    left: int | None = None
    tries: tuple[int, int] = (0, 0)
    drove: tuple[bool, bool] = (False, False)


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
    where: Where = None
    board: Mapping[str, Any] = field(default_factory=dict)
    arguments: Mapping[str, str] = field(default_factory=dict)
    alpha: tuple[float, ...] | None = None
    beta: float = 1.0
    backwards: bool = False

    def to_text(self) -> str:
        """Return it as one line of JSON.

        Raises ValueError where the program keeps what is neither a number nor a text.
        """
        return json.dumps(_data(self), sort_keys=True, allow_nan=False)


def parse_checkpoint(text: str) -> Checkpoint:
    """Read a checkpoint; raise ValueError where it is none."""
    try:
        if len(text) > LARGEST:
            raise ValueError
        return Checkpoint(**_read(_CHECKPOINT, json.loads(text)))
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise ValueError(
            'this is no checkpoint; take one from get_snapshot while the program runs'
        ) from None


def _data(record: Checkpoint | Position) -> dict[str, Any]:
    return {item.name: _encoded(item.name, getattr(record, item.name)) for item in fields(record)}


def _encoded(name: str, value: Any) -> Any:
    if isinstance(value, Position):
        return _data(value)
    if isinstance(value, Mapping):
        return {key: _encoded(key, item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [_encoded(name, item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {ENDLESS: repr(value)}
    if value is None or isinstance(value, (bool, str, float, int)):
        return value
    raise ValueError(f"'{name}' is a {type(value).__name__}, which no checkpoint can keep")


def _read(readers: Mapping[str, Callable[[Any], Any]], data: Any) -> dict[str, Any]:
    return {name: read(data[name]) for name, read in readers.items()}


def _where(data: Any) -> Where:
    if data is None:
        return None
    if isinstance(data, list):
        return tuple(Lane(bool(over), _where(within)) for over, within in data)
    return Position(**_read(_POSITION, data))


def _whole(value: Any, most: int = MOST) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise ValueError
    return value


def _time(value: Any) -> int:
    return _whole(value, LONGEST)


def _factor(value: Any) -> float:
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError
    return float(value)


def _factors(data: Any) -> tuple[float, ...] | None:
    return None if data is None else tuple(map(_factor, data))


def _pair(read: Callable[[Any], Any]) -> Callable[[Any], tuple[Any, Any]]:
    def pair(data: Any) -> tuple[Any, Any]:
        first, second = map(read, data)
        return first, second

    return pair


def _values(data: Any) -> dict[str, Any]:
    """Return values as they were: JSON knows lists where there were points and poses."""
    return {str(name): _value(value) for name, value in data.items()}


def _value(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_value, value))
    if isinstance(value, dict):
        return float(value[ENDLESS])
    if isinstance(value, (bool, str, float, int)):
        return value
    raise ValueError


_POSITION: dict[str, Callable[[Any], Any]] = {
    'kind': str,
    'step': _whole,
    'iteration': _whole,
    'variables': _values,
    'within': _where,
    'alpha': _factors,
    'beta': _factor,
    'age': _time,
    'left': lambda data: None if data is None else _time(data),
    'tries': _pair(_whole),
    'drove': _pair(bool),
}
_CHECKPOINT: dict[str, Callable[[Any], Any]] = {
    'program': str,
    'entry': str,
    'where': _where,
    'board': _values,
    'arguments': lambda data: {str(name): str(value) for name, value in data.items()},
    'alpha': _factors,
    'beta': _factor,
    'backwards': bool,
}
