"""Programs as JSON: nothing lost, nothing taken that is no program, a digest of what is said."""

import json
from copy import deepcopy
from dataclasses import is_dataclass, replace
from importlib.resources import files
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from mdle_programs import programs
from mdle_worked import FOLLOW, PARTNER, WORKED

from walking_robots.mdle.language import ast as expressions
from walking_robots.mdle.language import ast as program
from walking_robots.mdle.language.ast import Constant, Number, Program
from walking_robots.mdle.language.diagnostics import ProgramError
from walking_robots.mdle.language.digest import digest, fields_of, from_json, to_json
from walking_robots.mdle.language.formatter import format_program
from walking_robots.mdle.language.parser import parse_text
from walking_robots.mdle.language.yaml_reader import parse_yaml
from walking_robots.mdle.language.yaml_writer import write_yaml

SCHEMA = json.loads(
    files('walking_robots.mdle.language').joinpath('program.schema.json').read_text()
)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


@settings(max_examples=12)
@given(programs())
def test_json_says_what_the_program_says(drawn: Program) -> None:
    data = json.loads(json.dumps(to_json(drawn), allow_nan=False))
    assert from_json(data) == drawn


# Few, as it tries every kind of expression for every expression.
@settings(max_examples=2)
@given(programs())
def test_the_schema_takes_programs(drawn: Program) -> None:
    VALIDATOR.validate(to_json(drawn))


@pytest.mark.parametrize('name', WORKED)
def test_the_schema_takes_the_worked_programs(name: str) -> None:
    VALIDATOR.validate(to_json(parse_text(WORKED[name])))


def test_the_schema_has_every_part_with_every_field() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    kinds = {
        kind.__name__: kind
        for module in (expressions, program)
        for kind in vars(module).values()
        if is_dataclass(kind) and kind not in (program.Comment, program.Node)
    }
    described = {name: part for name, part in SCHEMA['$defs'].items() if 'properties' in part}
    assert described.keys() == kinds.keys()
    for name, kind in kinds.items():
        assert set(described[name]['required']) == {'node', *fields_of(kind)}
        assert set(described[name]['properties']) == {'node', *fields_of(kind)}


def test_the_schema_refuses_what_is_no_program() -> None:
    for change in ({'version': 2}, {'atoms': {}}, {'plans': [{'node': 'Atom'}]}, {'more': 1}):
        assert not VALIDATOR.is_valid({**to_json(parse_text(FOLLOW)), **change})


def test_the_digest_is_of_what_is_said() -> None:
    for source in WORKED.values():
        told = parse_text(source)
        same = [parse_text(format_program(told)), parse_yaml(write_yaml(told))]
        commented = parse_text(source.replace('\n', ' # why\n\n'))
        assert {digest(item) for item in (*same, commented)} == {digest(told)}
        assert digest(replace(told, plans=())) != digest(told)
    assert len(digest(told)) == 64
    zeros = [Program(1, constants=(Constant('c', '', Number(zero)),)) for zero in (0.0, -0.0, 0)]
    assert len({digest(item) for item in zeros}) == 1


def test_the_digest_stays_what_it_is() -> None:
    """Recordings and checkpoints carry digests: a change of the form has to be meant."""
    assert digest(parse_text('mdle 1; const c: m = 1 m;')).startswith('cff1a687438f77fc')


def at(data: Any, *path: str | int) -> Any:
    for part in path:
        data = data[part]
    return data


@pytest.mark.parametrize(
    ('path', 'key', 'value', 'said'),
    [
        ((), 'node', 'Atom', 'Program is expected here'),
        ((), 'version', 2, 'version 2 not supported'),
        ((), 'version', True, 'program.version: a whole number is expected here'),
        ((), 'atoms', {}, 'program.atoms: a list is expected here'),
        ((), 'extra', 1, 'Program needs exactly'),
        (('atoms', 0), 'name', 'a b', "unexpected 'b'"),
        (('atoms', 0), 'name', 'plan', "unexpected 'plan'"),
        (('atoms', 0), 'name', 7, 'program.atoms[0].name: a string is expected here'),
        (('plans', 0), 'steps', [], 'without anything in it'),
        (('plans', 0, 'steps', 3), 'then', [], 'without anything in it'),
        (('plans', 0, 'steps', 2), 'call', None, 'without anything in it'),
        (('atoms', 0), 'control', [], 'without anything in it'),
        (('groups', 0), 'members', [], "unexpected '}'"),
        (('plans', 0), 'kind', 'behavior', 'cannot be written'),
        (('plans', 0), 'kind', 'lan', 'one of its words'),
        (('plans', 0, 'steps', 2, 'timeout', 'duration'), 'value', -1, 'cannot be written'),
        (('plans', 0, 'steps', 2, 'timeout', 'duration'), 'value', 'nan', 'a number is expected'),
        (('plans', 0, 'steps', 2, 'timeout', 'duration'), 'unit', 'ell', "unexpected 'ell'"),
        (('plans', 0, 'steps', 2, 'guard', 'action', 'then'), 'count', 0, "'0' is no count"),
        (('plans', 0, 'steps', 2), 'call', {'node': 'Scale'}, 'another kind of part'),
        (
            ('plans', 0, 'steps', 2, 'call'),
            'base',
            {'node': 'Number', 'value': 1, 'unit': ''},
            'cannot stand before',
        ),
        (
            ('plans', 0, 'steps', 2, 'call'),
            'base',
            {'node': 'Name', 'name': 'stop; drive'},
            'cannot be written',
        ),
    ],
)
def test_data_that_is_no_program_is_refused(
    path: tuple[str | int, ...], key: str, value: object, said: str
) -> None:
    data = deepcopy(to_json(parse_text(PARTNER)))
    at(data, *path)[key] = value
    with pytest.raises(ProgramError, match='E101') as caught:
        from_json(data)
    assert said in caught.value.diagnostics[0].text


@pytest.mark.parametrize('data', [None, [], 'mdle 1;', {}, {'node': 'Program'}])
def test_anything_else_is_refused(data: Any) -> None:
    with pytest.raises(ProgramError, match='this JSON is no program'):
        from_json(data)


def test_deep_data_is_refused() -> None:
    data = to_json(parse_text('mdle 1; const c = 1;'))
    deep: Any = at(data, 'constants', 0, 'value')
    for _ in range(5000):
        deep = {'node': 'Unary', 'operator': '-', 'operand': deep}
    data['constants'][0]['value'] = deep
    with pytest.raises(ProgramError, match='nests deeper'):
        from_json(data)
