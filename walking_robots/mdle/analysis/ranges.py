"""What values expressions can have, by the ranges of the robot's channels (mdle.md §7).

Everything here holds for certain or says nothing: a value that is not known is None, or the
interval of all numbers.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Any

from walking_robots.mdle.analysis.arguments import arguments_of, match
from walking_robots.mdle.analysis.channels import reached
from walking_robots.mdle.analysis.dependence import reads
from walking_robots.mdle.analysis.intervals import (
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
from walking_robots.mdle.analysis.scopes import (
    PARTS,
    Bound,
    Scope,
    Value,
    called_in,
    number,
    remembered,
    truth,
)
from walking_robots.mdle.knowledge.elements import PythonGuard
from walking_robots.mdle.knowledge.functions import FASTEST_TURN, FUNCTIONS
from walking_robots.mdle.knowledge.names import Found, Names, spelled
from walking_robots.mdle.language.ast import (
    Argument,
    Binary,
    Call,
    Constant,
    Expression,
    Index,
    Interrupt,
    Law,
    Member,
    Name,
    Number,
    Parameter,
    Partner,
    Slice,
    Text,
    Truth,
    Unary,
)

__all__ = ['bind', 'inside', 'key_of', 'value_of', 'vector_of']


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


def _named(expression: Name, scope: Scope) -> Value:
    if expression.name in scope.variables:
        return scope.variables[expression.name].value
    if expression.name == 't':
        return Interval(0.0, float('inf'))
    return _element(expression, scope)


def _element(expression: Expression, scope: Scope) -> Value:
    called = called_in(expression, scope)
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


def inside(called: Found, expression: Expression, scope: Scope) -> Scope:
    """Give the scope of the condition of an interrupt, or of a law, that is called."""
    key = ('inside', id(expression), scope.frame, scope.depth)
    known = scope.memory.get(key)
    # The same words may be looked at with other variables, so these are compared too.
    if known is None or known[0] is not scope.variables or known[1] is not scope.names:
        known = scope.variables, scope.names, _inside(called, expression, scope)
        scope.memory[key] = known
    within: Scope = known[2]
    return within


def _inside(called: Found, expression: Expression, scope: Scope) -> Scope:
    element, names = called
    arguments = arguments_of(expression)
    return scope.deeper(
        getattr(element, 'condition', None),
        names,
        bind(getattr(element, 'parameters', ()), arguments, scope, names),
        frozenset[str]().union(*(reads(a.value, scope) for a in arguments)),
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
    if called_in(base, scope):
        return _element(expression, scope)
    if not isinstance(base, Name) or base.name not in FUNCTIONS:
        return None
    values = [number(value_of(argument.value, scope)) for argument in expression.arguments]
    if base.name == 'pursue' and len(values) == 3:
        turn = Interval(-FASTEST_TURN, FASTEST_TURN)
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
    called = called_in(expression, scope)
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
    keys = [key_of(part, scope) for part in PARTS[type(expression)](expression)]
    return (head(expression), *keys) if head and None not in keys else None
