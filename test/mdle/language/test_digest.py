"""Programs as JSON by the schema, and a digest of what they say."""

import json
from dataclasses import fields, replace
from importlib.resources import files

import jsonschema
import pytest
from hypothesis import given, settings
from mdle_programs import programs
from mdle_worked import FOLLOW, WORKED

from walking_robots.mdle.language import ast
from walking_robots.mdle.language.ast import Constant, Number, Program
from walking_robots.mdle.language.digest import digest, to_json
from walking_robots.mdle.language.formatter import format_program
from walking_robots.mdle.language.parser import parse_text
from walking_robots.mdle.language.yaml_reader import parse_yaml
from walking_robots.mdle.language.yaml_writer import write_yaml

SCHEMA = json.loads(
    files('walking_robots.mdle.language').joinpath('program.schema.json').read_text()
)
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


# Few, as it tries every kind of expression for every expression.
@settings(max_examples=2)
@given(programs())
def test_the_schema_takes_programs(drawn: Program) -> None:
    VALIDATOR.validate(to_json(drawn))


@pytest.mark.parametrize('name', WORKED)
def test_the_schema_takes_the_worked_programs(name: str) -> None:
    VALIDATOR.validate(to_json(parse_text(WORKED[name])))


def is_node(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, ast.Node) and kind is not ast.Node


def test_the_schema_has_every_part_with_every_field() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    kinds = {kind.__name__: kind for kind in vars(ast).values() if is_node(kind)}
    described = {name: part for name, part in SCHEMA['$defs'].items() if 'properties' in part}
    assert described.keys() == kinds.keys()
    for name, kind in kinds.items():
        names = {'node', *(item.name for item in fields(kind) if item.compare)}
        assert set(described[name]['required']) == set(described[name]['properties']) == names


def test_the_schema_refuses_what_is_no_program() -> None:
    for change in ({'version': 2}, {'atoms': {}}, {'plans': [{'node': 'Atom'}]}, {'more': 1}):
        assert not VALIDATOR.is_valid({**to_json(parse_text(FOLLOW)), **change})


def test_the_digest_is_of_what_is_said() -> None:
    for source in WORKED.values():
        program = parse_text(source)
        same = [parse_text(format_program(program)), parse_yaml(write_yaml(program))]
        commented = parse_text(source.replace('\n', ' # why\n\n'))
        assert {digest(item) for item in (*same, commented)} == {digest(program)}
        assert digest(replace(program, plans=())) != digest(program)
    assert len(digest(program)) == 64
    zeros = [Program(1, constants=(Constant('c', '', Number(zero)),)) for zero in (0.0, -0.0, 0)]
    assert len({digest(item) for item in zeros}) == 1


def test_the_digest_stays_what_it_is() -> None:
    """Recordings and checkpoints carry digests: a change of the form has to be meant."""
    assert digest(parse_text('mdle 1; const c: m = 1 m;')).startswith('cff1a687438f77fc')
