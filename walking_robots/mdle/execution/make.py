"""Make the frame of a step: find what it names, and bind its arguments now (mdle.md §4.6.3)."""

from dataclasses import replace
from typing import Any, Literal

from walking_robots.mdle.execution.faults import RunError
from walking_robots.mdle.execution.frame import Frame, Surroundings
from walking_robots.mdle.execution.leaf import AtomFrame, PythonFrame
from walking_robots.mdle.execution.parallel import ParallelFrame
from walking_robots.mdle.execution.positions import Position
from walking_robots.mdle.execution.reading import bind_parameters
from walking_robots.mdle.execution.recording import Span
from walking_robots.mdle.execution.replay import ReplayFrame
from walking_robots.mdle.execution.sequence import Sequence
from walking_robots.mdle.execution.shape import (
    Shape,
    names_of,
    shape_of_encapsulation,
    shape_of_run,
)
from walking_robots.mdle.execution.way_back import WayBackFrame, way_back
from walking_robots.mdle.knowledge.elements import PythonAtom
from walking_robots.mdle.knowledge.names import Found
from walking_robots.mdle.language.ast import (
    Action,
    Argument,
    Atom,
    Call,
    Condition,
    Encapsulation,
    Expression,
    Loop,
    Parallel,
    Parameter,
    Reverse,
    Run,
    Step,
)

__all__ = ['arguments_of', 'element_of', 'make_frame']

Last = Span | None
NO_TIMES = Loop('count', 0)


def make_frame(step: Step, around: Surroundings, last: Last) -> Frame:
    """Give the frame of a step, not entered yet.

    ``last``: what the step before it drove. Raises RunError where the step
    names nothing that can run.
    """
    if isinstance(step, Run):
        return _run(step, around)
    if isinstance(step, Parallel):
        return _parallel(step, around)
    if isinstance(step, Condition):
        return _condition(step, around)
    return _reverse(step, around, last)


def _run(step: Run, around: Surroundings) -> Frame:
    if step.scale:
        around = around.scaled(step.scale)
    if step.call and not (step.guard or step.timeout or step.times):
        return _element(step.call, around)
    gentle = False
    if step.call:
        element = element_of(step.call, around).element
        gentle = isinstance(element, (Atom, PythonAtom))
    return Sequence(around, shape_of_run(step, gentle))


def _condition(step: Condition, around: Surroundings) -> Frame:
    """Choose by the condition, or again what was chosen before a checkpoint."""
    before = around.resume
    holds = before.kind == 'then' if isinstance(before, Position) else around.value(step.condition)
    chosen = step.then if holds else step.otherwise
    loop = None if chosen else NO_TIMES
    kind: Literal['then', 'else'] = 'then' if holds else 'else'
    return Sequence(around, Shape(kind, chosen, names_of(chosen), loop=loop, place=step.place))


def element_of(call: Expression, around: Surroundings) -> Found:
    """Give the atom, behavior or plan that a call names.

    Raises RunError where it names none.
    """
    found = around.names.called(call)
    if found is None or not isinstance(found.element, (Atom, Encapsulation, PythonAtom)):
        raise RunError('E201', 'this is no atom, behavior or plan', call.place, around.path)
    return found


def arguments_of(
    call: Expression, parameters: tuple[Parameter, ...], around: Surroundings, found: Found
) -> dict[str, Any]:
    """Give the values of the parameters, those that channels give as they are now."""
    core = around.core
    given: tuple[Argument, ...] = call.arguments if isinstance(call, Call) else ()
    readings = bind_parameters(parameters, given, around.scope(core.now, core.values), found.names)
    return {name: around.now(value, call.place) for name, value in readings.items()}


def _element(call: Expression, around: Surroundings) -> Frame:
    found = element_of(call, around)
    element = found.element
    assert isinstance(element, (Atom, Encapsulation, PythonAtom))
    variables = arguments_of(call, element.parameters, around, found)
    inner = replace(around, names=found.names, variables=variables)
    if isinstance(element, Atom):
        return AtomFrame(inner, element)
    if isinstance(element, PythonAtom):
        return PythonFrame(inner, element)
    shape = around.core.shapes.get(id(element))
    if shape is None:
        shape = around.core.shapes[id(element)] = shape_of_encapsulation(element)
    return Sequence(inner, shape)


def _parallel(step: Parallel, around: Surroundings) -> Frame:
    names = names_of(step.steps)
    frame = ParallelFrame(around, step)
    lanes: list[Frame | None] = []
    for name, child, before in zip(names, step.steps, frame.earlier(), strict=True):
        inner = around.at(f'{around.path}.{name}', frame, child, before.within)
        if before.over:
            lanes.append(None)
        elif _needs_lane(child, around):
            lanes.append(Sequence(inner, Shape('lane', (child,), place=child.place)))
        else:
            lanes.append(make_frame(child, inner, None))
    frame.take(lanes)
    return frame


def _needs_lane(step: Step, around: Surroundings) -> bool:
    """Tell whether endings of a child may ask for more than the parallel itself can do."""
    if not (isinstance(step, Run) and step.call) or step.guard or step.timeout or step.times:
        return True
    element = element_of(step.call, around).element
    if not isinstance(element, Atom):
        return not isinstance(element, PythonAtom)
    actions: list[Action | None] = [guard.action for guard in element.guards]
    if element.timeout:
        actions.append(element.timeout.action)
    return any(actions)


def _reverse(step: Reverse, around: Surroundings, last: Last) -> Frame:
    if step.target is not None:
        stretches, guards = way_back(step.target, around, element_of, arguments_of)
        return WayBackFrame(around, step, stretches, guards)
    if last is None:
        raise RunError('E702', 'nothing was driven before', step.place, around.path)
    if last.first < 0:
        text = 'what was driven before the checkpoint is not known'
        raise RunError('E809', text, step.place, around.path)
    core = around.core
    record = core.recording.during(last, core.now)
    if record is None:
        raise RunError(
            'E702', 'what was driven is too long ago or too much', step.place, around.path
        )
    watches = [watch for watch in core.recording.watches.values() if watch.number >= last.watches]
    return ReplayFrame(around, step, record, watches)
