"""Say how a run ended, from the ending of its outermost element (mdle.md §4.14)."""

from dataclasses import fields, is_dataclass
from typing import Any

from walking_robots.geometry.se2 import ORIGIN, Pose2
from walking_robots.mdle.execution.core import Core
from walking_robots.mdle.execution.driving import Driving
from walking_robots.mdle.execution.endings import Ending, Outcome, Result
from walking_robots.mdle.language.ast import Place

__all__ = ['finished', 'result_of']


def finished(ending: Ending) -> tuple[Outcome, str]:
    """Give the outcome of a program that ended by itself, and a clause on it."""
    if ending.cause == 'interrupt':
        return 'INTERRUPT', f'ended by {ending.name}'
    if ending.cause != 'fail':
        return 'DONE', 'done'
    if ending.late and ending.text == 'timeout':
        return 'TIMEOUT', 'the time is up'
    return 'FAIL', ending.text or 'failed'


def _stands_in(place: Place, part: Any) -> bool:
    """Tell whether a place is this very one of a part of a program."""
    if part is place:
        return True
    if is_dataclass(part):
        return any(_stands_in(place, getattr(part, field.name)) for field in fields(part))
    return isinstance(part, tuple) and any(_stands_in(place, item) for item in part)


def result_of(
    ending: Ending, outcome: Outcome, code: str, text: str, core: Core, driving: Driving
) -> Result:
    """Put together what is told of a run that ends now."""
    line = ending.place.line
    site = core.sites.get(ending.path)
    if line and site and site.module and not _stands_in(ending.place, site.part):
        # A line of the library is of no use to whoever wrote the program.
        text = f'{text} (in {site.module}, line {line})' if code else text
        line = site.part.place.line if site.part else 0
    return Result(
        outcome,
        code,
        text,
        ending.path,
        line,
        ending.name if ending.cause != 'fault' else '',
        dict(ending.values),
        (core.now - core.begun) * 1e-9,
        driving.ticks,
        driving.way,
        driving.effort,
        core.interrupts,
        dict(ending.outputs),
        Pose2(*core.values.get('pose', ORIGIN)),
    )
