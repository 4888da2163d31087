"""Tell whether ``reverse last`` would take back what was driven before a checkpoint."""

from walking_robots.mdle.execution.positions import Position
from walking_robots.mdle.execution.shape import Shape
from walking_robots.mdle.knowledge.elements import PythonAtom
from walking_robots.mdle.knowledge.names import Names
from walking_robots.mdle.language.ast import (
    Atom,
    Condition,
    Encapsulation,
    Parallel,
    Reverse,
    Run,
    Step,
)

__all__ = ['wants_lost']


def wants_lost(shape: Shape, before: Position, names: Names) -> bool:
    """Tell whether a container comes to ``reverse last`` before anything that may drive again."""
    if not (before.drove_before or before.drove):
        return False
    steps, at = shape.steps, before.step
    following = steps[at + 1 :] + (steps[: at + 1] if shape.loop else ())
    if not before.drove or _goes_back(steps[at]):
        following = (steps[at], *following)
    for step in following:
        if _goes_back(step):
            return True
        if _may_drive(step, names, set()):
            return False
    return False


def _goes_back(step: Step) -> bool:
    return isinstance(step, Reverse) and step.target is None


def _may_drive(step: Step, names: Names, seen: set[int]) -> bool:
    """Tell whether an element in a step has a control; ``seen``: those that were looked at."""
    if isinstance(step, Reverse):
        return True
    if isinstance(step, Condition):
        return any(_may_drive(part, names, seen) for part in step.then + step.otherwise)
    if isinstance(step, Parallel) or (isinstance(step, Run) and not step.call):
        return any(_may_drive(part, names, seen) for part in step.steps)
    assert step.call is not None
    found = names.called(step.call)
    if found is None or id(found.element) in seen:
        return False
    element = found.element
    seen.add(id(element))
    if isinstance(element, Encapsulation):
        return any(_may_drive(part, found.names, seen) for part in element.steps)
    return isinstance(element, (Atom, PythonAtom)) and element.space != 'none'
