"""Expressions with all names replaced by what they stand for.

What is left reads channels, the blackboard and time, and calls functions. Two conditions that say
the same in different words are then equal trees.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from walking_robots.mdle.analysis.references import (
    arguments_of,
    channel_read,
    match_arguments,
)
from walking_robots.mdle.knowledge.elements import PythonGuard
from walking_robots.mdle.knowledge.names import Found, Names, spelled
from walking_robots.mdle.language import ast
from walking_robots.mdle.language.ast import Expression, children, walk
from walking_robots.mdle.language.limits import excess
from walking_robots.mdle.robot import RobotSpec

UNKNOWN = ast.Name('?')
"""Stands for a value that is not followed: something that may change."""

ROOTS = {'y', 'y0', 'bb', 't', '?'}
"""Names that are left where something is read that changes."""

MOST_NAMES = 200
"""Names that are replaced in one expression."""

DEEPEST = 100
"""Levels of an expression with its names replaced."""

LARGEST = 500
"""Parts of an argument with its names replaced."""


@dataclass(frozen=True, slots=True)
class AtEntry(ast.Node):
    """The value that an expression had when the element was entered."""

    value: Any


@dataclass(frozen=True, slots=True)
class Filtered(ast.Node):
    """An interrupt with filters."""

    interrupt: ast.Interrupt
    condition: Any
    filters: tuple[ast.Filter, ...]


@dataclass(frozen=True, slots=True)
class GuardCall(ast.Node):
    """The call of a guard in Python."""

    guard: PythonGuard
    arguments: tuple[ast.Argument, ...]


ROBOT_LIMITS = ast.Member(ast.Name('y'), 'limit')
"""Channels that never change: to read them at entry or later is the same."""

ANY_VALUE = AtEntry(UNKNOWN)
"""A value of which only is known that it does not change."""


@dataclass(frozen=True, slots=True)
class Scope:
    """What expressions mean in one run of an element.

    variables: its parameters, each with its value; frame: keeps elements apart, for ``t`` and
    ``y0``.
    """

    names: Names
    robot: RobotSpec | None
    variables: Mapping[str, Any] = field(default_factory=dict)
    frame: int = 0

    def called(self, expression: Expression) -> Found | None:
        """Return the element that is called, None where a variable or a function is meant."""
        parts = spelled(expression)
        return self.names.find(*parts) if parts and parts[0] not in self.variables else None

    def inlined(self, expression: Expression) -> Any:
        """Return an expression with its names replaced."""
        return _Inliner().expression(expression, self)

    def bound(self, found: Found, arguments: Sequence[ast.Argument]) -> dict[str, Any]:
        """Return the parameters of what is called from here, with the values of the arguments."""
        parameters = getattr(found.element, 'parameters', ())
        return _Inliner().bound(parameters, arguments, self, found.names)

    def entered(self, found: Found, arguments: Sequence[ast.Argument]) -> dict[str, Any]:
        """Return the parameters of an element that is run, read at its entry."""
        return {name: _fixed(value) for name, value in self.bound(found, arguments).items()}


def _limited(value: Any) -> Any:
    if value is None:
        return ANY_VALUE
    return UNKNOWN if not isinstance(value, ast.Number) and excess(value, LARGEST) else value


def _fixed(value: Any) -> Any:
    """Return a value as it is kept while an element runs."""
    if isinstance(value, ast.Number):
        return value
    names = [part.name for part in walk(value) if isinstance(part, ast.Name)]
    read = ROOTS & set(names)
    if names.count('y') == sum(part == ROBOT_LIMITS for part in walk(value)):
        read -= {'y'}
    if UNKNOWN.name in read:
        return ANY_VALUE
    return AtEntry(value, place=value.place) if read else value


class _Inliner:
    """Replaces the names in one expression; ``left``: how many more."""

    def __init__(self) -> None:
        self.left = MOST_NAMES

    def expression(self, node: Any, scope: Scope, depth: int = 0) -> Any:
        """Return a part of an expression with its names replaced."""
        if depth > DEEPEST:
            return UNKNOWN
        if isinstance(node, ast.Number):
            return node
        if isinstance(node, ast.Name) and node.name in scope.variables:
            return scope.variables[node.name]
        found = scope.called(node)
        if found and isinstance(found.element, ast.Constant | ast.Interrupt | PythonGuard):
            return self._declared(found, node, scope, depth)
        if isinstance(node, ast.Call) and spelled(node.base):
            return replace(node, arguments=self._arguments(node.arguments, scope, depth))
        return ast.map_children(node, lambda part: self.expression(part, scope, depth + 1))

    def _arguments(
        self, arguments: Sequence[ast.Argument], scope: Scope, depth: int
    ) -> tuple[ast.Argument, ...]:
        return tuple(
            replace(item, value=self.expression(item.value, scope, depth + 1))
            for item in arguments
        )

    def bound(
        self,
        parameters: Sequence[ast.Parameter],
        arguments: Sequence[ast.Argument],
        scope: Scope,
        names: Names,
        depth: int = 0,
    ) -> dict[str, Any]:
        """Return the value of each parameter: of its argument, or of its default."""
        given = match_arguments(parameters, arguments).given
        values = {key: self.expression(item, scope, depth + 1) for key, item in given.items()}
        for item in parameters:
            if item.name not in values:
                # A default may name the parameters before it.
                inner = Scope(names, scope.robot, dict(values), scope.frame)
                default = item.default
                values[item.name] = default and self.expression(default, inner, depth + 1)
        return {key: _limited(value) for key, value in values.items()}

    def _declared(self, found: Found, node: Any, scope: Scope, depth: int) -> Any:
        """Return what a constant says, or a guard."""
        element: Any = found.element
        names, arguments = found.names, arguments_of(node)
        if isinstance(element, PythonGuard):
            return GuardCall(element, self._arguments(arguments, scope, depth), place=node.place)
        if not self.left:
            return UNKNOWN
        self.left -= 1
        if isinstance(element, ast.Constant):
            return self.expression(element.value, Scope(names, scope.robot), depth + 1)
        variables = self.bound(element.parameters, arguments, scope, names, depth)
        inner = Scope(names, scope.robot, variables, scope.frame)
        condition = self.expression(element.condition, inner, depth + 1)
        if not element.filters:
            return condition
        filters = tuple(self._filter(item, inner, depth) for item in element.filters)
        return Filtered(element, condition, filters, place=node.place)

    def _filter(self, item: ast.Filter, scope: Scope, depth: int) -> ast.Filter:
        duration = item.duration and self.expression(item.duration, scope, depth + 1)
        return replace(item, duration=duration)


def reads(expression: Any, robot: RobotSpec | None) -> frozenset[str]:
    """Return all that an expression reads and that may change while an element runs.

    Channels by name, those of partners as '@name', of the blackboard as 'bb', 't', and '?' for
    what is not followed.
    """
    found, waiting = set[str](), [expression]
    while waiting:
        part = waiting.pop()
        read = channel_read(part, (), robot)
        if read:
            if read.kind != 'entry':
                marks = {'now': read.channel, 'partner': f'@{read.channel}', 'board': 'bb'}
                found.add(marks[read.kind])
        elif isinstance(part, ast.Name) and part.name in ('t', '?'):
            found.add(part.name)
        elif not isinstance(part, AtEntry):
            if isinstance(part, GuardCall):
                found |= part.guard.reads or {'t'}
            waiting += children(part)
    return frozenset(found)
