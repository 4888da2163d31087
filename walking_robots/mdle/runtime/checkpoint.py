"""Where a run was, so that another one can go on there (mdle.md §6.2, U18).

A checkpoint tells what was ordered, which step of every container ran, in which iteration, how
long it had been running, and what was known. Atoms begin afresh: no control law is taken up in its
middle. So do handlers and ``finally``: what is kept is the container that they belong to. What was
driven is not kept.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from walking_robots.mdle.runtime.positions import Lane, Lanes, Position, Where

__all__ = ['Checkpoint', 'parse_checkpoint']

LARGEST = 100_000
"""Letters of a checkpoint."""
MOST = 2**31 - 1
"""Steps, iterations and tries: what a message can tell."""
LONGEST = 2**62
"""Nanoseconds; what is longer has no end."""
ENDLESS = 'float'
"""Key of a number that JSON does not know, such as an infinite time."""


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
        """Give it as one line of JSON.

        Raises ValueError where the program keeps what is neither a number nor a text.
        """
        data = {
            'program': self.program,
            'entry': self.entry,
            'where': _where_data(self.where),
            'board': _values_data(self.board),
            'arguments': dict(self.arguments),
            'alpha': self.alpha,
            'beta': self.beta,
            'backwards': self.backwards,
        }
        return json.dumps(data, sort_keys=True, allow_nan=False)


def parse_checkpoint(text: str) -> Checkpoint:
    """Read a checkpoint.

    Raises ValueError where it is none.
    """
    try:
        if len(text) > LARGEST:
            raise ValueError
        data = json.loads(text)
        return Checkpoint(
            str(data['program']),
            str(data['entry']),
            _where(data['where']),
            _values(data['board']),
            {str(name): str(value) for name, value in data['arguments'].items()},
            _factors(data['alpha']),
            _factor(data['beta']),
            bool(data['backwards']),
        )
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise ValueError(
            'this is no checkpoint; take one from get_snapshot while the program runs'
        ) from None


def _where_data(where: Where) -> Any:
    if isinstance(where, Position):
        return {
            'kind': where.kind,
            'step': where.step,
            'iteration': where.iteration,
            'variables': _values_data(where.variables),
            'within': _where_data(where.within),
            'alpha': where.alpha,
            'beta': where.beta,
            'age': where.age,
            'left': where.left,
            'tries': [where.tries, where.own_tries],
            'drove': [where.drove_before, where.drove],
        }
    if isinstance(where, Lanes):
        return [[lane.over, _where_data(lane.within)] for lane in where.lanes]
    return None


def _where(data: Any) -> Where:
    if data is None:
        return None
    if isinstance(data, list):
        return Lanes(tuple(Lane(bool(over), _where(within)) for over, within in data))
    tries, own_tries = map(_whole, data['tries'])
    drove_before, drove = map(bool, data['drove'])
    return Position(
        str(data['kind']),
        _whole(data['step']),
        _whole(data['iteration']),
        _values(data['variables']),
        _where(data['within']),
        _factors(data['alpha']),
        _factor(data['beta']),
        _whole(data['age'], LONGEST),
        None if data['left'] is None else _whole(data['left'], LONGEST),
        tries,
        own_tries,
        drove_before,
        drove,
    )


def _whole(value: Any, most: int = MOST) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise ValueError
    return value


def _factors(data: Any) -> tuple[float, ...] | None:
    return None if data is None else tuple(map(_factor, data))


def _factor(value: Any) -> float:
    if not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError
    return float(value)


def _values_data(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _value_data(name, value) for name, value in values.items()}


def _value_data(name: str, value: Any) -> Any:
    if isinstance(value, tuple):
        return [_value_data(name, item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {ENDLESS: repr(value)}
    if isinstance(value, (bool, str, float, int)):
        return value
    raise ValueError(f"'{name}' is a {type(value).__name__}, which no checkpoint can keep")


def _values(data: Any) -> dict[str, Any]:
    """Give values as they were: JSON knows lists where there were points and poses."""
    return {str(name): _value(value) for name, value in data.items()}


def _value(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_value, value))
    if isinstance(value, dict):
        return float(value[ENDLESS])
    if isinstance(value, (bool, str, float, int)):
        return value
    raise ValueError
