"""Where the containers of a run are, one in another as they run (mdle.md §6.2, U18)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ['Lane', 'Lanes', 'Position', 'Where']


@dataclass(frozen=True, slots=True)
class Position:
    """Where a container of a kind is: its step, in which iteration, and its variables.

    within: where that step is; None where it begins afresh.
    """

    kind: str
    step: int
    iteration: int
    variables: Mapping[str, Any] = field(default_factory=dict)
    within: 'Where' = None


@dataclass(frozen=True, slots=True)
class Lane:
    """Where a child of ``par`` is, and whether it has ended."""

    over: bool
    within: 'Where' = None


@dataclass(frozen=True, slots=True)
class Lanes:
    """Where the children of ``par`` are, in the order written."""

    lanes: tuple[Lane, ...]


Where = Position | Lanes | None
