"""What values expressions can have, by the ranges of the robot's channels (mdle.md §7).

Everything here holds for certain or says nothing: a value that is not known is None, or the
interval of all numbers.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

from walking_robots.mdle.checking.arguments import arguments_of, match
from walking_robots.mdle.checking.channels import reached
from walking_robots.mdle.checking.intervals import (
    ANYTHING,
    EITHER,
    FALSE,
    FUNCTION_RANGES,
    OPERATOR_RANGES,
    TRUE,
    Interval,
    hull,
    negated,
    point,
    product,
)
from walking_robots.mdle.knowledge.elements import PythonGuard
from walking_robots.mdle.knowledge.functions import FUNCTIONS
from walking_robots.mdle.knowledge.names import Found, Names, spelled
from walking_robots.mdle.language.expressions import (
    Argument,
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
from walking_robots.mdle.language.program import Constant, Interrupt, Law, Parameter
from walking_robots.mdle.robot import RobotSpec

__all__ = [
    'Bound',
    'Scope',
    'Value',
    'bind',
    'inside',
    'key_of',
    'number',
    'reads',
    'remembered',
    'truth',
    'value_of',
    'vector_of',
]

Value = Interval | str | tuple[Interval, ...] | None
"""Of a quantity, truth value or list; of a string; of a control; of anything else."""

T = TypeVar('T')

DEEPEST = 120
"""Levels of expressions, of interrupts that call interrupts together, that are followed."""

CALL = 4
"""Levels that a call counts for, besides those of what is called."""

UNKNOWN = frozenset('?')
"""What an expression reads that is too deep to be followed: something that may change."""


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
        depth = self.depth + CALL + (_height(called) if called else 0)
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


def value_of(expression: Expression, scope: Scope) -> Value:
    """Give what an expression can be."""
    return _VALUED[type(expression)](expression, scope)


def vector_of(
    vector: Sequence[Expression] | Expression, scope: Scope
) -> tuple[Interval, ...] | None:
    """Give what a control can be, channel after channel; None where that is not known."""
    if isinstance(vector, Sequence):
        return tuple(number(value_of(expression, scope)) for expression in vector)
    value = value_of(vector, scope)
    return value if isinstance(value, tuple) and not isinstance(value, Interval) else None


def bind(
    parameters: Sequence[Parameter],
    arguments: Sequence[Argument],
    scope: Scope,
    names: Names,
) -> dict[str, Bound]:
    """Give each parameter what its argument, or its default, can be."""
    given = match(parameters, arguments).given
    bound = {
        name: Bound(value_of(expression, scope), key_of(expression, scope))
        for name, expression in given.items()
    }
    inner = scope.deeper(None, names=names, variables=bound)
    for parameter in parameters:
        if parameter.name not in bound:
            default = parameter.default
            bound[parameter.name] = (
                Bound(value_of(default, inner), key_of(default, inner)) if default else Bound()
            )
    return bound


def reads(expression: Expression, scope: Scope) -> frozenset[str]:
    """Give all that may change while an element runs and that an expression reads.

    Channels by name, those of partners as '@name', of the blackboard as 'bb', and 't'.
    """
    if scope.too_deep:
        return UNKNOWN
    if isinstance(expression, Name) and expression.name in scope.variables:
        return scope.live
    found = reached(expression, scope.variables, scope.robot)
    if found:
        if found.kind == 'entry':
            return frozenset()
        kinds = {'now': found.channel, 'partner': f'@{found.channel}', 'board': 'bb'}
        return frozenset([kinds[found.kind]])
    if isinstance(expression, Name) and expression.name == 't':
        return frozenset('t')
    if isinstance(expression, Name | Call) or spelled(expression):
        called = _called(expression, scope)
        if called:
            return _reads_of(called, expression, scope)
    parts = _PARTS[type(expression)](expression)
    return frozenset[str]().union(*(reads(part, scope) for part in parts))


def _reads_of(called: Found, expression: Expression, scope: Scope) -> frozenset[str]:
    element = called.element
    given = frozenset[str]().union(
        *(reads(argument.value, scope) for argument in arguments_of(expression))
    )
    if isinstance(element, Interrupt):
        names = {parameter.name: Bound() for parameter in element.parameters}
        within = scope.deeper(element.condition, names=called.names, variables=names, live=given)
        found = remembered(
            within, element, lambda: reads(element.condition, within), 'reads', within.live
        )
        return given | found
    if isinstance(element, PythonGuard):
        return given | (element.reads or frozenset('t'))
    return given


_PARTS: dict[type, Callable[[Any], list[Expression]]] = {
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


def _height(expression: Expression) -> int:
    """Give the levels of an expression."""
    return 1 + max(map(_height, _PARTS[type(expression)](expression)), default=0)


def _called(expression: Expression, scope: Scope) -> Found | None:
    """Give the element that is called, None where a variable or a function is meant."""
    parts = spelled(expression)
    if not parts or parts[0] in scope.variables:
        return None
    return scope.names.find(*parts)


def _named(expression: Name, scope: Scope) -> Value:
    if expression.name in scope.variables:
        return scope.variables[expression.name].value
    if expression.name == 't':
        return Interval(0.0, float('inf'))
    return _element(expression, scope)


def _element(expression: Expression, scope: Scope) -> Value:
    called = _called(expression, scope)
    if called is None or scope.too_deep:
        return None
    element, names = called
    if isinstance(element, Constant):
        inner = scope.deeper(element.value, names=names, variables={})
        return remembered(inner, element, lambda: value_of(element.value, inner))
    if isinstance(element, PythonGuard):
        return EITHER
    if isinstance(element, Interrupt):
        within = inside(called, expression, scope)
        true = remembered(within, element, lambda: truth(value_of(element.condition, within)))
        return _filtered(true, element)
    if isinstance(element, Law) and element.vector is not None:
        return vector_of(element.vector, inside(called, expression, scope))
    return None


def remembered(scope: Scope, element: object, find: Callable[[], T], *more: Hashable) -> T:
    """Give what was found of an element with these variables before, or find it."""
    key = (id(element), tuple(scope.variables.items()), *more)
    if key not in scope.memory:
        scope.memory[key] = find()
    found: T = scope.memory[key]
    return found


def inside(called: Found, expression: Expression, scope: Scope) -> Scope:
    """Give the scope of the condition of an interrupt, or of a law, that is called."""
    element, names = called
    arguments = arguments_of(expression)
    parameters = getattr(element, 'parameters', ())
    return scope.deeper(
        getattr(element, 'condition', None),
        names=names,
        variables=bind(parameters, arguments, scope, names),
        live=frozenset[str]().union(*(reads(a.value, scope) for a in arguments)),
    )


def _filtered(true: Interval, interrupt: Interrupt) -> Interval:
    """Give what the filters leave of a condition: ``hold`` waits, ``edge`` wants a change."""
    kinds = {item.kind for item in interrupt.filters}
    policies = {item.policy for item in interrupt.filters}
    if true == TRUE:
        return FALSE if 'edge' in kinds else EITHER if kinds & {'hold', 'debounce'} else TRUE
    return EITHER if 'true' in policies else true


def _member(expression: Member, scope: Scope) -> Value:
    found = reached(expression, scope.variables, scope.robot)
    if found:
        known = found.spec is not None and not found.parts and found.kind != 'partner'
        if found.spec is None or not known:
            return None
        if found.spec.type == 'bool':
            return EITHER
        if found.spec.type in ('str', 'pose', 'point', 'path'):
            return None
        return Interval(found.spec.low, found.spec.high)
    return _element(expression, scope) if spelled(expression) else None


def _nothing(expression: Expression, scope: Scope) -> Value:
    return None


def _index(expression: Index, scope: Scope) -> Value:
    base = value_of(expression.base, scope)
    if isinstance(base, tuple) and not isinstance(base, Interval):
        index = number(value_of(expression.index, scope))
        inside = index.known and index.low == int(index.low) and 0 <= index.low < len(base)
        return base[int(index.low)] if inside else hull(*base) if base else None
    return base


def _slice(expression: Slice, scope: Scope) -> Value:
    return value_of(expression.base, scope)


def _call(expression: Call, scope: Scope) -> Value:
    base = expression.base
    if _called(base, scope):
        return _element(expression, scope)
    if not isinstance(base, Name) or base.name not in FUNCTIONS:
        return None
    values = [number(value_of(argument.value, scope)) for argument in expression.arguments]
    if base.name == 'pursue' and len(values) == 3:
        turn = product(point(1.5), FUNCTION_RANGES['bearing'](values))
        return product(values[2], Interval(0.0, 1.0)), turn
    ranged = FUNCTION_RANGES.get(base.name)
    try:
        return ranged(values) if ranged else None
    except (IndexError, ValueError, OverflowError):
        # Arguments that the types already forbid.
        return None


def _unary(expression: Unary, scope: Scope) -> Value:
    value = value_of(expression.operand, scope)
    if expression.operator == 'not':
        true = truth(value)
        return Interval(1.0 - true.high, 1.0 - true.low)
    return negated(number(value))


def _binary(expression: Binary, scope: Scope) -> Value:
    left, right = value_of(expression.left, scope), value_of(expression.right, scope)
    symbol = expression.operator
    if symbol in ('and', 'or'):
        return OPERATOR_RANGES[symbol](truth(left), truth(right))
    if symbol in ('==', '!='):
        if isinstance(left, str) and isinstance(right, str):
            return TRUE if (left == right) == (symbol == '==') else FALSE
        if not (isinstance(left, Interval) and isinstance(right, Interval)):
            return EITHER
    return OPERATOR_RANGES[symbol](number(left), number(right))


_VALUED: dict[type, Callable[[Any, Scope], Value]] = {
    Number: lambda e, scope: point(e.si),
    Text: lambda e, scope: e.value,
    Truth: lambda e, scope: TRUE if e.value else FALSE,
    Name: _named,
    Member: _member,
    Partner: _nothing,
    Index: _index,
    Slice: _slice,
    Call: _call,
    Unary: _unary,
    Binary: _binary,
}


def key_of(expression: Expression, scope: Scope) -> Hashable:
    """Give what is equal only for expressions that are always equal, None where that is open."""
    known = value_of(expression, scope)
    if isinstance(known, str) or (isinstance(known, Interval) and known.known):
        return ('value', known)
    if isinstance(expression, Name) and expression.name in scope.variables:
        return scope.variables[expression.name].key
    if isinstance(expression, Name) and expression.name == 't':
        return ('t', scope.frame)
    found = reached(expression, scope.variables, scope.robot)
    if found:
        mark = scope.frame if found.kind == 'entry' else 0
        return (found.kind, found.partner, found.channel, found.parts, mark)
    called = _called(expression, scope)
    if called:
        if scope.too_deep or not isinstance(called.element, Constant):
            return None
        value = called.element.value
        return key_of(value, scope.deeper(value, names=called.names, variables={}))
    heads: dict[type, Callable[[Any], Hashable]] = {
        Call: lambda e: spelled(e.base),
        Unary: lambda e: e.operator,
        Binary: lambda e: e.operator,
        Index: lambda e: '[]',
        Slice: lambda e: '[..]',
        Member: lambda e: e.name,
    }
    head = heads.get(type(expression))
    keys = [key_of(part, scope) for part in _PARTS[type(expression)](expression)]
    return (head(expression), *keys) if head and None not in keys else None
