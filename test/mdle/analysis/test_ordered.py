"""Arguments of an entry, as an operator writes them."""

import pytest
from mdle_stage import Told

from walking_robots.mdle.analysis.checker import check_order
from walking_robots.mdle.knowledge.library import standard_library
from walking_robots.mdle.language.parser import parse_text
from walking_robots.mdle.program_store import parse_arguments
from walking_robots.mdle.runtime.settings import ExecutorSettings
from walking_robots.mdle.session import RunRequest, Session
from walking_robots.virtual_robots.scout import scout_spec

SOURCE = """mdle 1; import std.body2; const c = 1 m;
plan p(d: m, side: str = "left", at: point = point(0 m, 0 m)) { do { drive(d); } }"""
TAKES = "'p' takes (d: m, side: str = ..., at: point = ...)"


@pytest.mark.parametrize(
    ('arguments', 'code', 'text'),
    [
        ({}, 'E301', TAKES),
        ({'d': '1 m', 'x': '1 m'}, 'E301', TAKES),
        ({'d': '1'}, 'E303', 'argument d: cannot use num where m is required'),
        ({'d': '1 rad'}, 'E303', 'argument d: cannot use rad where m is required'),
        ({'d': '"x"'}, 'E302', 'argument d: expected m, found str'),
        ({'d': '1 m', 'side': '3'}, 'E302', 'argument side: expected str, found num'),
        ({'d': 'quux'}, 'E201', "argument d: 'quux' is not defined"),
        ({'d': 'y.nothing'}, 'E202', "argument d: robot 'scout' has no output 'nothing'"),
    ],
)
def test_arguments_that_do_not_fit_are_reported(arguments, code, text):
    program, library = parse_text(SOURCE), standard_library()
    found = check_order(program, library, scout_spec(), 'p', parse_arguments(arguments))
    assert [(d.code, d.text) for d in found] == [(code, text)]


@pytest.mark.parametrize(
    'arguments',
    [{'d': '1 m'}, {'d': 'c', 'at': 'y.pose', 'side': '"right"'}, {'d': '2 * c + 3 cm'}],
)
def test_arguments_that_fit_are_taken(arguments):
    program, library = parse_text(SOURCE), standard_library()
    assert check_order(program, library, scout_spec(), 'p', parse_arguments(arguments)) == []
    assert check_order(program, library, scout_spec(), 'nowhere', {}) == []


def test_an_order_with_a_wrong_unit_does_not_run():
    session = Session(Told(), standard_library(), ExecutorSettings())
    ticket = session.submit(RunRequest(SOURCE, arguments={'d': '1 rad'}), 0)
    assert ticket.result.outcome == 'REJECTED' and ticket.result.code == 'E303'
    assert session.current is None
    assert session.submit(RunRequest(SOURCE, arguments={'d': '1 m'}), 0).result is None
