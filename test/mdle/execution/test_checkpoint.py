"""Checkpoints: a run goes on where an earlier one was."""

import json
import math

import pytest
from mdle_stage import Told, begin, job, run

from walking_robots.mdle.execution.checkpoint import parse_checkpoint
from walking_robots.mdle.execution.executor import Executor
from walking_robots.mdle.execution.faults import RunError

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
    stage = begin(BRANCHES, robot=Told(x=0.0))
    stage.tick(3)
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
    stage = begin(HANDLED, robot=Told(a=True))
    stage.tick(7)
    assert stage.running[-1].endswith('one#2')
    checkpoint = parse_checkpoint(stage.executor.checkpoint().to_text())
    stage = begin(HANDLED, robot=Told(), resume=checkpoint)
    stage.tick(2)
    stage.robot.values['a'] = True
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
    stage = begin(LANES, robot=Told())
    stage.tick(9)
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
    stage = begin(text, robot=Told())
    stage.tick(3)
    checkpoint = stage.executor.checkpoint()
    assert checkpoint.board == {'best': -math.inf}
    assert parse_checkpoint(checkpoint.to_text()) == checkpoint
