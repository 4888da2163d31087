"""Make the frame of a step: find what it names, and bind its arguments now (mdle.md §4.6.3)."""

from dataclasses import replace

from walking_robots.mdle.knowledge.elements import PythonAtom
from walking_robots.mdle.language import ast
from walking_robots.mdle.runtime.checkpoint import Position
from walking_robots.mdle.runtime.frames import EntryContext, RunFrame
from walking_robots.mdle.runtime.leaves import AtomFrame, PythonFrame
from walking_robots.mdle.runtime.parallel import ParallelFrame
from walking_robots.mdle.runtime.recording import DrivenSpan
from walking_robots.mdle.runtime.reversal import OpenLoopReverseFrame, recorded_reverse
from walking_robots.mdle.runtime.sequence import Sequence

NO_TIMES = ast.Loop('count', 0)


def make_frame(step: ast.Step, entry: EntryContext, last: DrivenSpan | None) -> RunFrame:
    """Return the frame of a step, not entered yet; ``last``: what the step before it drove.

    Raises RunError where the step names nothing that can run.
    """
    match step:
        case ast.Run():
            return _run(step, entry)
        case ast.Parallel():
            return ParallelFrame(entry, step)
        case ast.Condition():
            return _condition(step, entry)
        case ast.Reverse(target=None):
            return recorded_reverse(step, entry, last)
    return OpenLoopReverseFrame(entry, step)


def _run(step: ast.Run, entry: EntryContext) -> RunFrame:
    if step.scale:
        entry = entry.scaled(step.scale)
    if step.call and not (step.guard or step.timeout or step.times):
        return _element(step.call, entry)
    container = ast.Encapsulation(
        'behavior',
        '',
        (ast.Run(step.call, place=step.place),) if step.call else step.steps,
        guards=(step.guard,) if step.guard else (),
        timeout=step.timeout,
        loop=step.times,
        place=step.place,
    )
    if not step.call:
        return Sequence(entry, container, 'group')
    element, _ = entry.element_of(step.call)
    return Sequence(entry, container, 'step', isinstance(element, ast.Atom | PythonAtom))


def _condition(step: ast.Condition, entry: EntryContext) -> RunFrame:
    """Choose by the condition, or again what was chosen before a checkpoint."""
    before = entry.resume
    holds = before.kind == 'then' if isinstance(before, Position) else entry.value(step.condition)
    chosen = step.then if holds else step.otherwise
    loop = None if chosen else NO_TIMES
    container = ast.Encapsulation('behavior', '', chosen, loop=loop, place=step.place)
    return Sequence(entry, container, 'then' if holds else 'else')


def _element(call: ast.Expression, entry: EntryContext) -> RunFrame:
    element, inner = entry.inside(call)
    if isinstance(element, ast.Atom):
        return AtomFrame(inner, element)
    if isinstance(element, PythonAtom):
        return PythonFrame(inner, element)
    core = entry.core
    if element is core.guarded and core.default_guard:
        element = replace(element, guards=(*element.guards, core.default_guard))
    return Sequence(inner, element, element.kind)
