"""Write the parts of a program that take one line: expressions, actions, clauses, declarations."""

import math
from collections.abc import Iterable
from typing import Any

from walking_robots.mdle.language import ast

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


def format_expression(expression: ast.Expression) -> str:
    """Write an expression with no more parentheses than its meaning needs.

    Raises ValueError for what the language has no words for, such as a number that is none.
    """
    return _operand(expression, 0)


def _operand(expression: ast.Expression, level: int) -> str:
    """Write it so that it can stand where an operator of ``level`` wants an operand."""
    own, text = _bound(expression)
    return f'({text})' if own < level else text


def _bound(expression: ast.Expression) -> tuple[int, str]:
    """Return how tightly an expression binds, and its text."""
    match expression:
        case ast.Number():
            text = _number(expression)
            return (_FACTOR if text.startswith('-') else _PRIMARY), text
        case ast.Unary('not', operand):
            return _LEVELS['not'], f'not {_operand(operand, _LEVELS["not"])}'
        case ast.Unary(_, operand):
            return _FACTOR, f'-{_operand(operand, _FACTOR)}'
        case ast.Binary(operator, left, right):
            level = _LEVELS[operator]
            # Comparisons do not chain; everything else is read from the left.
            before = _operand(left, level + (level == _COMPARISON))
            return level, f'{before} {operator} {_operand(right, level + 1)}'
        case ast.Text(value):
            return _PRIMARY, _string(value)
        case ast.Truth(value):
            return _PRIMARY, 'true' if value else 'false'
        case _:
            return _PRIMARY, _primary(expression)


def _primary(expression: ast.Expression) -> str:
    match expression:
        case ast.Name(name):
            return name
        case ast.Member(base, name):
            return f'{_primary(base)}.{name}'
        case ast.Partner(base, name):
            return f'{_primary(base)}@{name}'
        case ast.Index(base, index):
            return f'{_primary(base)}[{format_expression(index)}]'
        case ast.Slice(base, low, high):
            return f'{_primary(base)}[{format_expression(low)}..{format_expression(high)}]'
        case ast.Call(base, arguments):
            return f'{_primary(base)}({format_list(arguments)})'
        case _:
            raise ValueError(f'{type(expression).__name__} cannot stand before . @ [ or (')


def _number(number: ast.Number) -> str:
    value = number.value
    if math.isnan(value) or (math.isinf(value) and number.unit):
        raise ValueError(f'the language has no word for the number {value} {number.unit}'.rstrip())
    text = repr(float(value)).removesuffix('.0')
    return f'{text} {number.unit}' if number.unit else text


def _string(value: str) -> str:
    return f'"{"".join(map(_letter, value))}"'


def _letter(letter: str) -> str:
    if letter in _ESCAPES:
        return _ESCAPES[letter]
    return letter if letter.isprintable() or ord(letter) > 0xFFFF else f'\\u{ord(letter):04x}'


def format_list(nodes: Iterable[Any]) -> str:
    """Write nodes in a row."""
    return ', '.join(map(format_node, nodes))


def format_parameters(parameters: Iterable[ast.Parameter]) -> str:
    """Write typed names in parentheses."""
    return f'({format_list(parameters)})'


def format_node(node: Any) -> str:
    """Write a part of a program that takes one line, without its semicolon; a tuple is a vector.

    Raises ValueError for what the language has no words for.
    """
    match node:
        case tuple():
            return f'[{format_list(node)}]'
        case ast.Argument(value, name):
            return f'{name}={format_node(value)}' if name else format_node(value)
        case ast.Parameter(name, type_, default):
            return f'{name}: {type_}{_after(" = ", default)}'
        case ast.Import(path, alias):
            return f'import {".".join(path)}{f" as {alias}" if alias else ""}'
        case ast.Constant(name, type_, value):
            return f'const {name}{f": {type_}" if type_ else ""} = {format_node(value)}'
        case ast.Group(name, members):
            return f'group {name} = {{{", ".join(members)}}}'
        case ast.Interrupt(name, parameters, condition, filters):
            takes = format_parameters(parameters) if parameters else ''
            behind = f' with {format_list(filters)}' if filters else ''
            return f'interrupt {name}{takes} = {format_node(condition)}{behind}'
        case ast.Filter(kind, duration, policy):
            return f'{kind} {policy or format_node(duration)}' if policy or duration else kind
        case ast.Law(name, parameters, space, vector, extern):
            means = f'extern {_string(extern)}' if vector is None else f'= {format_node(vector)}'
            return f'law {name}{format_parameters(parameters)} on {space} {means}'
        case ast.Segments(segments):
            return ' then '.join(map(format_node, segments))
        case ast.Segment(vector, duration):
            return f'{format_node(vector)} for {format_node(duration)}'
        case ast.LawCall(call):
            return format_node(call)
        case ast.Guard(condition, action):
            return f'until {format_node(condition)}{_after(" => ", action)}'
        case ast.Timeout(duration, action):
            return f'timeout {format_node(duration)}{_after(" => ", action)}'
        case ast.Emission(name, value):
            return f'emit {name} = {format_node(value)}'
        case ast.Handler(cause, action):
            return f'on {format_node(cause)} => {format_node(action)}'
        case ast.Cause(kind, name):
            inner = _string(name) if kind == 'fail' else name
            return f'{kind}({inner})' if name else kind
        case ast.Action('run', call=call, then=then):
            return f'run {format_node(call)}{_after(" then ", then)}'
        case ast.Action(kind, text, count):
            behind = f' {_string(text)}' if text else f' {count}' if kind == 'retry' else ''
            return f'{kind}{behind}'
        case ast.Loop(kind, count, condition):
            return f'while {format_node(condition)}' if condition else str(count or kind)
        case ast.Scale(alpha, beta):
            return f'scale {format_node(alpha)}{_after(" time ", beta)}:'
        case _:
            return format_expression(node)


def _after(word: str, node: ast.Node | None) -> str:
    """Write what can be missing, behind a word."""
    return '' if node is None else f'{word}{format_node(node)}'
