"""Write the small parts of a program as text: expressions, actions, types, parameters."""

import math
from collections.abc import Iterable

from walking_robots.mdle.language.ast import (
    Action,
    Argument,
    Binary,
    Call,
    Cause,
    Control,
    Expression,
    Filter,
    Index,
    LawCall,
    Loop,
    Member,
    Name,
    Number,
    Parameter,
    Partner,
    Segment,
    Segments,
    Slice,
    Text,
    Truth,
    Unary,
    Vector,
)

_COMPARISON, _SUM, _PRODUCT, _FACTOR, _PRIMARY = 4, 5, 6, 7, 8
_LEVELS = {
    'or': 1,
    'and': 2,
    'not': 3,
    **dict.fromkeys(('<', '<=', '>', '>=', '==', '!='), _COMPARISON),
    **dict.fromkeys(('+', '-'), _SUM),
    **dict.fromkeys(('*', '/'), _PRODUCT),
}
_ESCAPES = {'\\': '\\\\', '"': '\\"', '\n': '\\n', '\t': '\\t', '\r': '\\r'}


def format_expression(expression: Expression) -> str:
    """Write an expression with no more parentheses than its meaning needs.

    Raises ValueError for what the language has no words for, such as a number that is none.
    """
    return _write(expression, 0)


def _write(expression: Expression, level: int) -> str:
    """Write it so that it can stand where an operator of ``level`` wants an operand."""
    own, text = _spell(expression)
    return f'({text})' if own < level else text


def _spell(expression: Expression) -> tuple[int, str]:
    """Give how tightly it binds, and its text."""
    match expression:
        case Number():
            text = _number(expression)
            return (_FACTOR if text.startswith('-') else _PRIMARY), text
        case Unary('not', operand):
            return _LEVELS['not'], f'not {_write(operand, _LEVELS["not"])}'
        case Unary(_, operand):
            return _FACTOR, f'-{_write(operand, _FACTOR)}'
        case Binary(operator, left, right):
            level = _LEVELS[operator]
            # Comparisons do not chain; everything else is read from the left.
            before = _write(left, level + (level == _COMPARISON))
            return level, f'{before} {operator} {_write(right, level + 1)}'
        case Text(value):
            return _PRIMARY, format_string(value)
        case Truth(value):
            return _PRIMARY, 'true' if value else 'false'
        case _:
            return _PRIMARY, _spell_primary(expression)


def _spell_primary(expression: Expression) -> str:
    match expression:
        case Name(name):
            return name
        case Member(base, name):
            return f'{_spell_primary(base)}.{name}'
        case Partner(base, name):
            return f'{_spell_primary(base)}@{name}'
        case Index(base, index):
            return f'{_spell_primary(base)}[{format_expression(index)}]'
        case Slice(base, low, high):
            inside = f'{format_expression(low)}..{format_expression(high)}'
            return f'{_spell_primary(base)}[{inside}]'
        case Call(base, arguments):
            return f'{_spell_primary(base)}({", ".join(map(format_argument, arguments))})'
        case _:
            raise ValueError(f'{type(expression).__name__} cannot stand before . @ [ or (')


def _number(number: Number) -> str:
    value = number.value
    if math.isnan(value) or (math.isinf(value) and number.unit):
        raise ValueError(f'the language has no word for the number {value} {number.unit}'.rstrip())
    text = repr(float(value)).removesuffix('.0')
    return f'{text} {number.unit}' if number.unit else text


def format_string(value: str) -> str:
    """Write a string in quotation marks."""
    return f'"{"".join(map(_letter, value))}"'


def _letter(letter: str) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    return letter if letter.isprintable() or ord(letter) > 0xFFFF else f'\\u{ord(letter):04x}'


def format_argument(argument: Argument) -> str:
    """Write an argument of a call."""
    value = format_expression(argument.value)
    return f'{argument.name}={value}' if argument.name else value


def format_vector(vector: Vector) -> str:
    """Write a vector."""
    return f'[{", ".join(map(format_expression, vector))}]'


def format_parameters(parameters: Iterable[Parameter]) -> str:
    """Write typed names in parentheses."""
    return f'({", ".join(map(_parameter, parameters))})'


def _parameter(parameter: Parameter) -> str:
    default = parameter.default
    value = '' if default is None else f' = {format_expression(default)}'
    return f'{parameter.name}: {parameter.type}{value}'


def format_filter(item: Filter) -> str:
    """Write a filter of an interrupt."""
    if item.duration is not None:
        return f'{item.kind} {format_expression(item.duration)}'
    return f'{item.kind} {item.policy}'.rstrip()


def format_cause(cause: Cause) -> str:
    """Write what a handler waits for."""
    if not cause.name:
        return cause.kind
    inner = format_string(cause.name) if cause.kind == 'fail' else cause.name
    return f'{cause.kind}({inner})'


def format_action(action: Action) -> str:
    """Write what follows an interrupt, a timeout or a cause."""
    if action.kind == 'fail' and action.text:
        return f'fail {format_string(action.text)}'
    if action.kind == 'retry':
        return f'retry {action.count}'
    if action.call is not None:
        then = f' then {format_action(action.then)}' if action.then else ''
        return f'run {format_expression(action.call)}{then}'
    return action.kind


def format_loop(loop: Loop) -> str:
    """Write how often a loop runs: forever, a number, or while a condition holds."""
    if loop.condition is not None:
        return f'while {format_expression(loop.condition)}'
    return str(loop.count) if loop.kind == 'count' else loop.kind


def format_segment(segment: Segment) -> str:
    """Write a vector with its duration."""
    return f'{format_vector(segment.vector)} for {format_expression(segment.duration)}'


def format_control(control: Control) -> str:
    """Write a control on one line."""
    match control:
        case Segments(segments):
            return ' then '.join(map(format_segment, segments))
        case LawCall(call):
            return format_expression(call)
        case vector:
            return format_vector(vector)
