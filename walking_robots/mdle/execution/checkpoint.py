"""Where a run was, so that another one can go on there (mdle.md §6.2, U18).

A checkpoint tells which step of every container ran, in which iteration, and what was known.
Atoms begin afresh: no control law is taken up in its middle.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from walking_robots.mdle.execution.faults import RunError
from walking_robots.mdle.execution.frame import Frame
from walking_robots.mdle.execution.sequence import Sequence

__all__ = ['Checkpoint', 'Place', 'checkpoint_of', 'fits', 'parse_checkpoint']

LARGEST = 100_000
"""Letters of a checkpoint."""


class Place(NamedTuple):
    """Which step of a container runs, in which iteration, and its variables."""

    step: int
    iteration: int
    variables: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A place in a program; ``program`` is its digest, places go by kind and path."""

    program: str
    entry: str
    places: Mapping[str, Place] = field(default_factory=dict)
    board: Mapping[str, Any] = field(default_factory=dict)

    def to_text(self) -> str:
        """Give it as one line of JSON."""
        return json.dumps(asdict(self), sort_keys=True, allow_nan=False)


def checkpoint_of(
    program: str, entry: str, frames: Iterable[Frame], board: Mapping[str, Any]
) -> Checkpoint:
    """Give the checkpoint of a run, from the frames that run, outermost first."""
    places = {
        frame.key: Place(frame.index, frame.iteration, dict(frame.around.variables))
        for frame in frames
        if isinstance(frame, Sequence)
    }
    return Checkpoint(program, entry, places, dict(board))


def parse_checkpoint(text: str) -> Checkpoint:
    """Read a checkpoint.

    Raises ValueError where it is none.
    """
    try:
        if len(text) > LARGEST:
            raise ValueError
        data = json.loads(text)
        places = {
            str(key): Place(_whole(step), _whole(iteration), _values(variables))
            for key, (step, iteration, variables) in data['places'].items()
        }
        return Checkpoint(str(data['program']), str(data['entry']), places, _values(data['board']))
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


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError
    return value


def _values(data: Any) -> dict[str, Any]:
    """Give values as they were: JSON knows lists where there were points and poses."""
    return {str(name): _value(value) for name, value in data.items()}


def _value(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_value, value))
    if isinstance(value, (bool, str, float, int)):
        return value
    raise ValueError
