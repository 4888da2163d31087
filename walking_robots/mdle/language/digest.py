"""Programs as JSON, and their digest (mdle.md §4.5); the schema is program.schema.json.

Every part is an object: ``node`` is its kind, the other keys are its fields in program.py and
expressions.py. Places, comments and the source are left out; infinity is the string 'inf'.
"""

import hashlib
import json
import math
from dataclasses import fields
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from walking_robots.mdle.language import ast as expressions
from walking_robots.mdle.language import ast as program
from walking_robots.mdle.language.ast import NOWHERE, Program
from walking_robots.mdle.language.diagnostics import Diagnostic, ProgramError
from walking_robots.mdle.language.formatter import format_program
from walking_robots.mdle.language.limits import MOST_DEPTH, excess
from walking_robots.mdle.language.parser import parse_text

Data = dict[str, Any]

_LEFT_OUT = ('place', 'source', 'comments')
_DEEPEST = 2 * MOST_DEPTH + 16
"""Levels of JSON: every level of steps is a list in an object."""

_NAMESPACE = {**vars(expressions), **vars(program)}
_FIELDS: dict[Any, dict[str, Any]] = {}
_WORDS = {
    str: 'a string',
    int: 'a whole number',
    float: 'a number',
    bool: 'true or false',
    tuple: 'a list',
    Literal: 'one of its words',
}


def to_json(program: Program) -> Data:
    """Give a program as what JSON can hold."""
    data: Data = _encode(program)
    return data


def digest(program: Program) -> str:
    """Give the SHA-256 of a program: equal for programs that say the same, in hexadecimal."""
    text = json.dumps(to_json(program), sort_keys=True, separators=(',', ':'))
    return hashlib.sha256(text.encode('ascii')).hexdigest()


def from_json(data: Data) -> Program:
    """Give the program that ``to_json`` was given; it has no places.

    Raises ProgramError (E101) for data that is no program of the language, whatever it is.
    """
    try:
        found: Program = _decode(data, Program, 'program', 0)
        large = excess(found)
        if large:
            raise _wrong('program', large.text)
        # Names, counts and strings are checked by those who read texts.
        if parse_text(format_program(found)) != found:
            raise _wrong('program', 'a part of it cannot be written in the language')
    except ProgramError as error:
        first = error.diagnostics[0]
        raise _wrong('program', first.text.removeprefix('this JSON is no program: ')) from None
    except ValueError as error:
        raise _wrong('program', str(error)) from None
    return found


def _wrong(path: str, text: str) -> ProgramError:
    where = '' if path == 'program' else f'{path}: '
    return ProgramError([Diagnostic(NOWHERE, 'E101', f'this JSON is no program: {where}{text}')])


def fields_of(kind: Any) -> dict[str, Any]:
    """Give the types of the fields of a kind of part, those that JSON has, by name."""
    if kind not in _FIELDS:
        hints = get_type_hints(kind, _NAMESPACE)
        names = [item.name for item in fields(kind) if item.name not in _LEFT_OUT]
        _FIELDS[kind] = {name: hints[name] for name in names}
    return _FIELDS[kind]


def _encode(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_encode(item) for item in value]
    if isinstance(value, float):
        # Without a zero below zero, which is equal to zero.
        return value + 0.0 if math.isfinite(value) else repr(value)
    if value is None or isinstance(value, str | int):
        return value
    kind = type(value)
    encoded = {name: _encode(getattr(value, name)) for name in fields_of(kind)}
    if kind is expressions.Number:
        encoded['value'] = _encode(float(value.value))
    return {'node': kind.__name__, **encoded}


def _decode(data: Any, hint: Any, path: str, depth: int) -> Any:
    """Make a value of a type; ``path`` says where it is."""
    if depth > _DEEPEST:
        raise _wrong('program', f'it nests deeper than {_DEEPEST} levels')
    if get_origin(hint) in (Union, UnionType):
        return _decode_one_of(data, get_args(hint), path, depth)
    if get_origin(hint) is Literal:
        if isinstance(data, str) and data in get_args(hint):
            return data
    elif get_origin(hint) is tuple:
        if isinstance(data, list):
            inner = get_args(hint)[0]
            return tuple(
                _decode(item, inner, f'{path}[{i}]', depth + 1) for i, item in enumerate(data)
            )
    elif hint is float:
        if data == 'inf':
            return math.inf
        if type(data) in (int, float):
            return float(data)
    elif hint in (str, int, bool):
        if type(data) is hint:
            return data
    elif isinstance(data, dict) and data.get('node') == hint.__name__:
        hints = fields_of(hint)
        if data.keys() != {'node', *hints}:
            raise _wrong(path, f'{hint.__name__} needs exactly {", ".join(hints)}')
        parts = {
            name: _decode(data[name], part, f'{path}.{name}', depth + 1)
            for name, part in hints.items()
        }
        return hint(**parts)
    wanted = _WORDS.get(get_origin(hint) or hint) or hint.__name__
    raise _wrong(path, f'{wanted} is expected here')


def _decode_one_of(data: Any, hints: tuple[Any, ...], path: str, depth: int) -> Any:
    """Make a value of the one type of several that it can have."""
    if data is None and NoneType in hints:
        return None
    for hint in hints:
        if get_origin(hint) is tuple:
            if isinstance(data, list):
                return _decode(data, hint, path, depth)
        elif isinstance(data, dict) and data.get('node') == hint.__name__:
            return _decode(data, hint, path, depth)
    raise _wrong(path, 'another kind of part is expected here')
