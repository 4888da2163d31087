"""Checkpoints: a run goes on where an earlier one was."""

import json
import math

import pytest
from mdle_stage import Told, after, begin, job, run

from walking_robots.mdle.program_store import parse_arguments
from walking_robots.mdle.runtime.checkpoint import parse_checkpoint
from walking_robots.mdle.runtime.events import RunError
from walking_robots.mdle.runtime.executor import Executor

TEXT = """
atom look() -> (seen: m) on none { timeout 0.1 s => next; until false; emit seen = y.x; }
atom go(d: m) on body2 { control [d / 1 s, 0 rad/s] for 0.1 s; }
behavior leg { loop 3; do { at = look(); go(at); } }
plan p { do { stop(); leg(); stop(); } }
"""


def _interrupted(ticks):
    """Run for so many ticks; gives the checkpoint there, as text."""
    stage = begin(TEXT, robot=Told(x=0.25))
    stage.tick(ticks)
    return stage.executor.checkpoint().to_text()


def test_a_run_goes_on_at_its_step_and_iteration_with_what_it_knew():
    # 10 ticks of stop, 4 of the first round, 2 of the second look.
    text = _interrupted(10 + 4 + 3)
    robot = Told(x=0.75)
    stage = begin(TEXT, robot=robot, resume=parse_checkpoint(text))
    stage.finish()
    assert stage.entered() == ['p', 'leg', 'go', 'look', ['go', '2'][0], 'stop#2']
    # The first go still has the value that was seen before the interruption.
    assert [v for v, _ in stage.driven()[:2]] == [0.25, 0.25]
    assert [v for v, _ in stage.driven()[2:4]] == [0.75, 0.75]


def test_e809_a_checkpoint_of_another_program_is_refused():
    checkpoint = parse_checkpoint(_interrupted(3))
    with pytest.raises(RunError) as error:
        begin(TEXT.replace('loop 3', 'loop 4'), robot=Told(), resume=checkpoint)
    assert error.value.code == 'E809'


@pytest.mark.parametrize(
    'text',
    [
        '',
        'x',
        '[]',
        '{}',
        '{"program": "", "entry": "", "where": {"kind": "plan"}, "board": {}}',
        '{"program": "", "entry": "", "where": [1], "board": {}}',
        '[' * 9999,
    ],
)
def test_what_is_no_checkpoint_is_one_sentence(text):
    with pytest.raises(ValueError, match='this is no checkpoint'):
        parse_checkpoint(text)


def test_e809_a_step_that_is_not_there_is_a_fault():
    data = json.loads(_interrupted(12))
    data['where'] |= {'step': 99}
    checkpoint = parse_checkpoint(json.dumps(data))
    stage = begin(TEXT, robot=Told(), resume=checkpoint)
    assert stage.finish().code == 'E809'


def test_nothing_runs_nothing_to_go_on_with():
    assert Executor(Told()).checkpoint() is None
    result, stage = run('plan p { do { stop(); } }', robot=Told())
    assert result.outcome == 'DONE'
    assert stage.executor.checkpoint() is None
    assert job('plan p { do { stop(); } }').resume is None


BRANCHES = """
atom ahead() on body2 { control [1 m/s, 0 rad/s] for 0.1 s; }
atom aside() on body2 { control [0 m/s, 1 rad/s] for 0.1 s; }
plan p { do { if y.x < 1 m { ahead(); ahead(); } else { aside(); aside(); }; } }
"""


def test_a_run_goes_on_in_the_branch_that_was_chosen():
    stage = after(3, BRANCHES, robot=Told(x=0.0))
    checkpoint = parse_checkpoint(stage.executor.checkpoint().to_text())
    stage = begin(BRANCHES, robot=Told(x=2.0), resume=checkpoint)
    stage.finish()
    assert stage.entered() == ['p', 'if', 'ahead#2']


HANDLED = """
atom go() on body2 { control [1 m/s, 0 rad/s] for 0.2 s; until y.a => fail "x"; }
atom one() on none { timeout 0.2 s => next; until false; }
behavior first { do { one(); one(); } }
behavior b { on fail("x") => run first() then restart; do { go(); } }
plan p { do { b(); } }
"""


def test_a_handler_begins_with_its_first_step_after_a_checkpoint_within_it():
    stage = after(7, HANDLED, robot=Told(a=True))
    assert stage.running[-1].endswith('one#2')
    checkpoint = parse_checkpoint(stage.executor.checkpoint().to_text())
    stage = after(2, HANDLED, {'a': True}, resume=checkpoint)
    stage.tick(8)
    assert stage.entered() == ['p', 'b', 'go', 'first', 'one', 'one#2']


LANES = """
atom brief() -> (n: num) on none { timeout 0.1 s => next; emit n = 3; }
atom one() on none { timeout 0.3 s => next; until false; }
atom go(d: num) on body2 { control [d * 1 m/s, 0 rad/s] for 0.1 s; }
behavior ones { do { one(); one(); } }
plan p { do { par all { a = brief(); ones(); }; go(a); } }
"""


def test_what_had_ended_beside_what_runs_does_not_run_again():
    stage = after(9, LANES)
    checkpoint = parse_checkpoint(stage.executor.checkpoint().to_text())
    stage = begin(LANES, robot=Told(), resume=checkpoint)
    stage.finish()
    assert stage.entered() == ['p', 'par', 'ones', 'one#2', 'go']
    assert stage.driven()[0] == (3.0, 0.0)


def test_a_checkpoint_before_the_first_tick_is_the_one_to_go_on_from():
    before = parse_checkpoint(_interrupted(17))
    stage = begin(TEXT, robot=Told(), paused=True, resume=before)
    assert stage.executor.checkpoint() == before


def test_numbers_without_end_are_kept_in_a_checkpoint():
    text = 'plan p(most: s = inf) { timeout most; do { set("best", -inf); wait(1 s); } }'
    stage = after(3, text)
    checkpoint = stage.executor.checkpoint()
    assert checkpoint.board == {'best': -math.inf}
    assert parse_checkpoint(checkpoint.to_text()) == checkpoint


def _taken(text, ticks, robot=None, **fields):
    """Give the checkpoint of a program after so many ticks, as it is read again."""
    stage = begin(text, robot=robot or Told(), **fields)
    stage.tick(ticks)
    return parse_checkpoint(stage.executor.checkpoint().to_text())


ORDERED = """
plan p(limit: s = 1 s, d: m = 0.2 m) {
  timeout limit => fail "limit";
  do { drive(d); drive(d); drive(d); }
}
"""
GIVEN = parse_arguments({'limit': '60 s', 'd': '0.4 m'})


@pytest.mark.parametrize('given', [{}, GIVEN, {'d': GIVEN['d']}])
def test_a_run_goes_on_with_the_arguments_of_the_earlier_one(given):
    checkpoint = _taken(ORDERED, 50, arguments=GIVEN)
    stage = begin(ORDERED, resume=checkpoint, arguments=given)
    result = stage.finish()
    assert result.outcome == 'DONE'
    assert result.way == pytest.approx(0.8)
    assert checkpoint.arguments == {'limit': '60 s', 'd': '0.4 m'}


@pytest.mark.parametrize(
    ('other', 'named'),
    [
        ({'arguments': parse_arguments({'d': '0.1 m'})}, "another 'd'"),
        ({'alpha': (2.0, 2.0)}, "another 'alpha'"),
        ({'beta': 0.5}, "another 'beta'"),
        ({'backwards': True}, "another 'reverse'"),
    ],
)
def test_e809_a_checkpoint_of_another_order_is_refused(other, named):
    checkpoint = _taken(ORDERED, 50, arguments=GIVEN)
    with pytest.raises(RunError, match=named) as error:
        begin(ORDERED, resume=checkpoint, **other)
    assert error.value.code == 'E809'


def test_a_run_goes_on_at_the_scale_of_its_order_and_of_its_containers():
    text = (
        'atom go() on body2 { control [0.1 m/s, 0 rad/s] for 1 s; }'
        'behavior b { do { go(); go(); } } plan p { do { scale [y.x / 1 m, 1]: b(); } }'
    )
    checkpoint = _taken(text, 3, robot=Told(x=2.0), alpha=(3.0, 1.0), beta=0.5)
    stage = begin(text, robot=Told(x=5.0), resume=checkpoint)
    assert stage.finish().ticks == 20
    assert {round(v, 9) for v, _ in stage.driven()} == {0.6}


def test_guards_and_t_are_those_of_the_earlier_run():
    text = (
        'behavior b(x: m) { until y.x > x => fail "far"; until t > 5 s => fail "late";'
        ' do { hold() timeout 3 s; hold() timeout 9 s; } } plan p { do { b(y.x + 1 m); } }'
    )
    checkpoint = _taken(text, 70)
    stage = begin(text, robot=Told(x=0.9), resume=checkpoint)
    result = stage.finish()
    assert result.message == 'late'
    assert result.duration == pytest.approx(5.0 - 69 * 0.05, abs=0.051)
    assert begin(text, robot=Told(x=1.1), resume=checkpoint).finish().message == 'far'


def test_timers_and_tries_go_on_as_they_were():
    timed = 'plan p { timeout 4 s => fail "late"; do { drive(0.5 m); drive(0.5 m); } }'
    result = begin(timed, robot=Told(), resume=_taken(timed, 70)).finish()
    assert (result.message, result.ticks) == ('late', 11)
    tried = 'plan p { on fail => retry 1; do { wait(0.5 s) until t > 0.2 s => fail "x"; } }'
    stage = begin(tried, robot=Told(), resume=_taken(tried, 8))
    result = stage.finish()
    assert result.message == 'x'
    assert stage.entered().count('wait') == 1
    assert result.duration == pytest.approx(0.2, abs=0.051)


def test_what_a_timer_called_for_is_begun_afresh_and_a_requirement_is_not_evaluated_again():
    text = (
        'atom one() on none { timeout 0.2 s => next; until false; }'
        'behavior first { do { one(); one(); } }'
        'interrupt here = y.x < 1 m;'
        'plan p { requires here; timeout 0.3 s; on timeout => run first() then done; '
        'do { hold() timeout 9 s; } }'
    )
    checkpoint = _taken(text, 13)
    stage = begin(text, robot=Told(x=2.0), resume=checkpoint)
    assert stage.finish().outcome == 'DONE'
    assert stage.entered() == ['p', 'first', 'one', 'one#2']


NAP = 'atom nap() on none { timeout 1 s => next; until false; }'


@pytest.mark.parametrize(
    ('steps', 'ticks'),
    [
        ('drive(0.5 m); nap(); reverse last;', 55),
        ('drive(0.5 m); reverse last;', 25),
        ('drive(0.5 m); reverse last;', 60),
        ('(drive(0.5 m); drive(0.5 m)); reverse last;', 60),
    ],
)
def test_e809_what_was_driven_before_a_checkpoint_is_never_driven_back(steps, ticks):
    text = f'{NAP} plan p {{ do {{ {steps} }} }}'
    stage = begin(text, robot=Told(), resume=_taken(text, ticks))
    result = stage.finish()
    assert (result.outcome, result.code) == ('FAULT', 'E809')
    assert all(v > 0.0 for v, _ in stage.driven())
    assert 'what was driven before the checkpoint is not known' in result.message


@pytest.mark.parametrize(
    ('steps', 'ticks', 'way'),
    [
        ('nap(); drive(0.5 m); reverse last;', 5, 1.0),
        ('drive(0.5 m); nap(); drive(0.2 m); reverse last;', 55, 0.4),
        ('drive(0.5 m); reverse last; nap(); drive(0.1 m);', 105, 0.1),
    ],
)
def test_what_is_driven_after_a_checkpoint_is_driven_back(steps, ticks, way):
    text = f'{NAP} plan p {{ do {{ {steps} }} }}'
    result = begin(text, resume=_taken(text, ticks)).finish()
    assert result.outcome == 'DONE'
    assert result.way == pytest.approx(way)


def test_e809_nothing_is_driven_back_where_it_turns_out_that_only_the_earlier_run_drove():
    steps = 'drive(0.2 m); nap(); drive(1 m) until y.a; reverse last;'
    text = f'{NAP} plan p {{ do {{ {steps} }} }}'
    stage = begin(text, robot=Told(a=True), resume=_taken(text, 25))
    assert stage.finish().code == 'E809'
    assert stage.driven() == []


@pytest.mark.parametrize(
    'wrong',
    [
        {'age': 10**30},
        {'left': -1},
        {'beta': math.inf},
        {'alpha': 'ab'},
        {'tries': [1]},
        {'iteration': 10**12},
        {'drove': None},
    ],
)
def test_a_checkpoint_with_numbers_that_are_none_is_refused(wrong):
    data = json.loads(_interrupted(12))
    data['where']['within'] |= wrong
    with pytest.raises(ValueError, match='this is no checkpoint'):
        parse_checkpoint(json.dumps(data))
