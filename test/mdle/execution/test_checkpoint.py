"""Checkpoints: a run goes on where an earlier one was."""

import json

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
        '{"program": "", "entry": "", "places": {"a": [1]}, "board": {}}',
        '[' * 9999,
    ],
)
def test_what_is_no_checkpoint_is_one_sentence(text):
    with pytest.raises(ValueError, match='this is no checkpoint'):
        parse_checkpoint(text)


def test_e809_a_step_that_is_not_there_is_a_fault():
    data = json.loads(_interrupted(12))
    data['places'] = {key: [99, 0, {}] for key in data['places']}
    checkpoint = parse_checkpoint(json.dumps(data))
    stage = begin(TEXT, robot=Told(), resume=checkpoint)
    assert stage.finish().code == 'E809'


def test_nothing_runs_nothing_to_go_on_with():
    assert Executor(Told()).checkpoint() is None
    result, stage = run('plan p { do { stop(); } }', robot=Told())
    assert result.outcome == 'DONE'
    assert stage.executor.checkpoint() is None
    assert job('plan p { do { stop(); } }').resume is None
