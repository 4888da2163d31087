"""What names mean in one run of an element, as far as it is known before."""

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from walking_robots.mdle.analysis.intervals import ANYTHING, EITHER, FALSE, TRUE, Interval
from walking_robots.mdle.knowledge.names import Found, Names, spelled
from walking_robots.mdle.language.ast import (
    Binary,
    Call,
    Expression,
    Index,
    Member,
    Name,
    Number,
    Partner,
    Slice,
    Text,
    Truth,
    Unary,
)
from walking_robots.mdle.robot import RobotSpec

__all__ = ['PARTS', 'Bound', 'Scope', 'Value', 'called_in', 'number', 'remembered', 'truth']

Value = Interval | str | tuple[Interval, ...] | None
"""Of a quantity, truth value or list; of a string; of a control; of anything else."""

T = TypeVar('T')

DEEPEST = 120
"""Levels of expressions, of interrupts that call interrupts together, that are followed."""

CALL = 4
"""Levels that a call counts for, besides those of what is called."""


class Bound(NamedTuple):
    """The value of a variable; key: equal where the value is certainly equal, None: unknown."""

    value: Value = None
    key: Hashable = None


@dataclass(frozen=True, slots=True)
class Scope:
    """What expressions mean in one run of an element.

    live: what the variables read, where an argument of an interrupt reads channels; frame: tells
    elements apart, for ``t`` and ``y0``; memory: what was found of interrupts before, so that
    those that call each other cost no more than they are.
    """

    names: Names
    robot: RobotSpec | None
    variables: Mapping[str, Bound]
    live: frozenset[str] = frozenset()
    frame: int = 0
    depth: int = 0
    memory: dict[Hashable, Any] = field(default_factory=dict)

    def deeper(
        self,
        called: Expression | None,
        names: Names,
        variables: Mapping[str, Bound],
        live: frozenset[str] = frozenset(),
    ) -> 'Scope':
        """Give the scope of an expression that is called from here, such as a condition."""
        depth = self.depth + CALL
        if called:
            key = ('height', id(called))
            if key not in self.memory:
                self.memory[key] = _height(called)
            depth += self.memory[key]
        return Scope(names, self.robot, variables, live, self.frame, depth, self.memory)

    @property
    def too_deep(self) -> bool:
        """Tell whether what is called is not followed any more."""
        return self.depth > DEEPEST


def number(value: Value) -> Interval:
    """Give a value as an interval; what is no number is anything."""
    return value if isinstance(value, Interval) else ANYTHING


def truth(value: Value) -> Interval:
    """Give a value as a truth value; what is none may be either."""
    return value if isinstance(value, Interval) and value in (FALSE, TRUE) else EITHER


PARTS: dict[type, Callable[[Any], list[Expression]]] = {
    Number: lambda e: [],
    Text: lambda e: [],
    Truth: lambda e: [],
    Name: lambda e: [],
    Member: lambda e: [e.base],
    Partner: lambda e: [e.base],
    Index: lambda e: [e.base, e.index],
    Slice: lambda e: [e.base, e.low, e.high],
    Call: lambda e: [argument.value for argument in e.arguments],
    Unary: lambda e: [e.operand],
    Binary: lambda e: [e.left, e.right],
}
"""The expressions in an expression."""


def _height(expression: Expression) -> int:
    """Give the levels of an expression."""
    return 1 + max(map(_height, PARTS[type(expression)](expression)), default=0)


def called_in(expression: Expression, scope: Scope) -> Found | None:
    """Give the element that is called, None where a variable or a function is meant."""
    parts = spelled(expression)
    if not parts or parts[0] in scope.variables:
        return None
    return scope.names.find(*parts)


def remembered(scope: Scope, element: object, find: Callable[[], T], *more: Hashable) -> T:
    """Give what was found of an element with these variables before, or find it."""
    key = (id(element), tuple(scope.variables.items()), *more)
    if key not in scope.memory:
        scope.memory[key] = find()
    found: T = scope.memory[key]
    return found
