"""The expressions of an element, and what is called in them."""

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from walking_robots.mdle.knowledge.names import Names, spelled
from walking_robots.mdle.language.ast import (
    Binary,
    Call,
    Condition,
    Expression,
    Index,
    Member,
    Name,
    Number,
    Parallel,
    Parameter,
    Partner,
    Run,
    Slice,
    Step,
    Text,
    Truth,
    Unary,
)

__all__ = ['calls_of', 'expressions_in', 'outputs_of', 'outputs_of_run', 'parts_of']

_EXPRESSIONS = {
    Number, Text, Truth, Name, Member, Partner, Index, Slice, Call, Unary, Binary,
}  # fmt: skip
_LEAVES = {str, int, float, bool, type(None)}


_FIELDS: dict[type, tuple[str, ...]] = {}


def _fields(kind: type) -> tuple[str, ...]:
    if kind not in _FIELDS:
        known = fields(kind) if is_dataclass(kind) else ()
        _FIELDS[kind] = tuple(f.name for f in known if f.name not in ('place', 'name'))
    return _FIELDS[kind]


def expressions_in(part: Any) -> Iterator[Expression]:
    """Give the outermost expressions of an element, in the order of its fields."""
    waiting = [part]
    while waiting:
        here = waiting.pop()
        kind = type(here)
        if kind in _EXPRESSIONS:
            yield here
        elif kind is tuple:
            waiting += reversed(here)
        elif kind not in _LEAVES:
            waiting += [getattr(here, name) for name in reversed(_fields(kind))]


def parts_of(expression: Expression) -> Iterator[Expression]:
    """Give an expression and all in it; of a dotted name only the whole, not its beginning."""
    waiting: list[Any] = [expression]
    while waiting:
        here = waiting.pop()
        yield here
        if isinstance(here, Call):
            waiting += [argument.value for argument in reversed(here.arguments)]
            if not spelled(here.base):
                waiting.append(here.base)
        elif not spelled(here):
            inner = (getattr(here, name) for name in reversed(_fields(type(here))))
            waiting += [item for item in inner if type(item) in _EXPRESSIONS]


def calls_of(element: Any, parts: Iterable[Expression], names: Names) -> Iterator[Expression]:
    """Give all that an element names: what it calls, and bare names but for its variables.

    parts: all expressions in it.
    """
    own = {p.name for p in getattr(element, 'parameters', ()) if isinstance(p, Parameter)}
    own |= {name for name, _ in outputs_of(getattr(element, 'steps', ()), names)}
    for part in parts:
        name = spelled(part)
        if name and (len(name) > 1 or name[0] not in own or isinstance(part, Call)):
            yield part


def outputs_of(steps: Iterable[Step], names: Names) -> Iterator[tuple[str, Parameter | None]]:
    """Give the names that steps write, wherever in them, each with what the element declares."""
    waiting = list(steps)
    for step in waiting:
        if isinstance(step, Run):
            yield from outputs_of_run(step, names)
            waiting += step.steps
        elif isinstance(step, Parallel):
            waiting += step.steps
        elif isinstance(step, Condition):
            waiting += step.then + step.otherwise


def outputs_of_run(step: Run, names: Names) -> list[tuple[str, Parameter | None]]:
    """Give the names that one step writes; with a name before it, only that one."""
    found = names.called(step.call) if step.call else None
    outputs: tuple[Parameter, ...] = getattr(found.element, 'outputs', ()) if found else ()
    if not step.output:
        return [(output.name, output) for output in outputs]
    same = [output for output in outputs if output.name == step.output]
    return [(step.output, next(iter((*same, *outputs)), None))]
