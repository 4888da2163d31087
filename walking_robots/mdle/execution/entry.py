"""How the entry of a program is guarded, whatever its author wrote (mdle.md §4.7)."""

from dataclasses import replace

from walking_robots.mdle.execution.core import Core
from walking_robots.mdle.execution.job import Job
from walking_robots.mdle.execution.settings import Settings
from walking_robots.mdle.execution.shape import shape_of_encapsulation
from walking_robots.mdle.language.ast import (
    Action,
    Encapsulation,
    Expression,
    Guard,
    Member,
    Name,
    Reverse,
    Run,
    Step,
)
from walking_robots.mdle.profiles import REPORT_DEFAULTS
from walking_robots.mdle.robot import RobotSpec

__all__ = ['default_guard', 'guarded_entry', 'level_guard']


def guarded_entry(job: Job, step: Step, core: Core) -> Step:
    """Let a contact end the entry, after the guards that are written there.

    Gives the step that runs it, with the guard where the entry has no guards to add one to.
    """
    if isinstance(step, Reverse):
        guard = core.default_guard or core.level_guard
        return Run(steps=(step,), guard=guard, place=step.place) if guard else step
    guard, element = core.default_guard, job.entry_element()
    if guard is None:
        return step
    if isinstance(element, Encapsulation):
        shape = shape_of_encapsulation(element)
        core.shapes[id(element)] = replace(shape, guards=(*shape.guards, guard))
        return step
    return replace(step, guard=guard) if isinstance(step, Run) else step


def default_guard(spec: RobotSpec, settings: Settings) -> Guard | None:
    """Give ``until y.bumper.any => fail "contact"``, None where it is not to be (mdle.md §4.7)."""
    if not settings.default_guards or REPORT_DEFAULTS in settings.profiles:
        return None
    return _contact_guard(spec, Action('fail', 'contact'))


def level_guard(spec: RobotSpec, settings: Settings) -> Guard | None:
    """Give the guard of every atom, behavior and plan: that of the report, in its profile only."""
    return _contact_guard(spec, None) if REPORT_DEFAULTS in settings.profiles else None


def _contact_guard(spec: RobotSpec, action: Action | None) -> Guard | None:
    if spec.contact not in spec.outputs:
        return None
    channel: Expression = Name('y')
    for part in spec.contact.split('.'):
        channel = Member(channel, part)
    return Guard(channel, action)
