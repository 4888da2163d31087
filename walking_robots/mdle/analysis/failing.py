"""Whether steps may fail, by what is written in them and in what they call (mdle.md §4.14)."""

from collections.abc import Iterable

from walking_robots.mdle.analysis.courses import passes
from walking_robots.mdle.knowledge.names import Element, Names
from walking_robots.mdle.language.ast import (
    Action,
    Atom,
    Condition,
    Encapsulation,
    Guard,
    Parallel,
    Run,
    Step,
    Timeout,
)

__all__ = ['may_fail']


def may_fail(step: Step, names: Names) -> bool:
    """Tell whether a step, or anything in it, may end in a failure."""
    waiting: list[tuple[Step, Names]] = [(step, names)]
    seen = set[int]()
    while waiting:
        here, known = waiting.pop()
        if isinstance(here, Parallel):
            waiting += [(child, known) for child in here.steps]
        elif isinstance(here, Condition):
            waiting += [(child, known) for child in here.then + here.otherwise]
        elif not isinstance(here, Run):
            return True
        else:
            found = known.called(here.call) if here.call else None
            if found and id(found.element) not in seen:
                seen.add(id(found.element))
                if _fails(found.element):
                    return True
                waiting += [(child, found.names) for child in getattr(found.element, 'steps', ())]
            guards = (here.guard,) if here.guard else ()
            gentle = found is not None and not isinstance(found.element, Encapsulation)
            if _ends_in_failure(guards, here.timeout, gentle):
                return True
            waiting += [(child, known) for child in here.steps]
    return False


def _fails(element: Element) -> bool:
    """Tell whether an element itself may fail, what is in it aside."""
    if isinstance(element, Atom):
        return _ends_in_failure(element.guards, element.timeout, gentle=True)
    if isinstance(element, Encapsulation):
        failing = _ends_in_failure(element.guards, element.timeout, gentle=False)
        answers = any(not passes(handler.action) for handler in element.handlers)
        return failing or answers or bool(element.requires)
    return True


def _ends_in_failure(guards: Iterable[Guard], timeout: Timeout | None, gentle: bool) -> bool:
    actions: list[Action | None] = [guard.action for guard in guards]
    if timeout:
        if timeout.action is None and not gentle:
            return True
        actions.append(timeout.action)
    return any(action and not passes(action) for action in actions)
