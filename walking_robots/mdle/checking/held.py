"""Values that an element reads when it is entered and uses later (mdle.md §4.6.3).

Written out in the place of their parameters they would be read anew in every tick.
"""

from collections.abc import Iterator
from typing import Any

from walking_robots.mdle.checking.arguments import arguments_of, match
from walking_robots.mdle.checking.parts import expressions_in, parts_of
from walking_robots.mdle.knowledge.names import Found, spelled
from walking_robots.mdle.language.ast import Atom, Encapsulation, Expression, Segments
from walking_robots.mdle.language.core_notation import CHANGES, OF_ENTRY

__all__ = ['held_arguments', 'held_defaults']


def held_arguments(call: Expression, found: Found | None) -> Iterator[Expression]:
    """Give the arguments of a call that what it runs reads at its entry and uses later."""
    if found and isinstance(found.element, Atom | Encapsulation):
        given = match(found.element.parameters, arguments_of(call)).given
        for name, value in given.items():
            if _is_held(name, value, found.element):
                yield value


def held_defaults(element: Atom | Encapsulation) -> Iterator[Expression]:
    """Give the defaults of an element that it reads at its entry and uses later."""
    for parameter in element.parameters:
        if parameter.default and _is_held(parameter.name, parameter.default, element):
            yield parameter.default


def _is_held(name: str, value: Expression, element: Atom | Encapsulation) -> bool:
    read = _read(value)
    if not read & CHANGES:
        return False
    # A timer, and how long segments last, are settled at the entry too.
    return name in _read(_lasting(element) if not read & OF_ENTRY else element)


def _lasting(element: Atom | Encapsulation) -> tuple[Any, ...]:
    """Give what of an element is read after its entry."""
    if isinstance(element, Encapsulation):
        return element.guards, element.steps, element.handlers, element.cleanup
    control: Any = element.control
    if isinstance(control, Segments):
        control = tuple(segment.vector for segment in control.segments)
    return element.guards, control, element.emissions


def _read(part: Any) -> set[str]:
    """Give the first words of all names in something."""
    return {
        name[0]
        for outermost in expressions_in(part)
        for expression in parts_of(outermost)
        if (name := _first(expression))
    }


def _first(expression: Expression) -> tuple[str, ...]:
    return spelled(getattr(expression, 'base', expression))[:1]
