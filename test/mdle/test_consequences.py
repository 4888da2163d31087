"""What endings lead to: the table, and that the executor does what it says (mdle.md §4.14)."""

import typing

import pytest
from mdle_stage import Told, run

from walking_robots.mdle.consequences import (
    AnswerBy,
    CauseKind,
    Consequence,
    consequence,
    handles,
    is_handled,
)
from walking_robots.mdle.language.ast import Action, Cause

KINDS = typing.get_args(typing.get_type_hints(Action)['kind'])
X = 'atom x() on none { until y.a => fail "x"; }\natom A() on none { timeout 0.1 s => next; }\n'


def test_the_table_has_every_cause_action_and_level():
    for cause in typing.get_args(CauseKind):
        for level in ('atom', 'container'):
            assert consequence(cause, None, level) in Consequence
        for kind in KINDS:
            assert all(consequence(cause, Action(kind), answer=a) in Consequence for a in AnswerBy)


def test_only_the_timer_of_an_atom_is_gentle():
    assert consequence('timeout', level='atom') is Consequence.WARN
    assert consequence('timeout', level='container') is Consequence.FAIL
    assert not is_handled('timeout', 'atom') and is_handled('timeout', 'container')


@pytest.mark.parametrize(
    ('handled', 'cause', 'names', 'taken'),
    [
        (Cause('fail', 'x'), 'fail', {'x'}, True),
        (Cause('fail', 'x'), 'fail', {'y'}, False),
        (Cause('fail'), 'fail', {'y'}, True),
        (Cause('interrupt', 'hit'), 'interrupt', {'contact', 'hit'}, True),
        (Cause('timeout'), 'fail', {'timeout'}, False),
    ],
)
def test_a_handler_answers_the_causes_of_its_kind_and_name(handled, cause, names, taken):
    assert handles(handled, cause, names) is taken


@pytest.mark.parametrize(
    'inner',
    [
        'behavior b { on fail("x") => retry 2; do { x(); } }',
        'behavior b { do { r(); } } atom r() on none { until y.a => run x() then retry 2; }',
        'behavior b { until y.a => fail "x"; on fail("x") => retry 2; do { A(); } }',
    ],
)
def test_an_exhausted_retry_keeps_the_name_of_the_failure(inner):
    text = f'{X}{inner}\nplan p {{ on fail("x") => run A() then done; do {{ b(); }} }}'
    result, stage = run(text, robot=Told(a=True))
    assert (result.outcome, stage.entered()[-1]) == ('DONE', 'A')


def test_a_retry_beside_a_guard_that_is_exhausted_fails_as_fail_does():
    text = f"""{X} interrupt hit = y.a; atom r() on none {{ until hit => retry 2; }}
    plan p {{ on fail("hit") => run A() then done; do {{ r(); }} }}"""
    result, stage = run(text, robot=Told(a=True))
    assert (result.outcome, stage.entered()) == ('DONE', ['p', 'r', 'r', 'r', 'A'])
    assert [e.text for e in stage.events if e.kind == 'warning'] == ['retry 2 is used up']


def test_a_timer_whose_tries_are_used_up_is_a_timeout():
    text = 'behavior b { timeout 0.1 s => retry 1; do { hold(); } } plan p { do { b(); } }'
    result, _ = run(text, robot=Told())
    assert (result.outcome, result.message) == ('TIMEOUT', 'the time is up')
