"""What values expressions can have, by the ranges of the robot's channels (mdle.md §7).

A value that is not known for certain is None, or the interval of all numbers.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, NamedTuple

from walking_robots.mdle.analysis.intervals import (
    ANYTHING,
    EITHER,
    FALSE,
    FUNCTION_RANGES,
    OPERATOR_RANGES,
    TRUE,
    ValueInterval,
    hull,
    negated,
    point,
    product,
)
from walking_robots.mdle.analysis.references import (
    arguments_of,
    channel_read,
    match_arguments,
    subexpressions,
)
from walking_robots.mdle.knowledge.elements import PythonGuard, PythonLaw
from walking_robots.mdle.knowledge.functions import FASTEST_TURN, FUNCTIONS
from walking_robots.mdle.knowledge.names import Found, Names, spelled
from walking_robots.mdle.language import ast
from walking_robots.mdle.robot import RobotSpec

ExpressionValue = ValueInterval | str | tuple[ValueInterval, ...] | None
"""Of a quantity, truth value or list; of a string; of a control; of anything else."""

UNKNOWN_READS = frozenset('?')
"""What an expression reads that is too deep to be followed: something that may change."""

DEEPEST = 120
"""Levels of expressions, of interrupts that call interrupts together, that are followed."""

CALL = 4
"""Levels that a call counts for, besides those of what is called."""


class VariableValue(NamedTuple):
    """The value of a variable; key: equal where the value is certainly equal, None: unknown."""

    value: ExpressionValue = None
    key: Hashable = None


@dataclass(frozen=True, slots=True)
class ValueScope:
    """What expressions mean in one run of an element.

    live: what the variables read, where an argument of an interrupt reads channels; frame: keeps
    elements apart, for ``t`` and ``y0``; memory: results for interrupts and constants, so that
    those that call each other are computed once.
    """

    names: Names
    robot: RobotSpec | None
    variables: Mapping[str, VariableValue]
    live: frozenset[str] = frozenset()
    frame: int = 0
    depth: int = 0
    memory: dict[Hashable, Any] = field(default_factory=dict)

    def called(self, expression: ast.Expression) -> Found | None:
        """Return the element that is called, None where a variable or a function is meant."""
        parts = spelled(expression)
        return self.names.find(*parts) if parts and parts[0] not in self.variables else None

    def deeper(
        self,
        called: ast.Expression | None,
        names: Names,
        variables: Mapping[str, VariableValue],
        live: frozenset[str] = frozenset(),
    ) -> 'ValueScope':
        """Return the scope of an expression that is called from here, such as a condition."""
        depth = self.depth + CALL
        if called:
            key = ('height', id(called))
            if key not in self.memory:
                self.memory[key] = _height(called)
            depth += self.memory[key]
        return ValueScope(names, self.robot, variables, live, self.frame, depth, self.memory)

    @property
    def too_deep(self) -> bool:
        """Whether what is called is not followed any more."""
        return self.depth > DEEPEST


def number(value: ExpressionValue) -> ValueInterval:
    """Return a value as an interval; what is no number is anything."""
    return value if isinstance(value, ValueInterval) else ANYTHING


def truth(value: ExpressionValue) -> ValueInterval:
    """Return a value as a truth value; what is unknown may be either."""
    return value if isinstance(value, ValueInterval) and value in (FALSE, TRUE) else EITHER


def _height(expression: ast.Expression) -> int:
    return 1 + max(map(_height, subexpressions(expression)), default=0)


def bind(
    parameters: Sequence[ast.Parameter],
    arguments: Sequence[ast.Argument],
    scope: ValueScope,
    names: Names,
) -> dict[str, VariableValue]:
    """Return the value of each parameter: of its argument, or of its default."""
    given = match_arguments(parameters, arguments).given
    bound = {name: _variable(expression, scope) for name, expression in given.items()}
    inner = scope.deeper(None, names, bound)
    for parameter in parameters:
        if parameter.name not in bound:
            default = parameter.default
            bound[parameter.name] = _variable(default, inner) if default else VariableValue()
    return bound


def _variable(expression: ast.Expression, scope: ValueScope) -> VariableValue:
    return VariableValue(value_of(expression, scope), key_of(expression, scope))


def callee_scope(called: Found, expression: ast.Expression, scope: ValueScope) -> ValueScope:
    """Return the scope of the condition of an interrupt, or of a law, that is called."""
    key = ('callee', id(expression), scope.frame, scope.depth)
    known = scope.memory.get(key)
    # The same words may be looked at with other variables, so these are compared too.
    if known is None or known[0] is not scope.variables or known[1] is not scope.names:
        element, names = called
        arguments = arguments_of(expression)
        inner = scope.deeper(
            getattr(element, 'condition', None),
            names,
            bind(getattr(element, 'parameters', ()), arguments, scope, names),
            _all_reads([argument.value for argument in arguments], scope),
        )
        known = scope.memory[key] = scope.variables, scope.names, inner
    within: ValueScope = known[2]
    return within


def _memory_key(what: str, element: object, scope: ValueScope) -> Hashable:
    return what, id(element), tuple(scope.variables.items()), scope.live


def value_of(expression: ast.Expression, scope: ValueScope) -> ExpressionValue:
    """Return what an expression can be."""
    match expression:
        case ast.Number():
            return point(expression.si)
        case ast.Name(name=name):
            if name in scope.variables:
                return scope.variables[name].value
            return ValueInterval(0.0, inf) if name == 't' else _element(expression, scope)
        case ast.Member():
            return _member(expression, scope)
        case ast.Binary():
            return _binary(expression, scope)
        case ast.Call():
            return _call(expression, scope)
        case ast.Unary(operator='not'):
            true = truth(value_of(expression.operand, scope))
            return ValueInterval(1.0 - true.high, 1.0 - true.low)
        case ast.Unary():
            return negated(number(value_of(expression.operand, scope)))
        case ast.Index():
            base = value_of(expression.base, scope)
            if not isinstance(base, tuple) or isinstance(base, ValueInterval):
                return base
            index = number(value_of(expression.index, scope))
            inside = index.known and index.low == int(index.low) and 0 <= index.low < len(base)
            return base[int(index.low)] if inside else hull(*base) if base else None
        case ast.Slice():
            return value_of(expression.base, scope)
        case ast.Text(value=text):
            return text
        case ast.Truth(value=true):
            return TRUE if true else FALSE
        case _:
            return None


def vector_of(
    vector: Sequence[ast.Expression] | ast.Expression, scope: ValueScope
) -> tuple[ValueInterval, ...] | None:
    """Return what a control can be, channel by channel; None where that is not known."""
    if isinstance(vector, Sequence):
        return tuple(number(value_of(expression, scope)) for expression in vector)
    value = value_of(vector, scope)
    return value if isinstance(value, tuple) and not isinstance(value, ValueInterval) else None


def _element(expression: ast.Expression, scope: ValueScope) -> ExpressionValue:
    called = scope.called(expression)
    if called is None or scope.too_deep:
        return None
    element, names = called
    if isinstance(element, PythonGuard):
        return EITHER
    if isinstance(element, PythonLaw):
        given = bind(element.parameters, arguments_of(expression), scope, names)
        limits = [
            number(given[limit].value).largest if isinstance(limit, str) else limit
            for limit in element.fastest
        ]
        return tuple(ValueInterval(-limit, limit) for limit in limits) or None
    if not isinstance(element, ast.Constant | ast.Interrupt | ast.Law):
        return None
    open_elements = scope.memory.setdefault('open', set())
    if id(element) in open_elements:
        # It calls itself, which is an error of its own.
        return None
    open_elements.add(id(element))
    if isinstance(element, ast.Constant):
        inner = scope.deeper(element.value, names, {})
    else:
        inner = callee_scope(called, expression, scope)
    key = _memory_key('value', element, inner)
    if key not in scope.memory:
        scope.memory[key] = None
        if isinstance(element, ast.Constant):
            scope.memory[key] = value_of(element.value, inner)
        elif isinstance(element, ast.Interrupt):
            scope.memory[key] = _filtered(truth(value_of(element.condition, inner)), element)
        elif element.vector is not None:
            scope.memory[key] = vector_of(element.vector, inner)
    open_elements.discard(id(element))
    found: ExpressionValue = scope.memory[key]
    return found


def _filtered(true: ValueInterval, interrupt: ast.Interrupt) -> ValueInterval:
    """Return what the filters leave of a condition: ``hold`` waits, ``edge`` wants a change."""
    kinds = {item.kind for item in interrupt.filters}
    if true == TRUE:
        return FALSE if 'edge' in kinds else EITHER if kinds & {'hold', 'debounce'} else TRUE
    return EITHER if any(item.policy == 'true' for item in interrupt.filters) else true


def _member(expression: ast.Member, scope: ValueScope) -> ExpressionValue:
    read = channel_read(expression, scope.variables, scope.robot)
    if read is None:
        return _element(expression, scope)
    if read.spec is None or read.parts or read.kind == 'partner':
        return None
    if read.spec.type == 'bool':
        return EITHER
    if read.spec.type in ('str', 'pose', 'point', 'path'):
        return None
    return ValueInterval(read.spec.low, read.spec.high)


def _call(expression: ast.Call, scope: ValueScope) -> ExpressionValue:
    base = expression.base
    if scope.called(base):
        return _element(expression, scope)
    if not isinstance(base, ast.Name) or base.name not in FUNCTIONS:
        return None
    values = [number(value_of(argument.value, scope)) for argument in expression.arguments]
    if base.name == 'pursue' and len(values) == 3:
        turn = ValueInterval(-FASTEST_TURN, FASTEST_TURN)
        return product(values[2], ValueInterval(0.0, 1.0)), turn
    ranged = FUNCTION_RANGES.get(base.name)
    try:
        return ranged(values) if ranged else None
    except (IndexError, ValueError, OverflowError):
        # Arguments that the types already forbid.
        return None


def _binary(expression: ast.Binary, scope: ValueScope) -> ExpressionValue:
    left, right = value_of(expression.left, scope), value_of(expression.right, scope)
    symbol = expression.operator
    if symbol in ('and', 'or'):
        return OPERATOR_RANGES[symbol](truth(left), truth(right))
    if symbol in ('==', '!='):
        if isinstance(left, str) and isinstance(right, str):
            return TRUE if (left == right) == (symbol == '==') else FALSE
        if not (isinstance(left, ValueInterval) and isinstance(right, ValueInterval)):
            return EITHER
    return OPERATOR_RANGES[symbol](number(left), number(right))


def key_of(expression: ast.Expression, scope: ValueScope) -> Hashable:
    """Return a key that is equal only for expressions that are always equal, None: unknown."""
    known = value_of(expression, scope)
    if isinstance(known, str) or (isinstance(known, ValueInterval) and known.known):
        return ('value', known)
    if isinstance(expression, ast.Name) and expression.name in scope.variables:
        return scope.variables[expression.name].key
    if expression == ast.Name('t'):
        return ('t', scope.frame)
    read = channel_read(expression, scope.variables, scope.robot)
    if read:
        mark = scope.frame if read.kind == 'entry' else 0
        return (read.kind, read.partner, read.channel, read.parts, mark)
    called = scope.called(expression)
    if called:
        if scope.too_deep or not isinstance(called.element, ast.Constant):
            return None
        value = called.element.value
        return key_of(value, scope.deeper(value, called.names, {}))
    if isinstance(expression, ast.Name):
        return None
    head = spelled(expression) or [getattr(expression, name, '') for name in ('operator', 'name')]
    keys = [key_of(part, scope) for part in subexpressions(expression)]
    return None if None in keys else (type(expression), *head, *keys)


def reads(expression: ast.Expression, scope: ValueScope) -> frozenset[str]:
    """Return all that an expression reads and that may change while an element runs.

    Channels by name, those of partners as '@name', of the blackboard as 'bb', and 't'.
    """
    if scope.too_deep:
        return UNKNOWN_READS
    if isinstance(expression, ast.Name) and expression.name in scope.variables:
        return scope.live
    read = channel_read(expression, scope.variables, scope.robot)
    if read:
        if read.kind == 'entry':
            return frozenset()
        kinds = {'now': read.channel, 'partner': f'@{read.channel}', 'board': 'bb'}
        return frozenset([kinds[read.kind]])
    if expression == ast.Name('t'):
        return frozenset('t')
    called = scope.called(expression)
    if called is None:
        return _all_reads(subexpressions(expression), scope)
    given = _all_reads([argument.value for argument in arguments_of(expression)], scope)
    element = called.element
    if isinstance(element, ast.Interrupt):
        variables = {parameter.name: VariableValue() for parameter in element.parameters}
        inner = scope.deeper(element.condition, called.names, variables, given)
        key = _memory_key('reads', element, inner)
        if key not in scope.memory:
            scope.memory[key] = reads(element.condition, inner)
        found: frozenset[str] = scope.memory[key]
        return given | found
    if isinstance(element, PythonGuard):
        return given | (element.reads or frozenset('t'))
    return given


def _all_reads(expressions: Sequence[ast.Expression], scope: ValueScope) -> frozenset[str]:
    return frozenset[str]().union(*(reads(expression, scope) for expression in expressions))
