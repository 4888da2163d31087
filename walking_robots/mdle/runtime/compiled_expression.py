"""Compile expressions at the entry of an element.

What cannot change while the element runs is computed once; what depends on channels, on time or
on the blackboard becomes a closure that is read in every tick. Nothing is ever evaluated as
Python text.
"""

import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from walking_robots.mdle.knowledge.elements import PythonGuard, PythonLaw
from walking_robots.mdle.knowledge.functions import FUNCTIONS, MEMBERS
from walking_robots.mdle.knowledge.names import Names
from walking_robots.mdle.language import ast
from walking_robots.mdle.robot import OutputSpec
from walking_robots.mdle.runtime.events import RunError, UnsetError
from walking_robots.mdle.runtime.filters import filtered

Values = Mapping[str, Any]
Reader = Callable[[Values, int], Any]


class Live(NamedTuple):
    """A value that may change from tick to tick.

    read: returns it from the channels and the program's clock, ns; channels: those it reads, each
    with the policy for the case that it is stale ('' for the channel's own); stateful: it must
    be read in every tick, because it remembers.
    """

    read: Reader
    channels: frozenset[tuple[str, str]] = frozenset()
    stateful: bool = False


Compiled = Any
"""A Live, or the value itself."""


@dataclass(frozen=True, slots=True)
class CompileScope:
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


def compiled(expression: ast.Expression, bindings: CompileScope) -> Compiled:
    """Return the value of an expression, or the Live that reads it.

    Raises RunError where a name, an index or a type is wrong, which the checker finds before.
    """
    try:
        return _compiled(expression, bindings)
    except (ArithmeticError, TypeError, ValueError, IndexError, KeyError) as error:
        text = f'cannot compute this ({error or type(error).__name__})'
        raise RunError('E801', text, expression.place) from None


def _compiled(expression: ast.Expression, bindings: CompileScope) -> Compiled:
    match expression:
        case ast.Number():
            return expression.si
        case ast.Text() | ast.Truth():
            return expression.value
        case ast.Name():
            return _name(expression, bindings)
        case ast.Member():
            return _member(expression, bindings)
        case ast.Call():
            return _call(expression, bindings)
        case ast.Binary():
            return _binary(expression, bindings)
        case ast.Unary():
            operand = compiled(expression.operand, bindings)
            negate = operator.not_ if expression.operator == 'not' else operator.neg
            return applied(negate, operand)
        case ast.Index():
            return _indexed(*compiled_vector((expression.base, expression.index), bindings))
        case ast.Slice():
            parts = expression.base, expression.low, expression.high
            return applied(_items, *compiled_vector(parts, bindings))
        case ast.Partner():
            raise RunError('E302', 'name a channel of the partner', expression.place)


def compiled_vector(
    vector: tuple[ast.Expression, ...], bindings: CompileScope
) -> tuple[Compiled, ...]:
    """Compile each expression of a vector."""
    return tuple(compiled(expression, bindings) for expression in vector)


def compiled_arguments(
    parameters: tuple[ast.Parameter, ...],
    arguments: tuple[ast.Argument, ...],
    bindings: CompileScope,
    names: Names,
) -> dict[str, Compiled]:
    """Return each parameter's argument, compiled where it is written, or its default."""
    given: dict[str, Compiled] = {}
    known = [parameter.name for parameter in parameters]
    for index, argument in enumerate(arguments):
        name = argument.name or (known[index] if index < len(known) else '')
        if name not in known or name in given:
            raise RunError('E301', 'wrong arguments', argument.place)
        given[name] = compiled(argument.value, bindings)
    inner = replace(bindings, names=names, variables=given)
    for parameter in parameters:
        if parameter.name not in given:
            if parameter.default is None:
                raise RunError('E301', f"argument '{parameter.name}' is missing", parameter.place)
            given[parameter.name] = compiled(parameter.default, inner)
    return given


def compiled_law(control: ast.Vector | ast.LawCall, bindings: CompileScope) -> Live:
    """Return a control that is no list of segments: a tuple of floats."""
    if isinstance(control, ast.LawCall):
        return live(compiled(control.call, bindings))
    return live(applied(_vector, *compiled_vector(control, bindings)))


def live(value: Compiled) -> Live:
    """Return a Live of whatever was compiled."""
    return value if isinstance(value, Live) else Live(lambda y, now: value)


def channels_of(*values: Compiled) -> frozenset[tuple[str, str]]:
    """Return the channels that any of them reads."""
    return frozenset().union(*(value.channels for value in values if isinstance(value, Live)))


def applied(function: Callable[..., Any], *values: Compiled) -> Compiled:
    """Apply a pure function at once where all is known, else in every tick."""
    if not any(isinstance(value, Live) for value in values):
        return function(*values)
    channels = channels_of(*values)
    stateful = any(value.stateful for value in values if isinstance(value, Live))
    if len(values) == 1:
        read = values[0].read
        return Live(lambda y, now: function(read(y, now)), channels, stateful)
    if len(values) == 2:
        first, second = values
        if not isinstance(second, Live):
            left = first.read
            return Live(lambda y, now: function(left(y, now), second), channels, stateful)
        if not isinstance(first, Live):
            right = second.read
            return Live(lambda y, now: function(first, right(y, now)), channels, stateful)
    readers = [live(value).read for value in values]
    return Live(lambda y, now: function(*[read(y, now) for read in readers]), channels, stateful)


def called(
    function: Callable[..., Any], given: Mapping[str, Compiled], reads: frozenset[str]
) -> Live:
    """Return a Live of ``function(y, now, **given)``, which reads channels itself too."""
    channels = channels_of(*given.values()) | {(name, '') for name in reads}
    changing = {name: value.read for name, value in given.items() if isinstance(value, Live)}
    fixed = {name: value for name, value in given.items() if name not in changing}
    if not changing:
        return Live(lambda y, now: function(y, now, **fixed), channels)

    def read(y: Values, now: int) -> Any:
        return function(y, now, **fixed, **{name: get(y, now) for name, get in changing.items()})

    return Live(read, channels)


# Names


def _name(expression: ast.Name, bindings: CompileScope) -> Compiled:
    name = expression.name
    if name in bindings.variables:
        return bindings.variables[name]
    if name == 't':
        entered, rate = bindings.entered, 1e-9 / bindings.stretch
        return Live(lambda y, now: (now - entered) * rate)
    if bindings.names.called(expression) is None:
        raise UnsetError(name, expression.place)
    return _element(expression, (), bindings)


def _element(
    expression: ast.Expression, arguments: tuple[ast.Argument, ...], bindings: CompileScope
) -> Compiled:
    """Compile a constant, an interrupt or a law that is named."""
    element, names = bindings.names.called(expression) or (None, bindings.names)
    if isinstance(element, ast.Constant):
        return compiled(element.value, replace(bindings, names=names, variables={}))
    if isinstance(element, ast.Interrupt | ast.Law | PythonGuard | PythonLaw):
        given = compiled_arguments(element.parameters, arguments, bindings, names)
        inner = replace(bindings, names=names, variables=given)
        if isinstance(element, PythonGuard):
            function = element.function
            return called(lambda y, now, /, **values: function(y, **values), given, element.reads)
        if isinstance(element, PythonLaw):
            return _python_law(element, given, bindings)
        if isinstance(element, ast.Interrupt):
            return _interrupt(element, replace(inner, stretch=1.0))
        if element.vector is not None:
            return applied(_vector, *compiled_vector(element.vector, inner))
    name = getattr(expression, 'name', 'this')
    raise RunError('E201', f"'{name}' has no value here", expression.place)


def _interrupt(element: ast.Interrupt, bindings: CompileScope) -> Live:
    condition = live(compiled(element.condition, bindings))
    times = [compiled(f.duration, bindings) if f.duration else 0.0 for f in element.filters]
    return Live(*filtered(*condition, element.filters, times))


def _python_law(law: PythonLaw, given: dict[str, Compiled], bindings: CompileScope) -> Live:
    entered, function = bindings.entered, law.function
    rate = 1e-9 / bindings.stretch if bindings.stretch else 0.0

    def timed(y: Values, now: int, /, **values: Any) -> tuple[float, ...]:
        return function((now - entered) * rate, y, **values)

    return called(timed, given, law.reads)


def _vector(*values: float) -> tuple[float, ...]:
    return values


def _member(expression: ast.Member, bindings: CompileScope) -> Compiled:
    parts: list[str] = []
    base: ast.Expression = expression
    while isinstance(base, ast.Member):
        parts.insert(0, base.name)
        base = base.base
    if isinstance(base, ast.Partner) and isinstance(base.base, ast.Name) and base.base.name == 'y':
        return _parts(_partner_channel(base, parts[0], bindings), parts[1:], expression)
    if isinstance(base, ast.Name) and base.name not in bindings.variables:
        if base.name in ('y', 'y0'):
            return _observed(base.name, parts, expression, bindings)
        if base.name == 'bb':
            return _parts(_board_value(parts[0], expression, bindings), parts[1:], expression)
        if bindings.names.called(expression):
            return _element(expression, (), bindings)
    return _parts(compiled(base, bindings), parts, expression)


def _board_value(name: str, expression: ast.Member, bindings: CompileScope) -> Live:
    board = bindings.board

    def read(y: Values, now: int) -> Any:
        if name not in board:
            raise UnsetError(f'bb.{name}', expression.place)
        return board[name]

    return Live(read)


def _observed(
    root: str, parts: list[str], expression: ast.Member, bindings: CompileScope
) -> Compiled:
    """Compile a channel; the longest name that the robot offers is it, the rest are its parts."""
    for length in range(len(parts), 0, -1):
        channel = '.'.join(parts[:length])
        if channel in bindings.outputs:
            if root == 'y':
                return _parts(_channel(channel), parts[length:], expression)
            if bindings.first is None or channel not in bindings.first:
                raise RunError('E804', f'{channel} was not known at entry', expression.place)
            return _parts(bindings.first[channel], parts[length:], expression)
    raise RunError('E202', f"the robot has no output '{'.'.join(parts)}'", expression.place)


def _channel(channel: str) -> Live:
    return Live(lambda y, now: y[channel], frozenset([(channel, '')]))


def _partner_channel(partner: ast.Partner, name: str, bindings: CompileScope) -> Live:
    channel, place = f'@{partner.name}.{name}', partner.place
    if not any(known.startswith(f'@{partner.name}.') for known in bindings.outputs):
        text = f'partner {partner.name} is not listened to: parameter partners'
        raise RunError('E808', text, place)

    def read(y: Values, now: int) -> Any:
        if channel not in y:
            text = f'partner {partner.name} shares no {name}: its parameter shared_outputs'
            raise RunError('E808', text, place)
        return y[channel]

    return Live(read, frozenset([(channel, '')]))


def _parts(value: Compiled, parts: list[str], expression: ast.Expression) -> Compiled:
    for part in parts:
        index = next((named[part][1] for named in MEMBERS.values() if part in named), None)
        if index is None:
            raise RunError('E302', f"nothing here has a part '{part}'", expression.place)
        value = applied(operator.itemgetter(index), value)
    return value


def _call(expression: ast.Call, bindings: CompileScope) -> Compiled:
    base = expression.base
    own = bindings.names.called(base)
    if own is None and isinstance(base, ast.Name) and base.name in FUNCTIONS:
        values = [compiled(argument.value, bindings) for argument in expression.arguments]
        return applied(FUNCTIONS[base.name].apply, *values)
    return _element(base, expression.arguments, bindings)


# Operators


def _item(values: tuple[Any, ...], index: float) -> Any:
    whole = int(index)
    if whole != index or not 0 <= whole < len(values):
        raise RunError('E801', f'index {index:g} is outside 0 .. {len(values) - 1}')
    return values[whole]


def _indexed(values: Compiled, index: Compiled) -> Compiled:
    if not isinstance(values, Live) or isinstance(index, Live) or not index >= 0.0:
        return applied(_item, values, index)
    read, whole = values.read, int(index)

    def item(y: Values, now: int) -> Any:
        # At a constant, as of a ring of sonars: one call less a tick.
        found = read(y, now)
        return found[whole] if whole == index and whole < len(found) else _item(found, index)

    return Live(item, values.channels, values.stateful)


def _items(values: tuple[Any, ...], low: float, high: float) -> tuple[Any, ...]:
    return tuple(_item(values, index) for index in range(int(low), int(high) + 1))


def _binary(expression: ast.Binary, bindings: CompileScope) -> Compiled:
    symbol = expression.operator
    left, right = compiled(expression.left, bindings), compiled(expression.right, bindings)
    if symbol in ('and', 'or'):
        return _joined(symbol, left, right)
    if symbol in _ARITHMETIC:
        return applied(_ARITHMETIC[symbol], left, right)
    return _compared(symbol, left, right)


def _divided(a: float, b: float) -> float:
    # Division by zero is a value that a guard or a law must not have, not a crash.
    return a / b if b else math.nan if not a else math.copysign(math.inf, a)


_ARITHMETIC: dict[str, Callable[[Any, Any], Any]] = {
    '+': operator.add,
    '-': operator.sub,
    '*': operator.mul,
    '/': _divided,
}
_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    '<': operator.lt,
    '<=': operator.le,
    '>': operator.gt,
    '>=': operator.ge,
    '==': operator.eq,
    '!=': operator.ne,
}


def _compared(symbol: str, left: Compiled, right: Compiled) -> Compiled:
    """Compile a comparison; a NaN on either side is an error, never silently false."""
    compare = _COMPARISONS[symbol]

    def checked(a: Any, b: Any) -> bool:
        if a != a or b != b:
            raise RunError('E803', 'a value is not a number')
        return bool(compare(a, b))

    if not isinstance(left, Live) or isinstance(right, Live) or right != right:
        return applied(checked, left, right)
    read = left.read

    def test(y: Values, now: int) -> bool:
        # With a constant, as most guards do: one call less a tick.
        value = read(y, now)
        return compare(value, right) if value == value else checked(value, right)

    return Live(test, left.channels, left.stateful)


def _joined(symbol: str, left: Compiled, right: Compiled) -> Compiled:
    both = symbol == 'and'
    for known, other in ((left, right), (right, left)):
        if not isinstance(known, Live):
            return other if bool(known) == both else bool(known)
    first, second, channels = left.read, right.read, channels_of(left, right)
    if left.stateful or right.stateful:
        # A filter has to see every tick, so neither side is passed over.
        if both:
            return Live(lambda y, now: first(y, now) & second(y, now), channels, True)
        return Live(lambda y, now: first(y, now) | second(y, now), channels, True)
    if both:
        return Live(lambda y, now: first(y, now) and second(y, now), channels)
    return Live(lambda y, now: first(y, now) or second(y, now), channels)
