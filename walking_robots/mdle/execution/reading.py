"""Bind expressions to values at the entry of an element.

What cannot change while the element runs is computed once; what depends on channels, on time or
on the blackboard becomes a closure that is read in every tick. Nothing is ever evaluated as
Python text.
"""

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from walking_robots.mdle.execution.faults import RunError, UnsetError
from walking_robots.mdle.execution.filters import filtered
from walking_robots.mdle.execution.live import (
    Live,
    Reading,
    Values,
    channels_of,
    live,
    mapped,
    now_of,
)
from walking_robots.mdle.execution.operators import combined
from walking_robots.mdle.knowledge.elements import PythonGuard
from walking_robots.mdle.knowledge.functions import FUNCTIONS, MEMBERS
from walking_robots.mdle.knowledge.names import Names
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
from walking_robots.mdle.robot import OutputSpec

__all__ = ['Scope', 'bind', 'bind_all', 'bind_parameters']


@dataclass(frozen=True, slots=True)
class Scope:
    """All that an expression may refer to.

    variables: parameters and outputs, each a value or a Live; entered: when the element began, ns;
    first: the channels then; stretch: factor of time (beta), for laws.
    """

    names: Names
    variables: Mapping[str, Any]
    outputs: Mapping[str, OutputSpec]
    board: Mapping[str, Any]
    entered: int = 0
    first: Values | None = None
    stretch: float = 1.0


def bind(expression: Expression, scope: Scope) -> Reading:
    """Give the value of an expression, or the Live that reads it.

    Raises RunError where a name, an index or a type is wrong, which the checker tells before.
    """
    try:
        return _BINDERS[type(expression)](expression, scope)
    except (ArithmeticError, TypeError, ValueError, IndexError, KeyError) as error:
        raise RunError(
            'E801', f'cannot compute this ({_reason(error)})', expression.place
        ) from None


def bind_all(vector: tuple[Expression, ...], scope: Scope) -> tuple[Reading, ...]:
    """Bind each expression of a vector."""
    return tuple(bind(expression, scope) for expression in vector)


def _reason(error: Exception) -> str:
    return str(error) or type(error).__name__


def _number(expression: Number, scope: Scope) -> Reading:
    return expression.si


def _value(expression: Text | Truth, scope: Scope) -> Reading:
    return expression.value


def _name(expression: Name, scope: Scope) -> Reading:
    name = expression.name
    if name in scope.variables:
        return scope.variables[name]
    if name == 't':
        entered, rate = scope.entered, 1e-9 / scope.stretch
        return Live(lambda y, now: (now - entered) * rate)
    if scope.names.called(expression) is None:
        raise UnsetError(name, expression.place)
    return _element(expression, (), scope)


def _element(expression: Expression, arguments: tuple[Argument, ...], scope: Scope) -> Reading:
    """Bind a constant or an interrupt that is named."""
    found = scope.names.called(expression)
    if found:
        element, names = found
        if isinstance(element, Constant):
            inner = Scope(names, {}, scope.outputs, scope.board, scope.entered, scope.first)
            return bind(element.value, inner)
        if isinstance(element, Interrupt):
            variables = bind_parameters(element.parameters, arguments, scope, names)
            inner = replace(scope, names=names, variables=variables, stretch=1.0)
            return filtered(
                live(bind(element.condition, inner)),
                element.filters,
                [bind(f.duration, inner) if f.duration else 0.0 for f in element.filters],
            )
        if isinstance(element, PythonGuard):
            return _python_guard(element, arguments, scope, names)
    name = getattr(expression, 'name', 'this')
    raise RunError('E201', f"'{name}' has no value here", expression.place)


def bind_parameters(
    parameters: tuple[Parameter, ...],
    arguments: tuple[Argument, ...],
    scope: Scope,
    names: Names,
) -> dict[str, Reading]:
    """Give each parameter its argument, bound where it is written, or its default."""
    given: dict[str, Reading] = {}
    for index, argument in enumerate(arguments):
        name = argument.name or (parameters[index].name if index < len(parameters) else '')
        if name not in {parameter.name for parameter in parameters} or name in given:
            raise RunError('E301', 'wrong arguments', argument.place)
        given[name] = bind(argument.value, scope)
    inner = replace(scope, names=names, variables=given)
    for parameter in parameters:
        if parameter.name not in given:
            if parameter.default is None:
                raise RunError('E301', f"argument '{parameter.name}' is missing", parameter.place)
            given[parameter.name] = bind(parameter.default, inner)
    return given


def _python_guard(
    guard: PythonGuard, arguments: tuple[Argument, ...], scope: Scope, names: Names
) -> Live:
    given = bind_parameters(guard.parameters, arguments, scope, names)
    function = guard.function
    if any(isinstance(value, Live) for value in given.values()):
        return Live(
            lambda y, now: function(y, **{k: now_of(v, y, now) for k, v in given.items()}),
            channels_of(*given.values()) | {(name, '') for name in guard.reads},
        )
    return Live(lambda y, now: function(y, **given), frozenset((n, '') for n in guard.reads))


def _member(expression: Member, scope: Scope) -> Reading:
    parts: list[str] = []
    base: Expression = expression
    while isinstance(base, Member):
        parts.insert(0, base.name)
        base = base.base
    if isinstance(base, Partner) and isinstance(base.base, Name) and base.base.name == 'y':
        return _parts(_partner_channel(base, parts[0], scope), parts[1:], expression)
    if isinstance(base, Name) and base.name not in scope.variables:
        if base.name in ('y', 'y0'):
            return _observed(base.name, parts, expression, scope)
        if base.name == 'bb':
            return _parts(_kept(parts[0], expression, scope), parts[1:], expression)
        if scope.names.called(expression):
            return _element(expression, (), scope)
    return _parts(bind(base, scope), parts, expression)


def _kept(name: str, expression: Member, scope: Scope) -> Live:
    board = scope.board

    def kept(y: Values, now: int) -> Any:
        if name not in board:
            raise UnsetError(f'bb.{name}', expression.place)
        return board[name]

    return Live(kept)


def _observed(root: str, parts: list[str], expression: Member, scope: Scope) -> Reading:
    """Bind a channel; the longest name that the robot offers is it, the rest are its parts."""
    for length in range(len(parts), 0, -1):
        channel = '.'.join(parts[:length])
        if channel in scope.outputs:
            if root == 'y':
                return _parts(_channel(channel), parts[length:], expression)
            first = scope.first
            if first is None or channel not in first:
                raise RunError('E804', f'{channel} was not known at entry', expression.place)
            return _parts(first[channel], parts[length:], expression)
    raise RunError('E202', f"the robot has no output '{'.'.join(parts)}'", expression.place)


def _channel(channel: str) -> Live:
    return Live(lambda y, now: y[channel], frozenset([(channel, '')]))


def _partner_channel(partner: Partner, name: str, scope: Scope) -> Live:
    channel, place = f'@{partner.name}.{name}', partner.place
    if not any(known.startswith(f'@{partner.name}.') for known in scope.outputs):
        text = f'partner {partner.name} is not listened to: parameter partners'
        raise RunError('E808', text, place)

    def told(y: Values, now: int) -> Any:
        if channel not in y:
            text = f'partner {partner.name} tells no {name}: its parameter shared_outputs'
            raise RunError('E808', text, place)
        return y[channel]

    return Live(told, frozenset([(channel, '')]))


def _parts(reading: Reading, parts: list[str], expression: Expression) -> Reading:
    for part in parts:
        index = next((named[part][1] for named in MEMBERS.values() if part in named), None)
        if index is None:
            raise RunError('E302', f"nothing here has a part '{part}'", expression.place)
        reading = mapped(operator.itemgetter(index), reading)
    return reading


def _index(expression: Index, scope: Scope) -> Reading:
    return mapped(_item, bind(expression.base, scope), bind(expression.index, scope))


def _item(values: tuple[Any, ...], index: float) -> Any:
    whole = int(index)
    if whole != index or not 0 <= whole < len(values):
        raise RunError('E801', f'index {index:g} is outside 0 .. {len(values) - 1}')
    return values[whole]


def _slice(expression: Slice, scope: Scope) -> Reading:
    return mapped(
        lambda values, low, high: tuple(_item(values, i) for i in range(int(low), int(high) + 1)),
        bind(expression.base, scope),
        bind(expression.low, scope),
        bind(expression.high, scope),
    )


def _call(expression: Call, scope: Scope) -> Reading:
    base = expression.base
    own = scope.names.called(base)
    if own is None and isinstance(base, Name) and base.name in FUNCTIONS:
        readings = [bind(argument.value, scope) for argument in expression.arguments]
        return mapped(FUNCTIONS[base.name].apply, *readings)
    if own and isinstance(own.element, Law) and own.element.vector is not None:
        variables = bind_parameters(own.element.parameters, expression.arguments, scope, own.names)
        inner = replace(scope, names=own.names, variables=variables)
        return mapped(lambda *vector: vector, *bind_all(own.element.vector, inner))
    return _element(base, expression.arguments, scope)


def _unary(expression: Unary, scope: Scope) -> Reading:
    operand = bind(expression.operand, scope)
    return mapped(operator.not_ if expression.operator == 'not' else operator.neg, operand)


def _binary(expression: Binary, scope: Scope) -> Reading:
    left, right = bind(expression.left, scope), bind(expression.right, scope)
    return combined(expression.operator, left, right)


def _partner(expression: Partner, scope: Scope) -> Reading:
    raise RunError('E302', 'name a channel of the partner', expression.place)


_BINDERS: dict[type, Callable[[Any, Scope], Reading]] = {
    Number: _number,
    Text: _value,
    Truth: _value,
    Name: _name,
    Member: _member,
    Partner: _partner,
    Index: _index,
    Slice: _slice,
    Call: _call,
    Unary: _unary,
    Binary: _binary,
}
