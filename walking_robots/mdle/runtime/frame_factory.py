"""Make the frame of a step: find what it names, and bind its arguments now (mdle.md §4.6.3)."""

from walking_robots.mdle.knowledge.elements import PythonAtom
from walking_robots.mdle.language import ast
from walking_robots.mdle.runtime.checkpoint import Position
from walking_robots.mdle.runtime.frames import EntryContext, RunFrame
from walking_robots.mdle.runtime.leaves import AtomFrame, PythonFrame
from walking_robots.mdle.runtime.parallel import ParallelFrame
from walking_robots.mdle.runtime.recording import DrivenSpan
from walking_robots.mdle.runtime.reversal import OpenLoopReverseFrame, recorded_reverse
from walking_robots.mdle.runtime.sequence import Sequence
from walking_robots.mdle.runtime.shape import (
    Shape,
    names_of,
    shape_of_encapsulation,
    shape_of_run,
)

NO_TIMES = ast.Loop('count', 0)


def make_frame(step: ast.Step, entry: EntryContext, last: DrivenSpan | None) -> RunFrame:
    """Return the frame of a step, not entered yet; ``last``: what the step before it drove.

    Raises RunError where the step names nothing that can run.
    """
    if isinstance(step, ast.Run):
        return _run(step, entry)
    if isinstance(step, ast.Parallel):
        return _parallel(step, entry)
    if isinstance(step, ast.Condition):
        return _condition(step, entry)
    return (
        OpenLoopReverseFrame(entry, step) if step.target else recorded_reverse(step, entry, last)
    )


def _run(step: ast.Run, entry: EntryContext) -> RunFrame:
    if step.scale:
        entry = entry.scaled(step.scale)
    if step.call and not (step.guard or step.timeout or step.times):
        return _element(step.call, entry)
    element = entry.element_of(step.call)[0] if step.call else None
    return Sequence(entry, shape_of_run(step, gentle=isinstance(element, ast.Atom | PythonAtom)))


def _condition(step: ast.Condition, entry: EntryContext) -> RunFrame:
    """Choose by the condition, or again what was chosen before a checkpoint."""
    before = entry.resume
    holds = before.kind == 'then' if isinstance(before, Position) else entry.value(step.condition)
    chosen = step.then if holds else step.otherwise
    loop = None if chosen else NO_TIMES
    shape = Shape(
        'then' if holds else 'else', chosen, names_of(chosen), loop=loop, place=step.place
    )
    return Sequence(entry, shape)


def _element(call: ast.Expression, entry: EntryContext) -> RunFrame:
    element, inner = entry.inside(call)
    if isinstance(element, ast.Atom):
        return AtomFrame(inner, element)
    if isinstance(element, PythonAtom):
        return PythonFrame(inner, element)
    shapes = entry.core.shapes
    if id(element) not in shapes:
        shapes[id(element)] = shape_of_encapsulation(element)
    return Sequence(inner, shapes[id(element)])


def _parallel(step: ast.Parallel, entry: EntryContext) -> RunFrame:
    frame = ParallelFrame(entry, step)
    lanes: list[RunFrame | None] = []
    for name, child, before in zip(names_of(step.steps), step.steps, frame.earlier(), strict=True):
        inner = entry.at(f'{entry.path}.{name}', frame, child, before.within)
        if before.over:
            lanes.append(None)
        elif _needs_lane(child, entry):
            lanes.append(Sequence(inner, Shape('lane', (child,), place=child.place)))
        else:
            lanes.append(make_frame(child, inner, None))
    frame.take(lanes)
    return frame


def _needs_lane(step: ast.Step, entry: EntryContext) -> bool:
    """Return whether endings of a child may need more than the parallel itself can do."""
    if not (isinstance(step, ast.Run) and step.call) or step.guard or step.timeout or step.times:
        return True
    element, _ = entry.element_of(step.call)
    if not isinstance(element, ast.Atom):
        return isinstance(element, ast.Encapsulation)
    return any(ender.action for ender in (*element.guards, element.timeout) if ender)
