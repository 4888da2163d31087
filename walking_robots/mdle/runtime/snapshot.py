"""The state of a run as plain values: for status messages, pages and people."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from walking_robots.mdle.runtime.compiled_expression import Values
from walking_robots.mdle.runtime.frames import NEVER, RunFrame
from walking_robots.mdle.runtime.guards import LiveGuard
from walking_robots.mdle.runtime.sequence import Sequence


@dataclass(frozen=True, slots=True)
class FrameSnapshot:
    """An element that runs; times in seconds, guards each with 'true', 'false', 'masked' ..."""

    path: str
    line: int
    iteration: int
    time: float
    limit: float
    guards: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that is known of an executor at one moment."""

    phase: str
    entry: str
    program: str
    time: float
    tick: int
    waiting: int
    frames: tuple[FrameSnapshot, ...]
    space: str
    control: tuple[float, ...]
    board: Mapping[str, Any]
    outcome: str
    message: str


def frame_snapshot(frame: RunFrame, y: Values, now: int) -> FrameSnapshot:
    """Describe a frame; ``now`` is the program's clock, ns, ``y`` the channels then."""
    entered = frame.entered or now
    limit = float('inf') if frame.deadline >= NEVER else (frame.deadline - entered) * 1e-9
    return FrameSnapshot(
        frame.path,
        frame.place.line,
        frame.iteration if isinstance(frame, Sequence) else 0,
        (now - entered) * 1e-9,
        limit,
        tuple((guard.name, _state(guard, y, now)) for guard in frame.guards),
    )


def _state(guard: LiveGuard, y: Values, now: int) -> str:
    """Return what a guard is; one that remembers is not read again, for that would change it."""
    if guard.masked:
        return 'masked'
    try:
        true = guard.last if guard.stateful else guard.read(y, now)
    except Exception:
        return 'unknown'
    return 'unknown' if true is None else 'true' if true else 'false'
