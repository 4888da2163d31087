"""Where a run was, so that another one can go on there (mdle.md §6.2, U18).

A checkpoint tells which step of every container ran, in which iteration, and what was known.
Atoms begin afresh: no control law is taken up in its middle. So do handlers and ``finally``: what
is kept is the container that they belong to.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from walking_robots.mdle.execution.faults import RunError
from walking_robots.mdle.execution.positions import Lane, Lanes, Position, Where

__all__ = ['Checkpoint', 'fits', 'parse_checkpoint']

LARGEST = 100_000
"""Letters of a checkpoint."""
ENDLESS = 'float'
"""Key of a number that JSON does not know, such as an infinite time."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A place in a program, of which ``program`` is the digest."""

    program: str
    entry: str
    where: Where = None
    board: Mapping[str, Any] = field(default_factory=dict)

    def to_text(self) -> str:
        """Give it as one line of JSON.

        Raises ValueError where the program keeps what is neither a number nor a text.
        """
        data = {
            'program': self.program,
            'entry': self.entry,
            'where': _where_data(self.where),
            'board': _values_data(self.board),
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
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise ValueError(
            'this is no checkpoint; take one from get_snapshot while the program runs'
        ) from None


def fits(checkpoint: Checkpoint, program: str, entry: str) -> None:
    """Raise RunError where a checkpoint is of another program (E809)."""
    if (checkpoint.program, checkpoint.entry) != (program, entry):
        raise RunError(
            'E809', 'the checkpoint is of another program, or of another version of this one'
        )


def _where_data(where: Where) -> Any:
    if isinstance(where, Position):
        return {
            'kind': where.kind,
            'step': where.step,
            'iteration': where.iteration,
            'variables': _values_data(where.variables),
            'within': _where_data(where.within),
        }
    if isinstance(where, Lanes):
        return [[lane.over, _where_data(lane.within)] for lane in where.lanes]
    return None


def _where(data: Any) -> Where:
    if data is None:
        return None
    if isinstance(data, list):
        return Lanes(tuple(Lane(bool(over), _where(within)) for over, within in data))
    return Position(
        str(data['kind']),
        _whole(data['step']),
        _whole(data['iteration']),
        _values(data['variables']),
        _where(data['within']),
    )


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError
    return value


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
