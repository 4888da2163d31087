"""What elements give at their end, and under which names it is kept (mdle.md §4.12)."""

from collections.abc import Mapping
from typing import Any

from walking_robots.mdle.execution.endings import Ending
from walking_robots.mdle.execution.faults import RunError
from walking_robots.mdle.execution.frame import Surroundings
from walking_robots.mdle.language.ast import Run, Step

__all__ = ['keep', 'make_sure']


def make_sure(ending: Ending) -> None:
    """Raise RunError (E801) where an element gave what is not a number.

    Infinity is a number of the language: ``inf``.
    """
    for name, value in ending.outputs.items():
        parts = value if isinstance(value, tuple) else (value,)
        if any(part != part for part in parts):
            text = f"the output '{name}' is not a number"
            raise RunError('E801', text, ending.place, ending.path)


def keep(given: Mapping[str, Any], step: Step, around: Surroundings) -> None:
    """Keep what a step gave, under the name written before it, or under its own."""
    if given and isinstance(step, Run) and step.output:
        given = {step.output: given.get(step.output, next(iter(given.values())))}
    around.variables.update(given)
    around.core.board.update(given)
