"""How the entry of a program is guarded, whatever its author wrote (mdle.md §4.7)."""

from dataclasses import replace

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
from walking_robots.mdle.robot import RobotSpec
from walking_robots.mdle.runtime.core import Core
from walking_robots.mdle.runtime.job import Job
from walking_robots.mdle.runtime.settings import Settings
from walking_robots.mdle.runtime.shape import shape_of_encapsulation

__all__ = ['default_guard', 'guarded_entry']


def guarded_entry(job: Job, step: Step, core: Core) -> Step:
    """Let a contact end the entry, after the guards that are written there.

    Gives the step that runs it, with the guard where the entry has no guards to add one to.
    """
    if isinstance(step, Reverse):
        guard = core.default_guard
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
    if not settings.default_guards or spec.contact not in spec.outputs:
        return None

    channel: Expression = Name('y')
    for part in spec.contact.split('.'):
        channel = Member(channel, part)
    return Guard(channel, Action('fail', 'contact'))
