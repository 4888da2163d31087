"""Where the containers of a run are, one in another as they run (mdle.md §6.2, U18)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

__all__ = ['Lane', 'Lanes', 'Position', 'Where']


@dataclass(frozen=True, slots=True)
class Position:
    """Where a container of a kind is: its step, in which iteration, and its variables.

    within: where that step is; None where it begins afresh; alpha, beta: the scales around it;
    age: since it was entered, ns; left: to the end of its timer, ns, None where there is none;
    tries, own_tries: of the step and of the container, after the first; drove_before, drove:
    whether the steps before this one drove, and this one itself.
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
    tries: int = 0
    own_tries: int = 0
    drove_before: bool = False
    drove: bool = False


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
