"""What is driven back, and contact meanwhile: front is rear (mdle.md §4.7, §4.11)."""

import pytest
from mdle_stage import Told, after, begin, run, settings

from walking_robots.mdle.runtime.executor import RunPhase

SEG = 'atom seg() on body2 { %s control [0.2 m/s, 0 rad/s] for 0.5 s; }\n'
LONG = 'atom seg() on body2 { control [0.2 m/s, 0 rad/s] for 1 s; }\n'
FRONT = 'interrupt front = y.bumper.front; interrupt rear = y.bumper.rear;\n'
OFF = settings(default_guards=False)


def started(text, ticks=12):
    stage = begin(FRONT + text, robot=Told(), settings=OFF)
    stage.tick(ticks)
    assert stage.running[-1] == 'p.reverse'
    return stage


@pytest.mark.parametrize('written', ['of the atom', 'of its step', 'of the behavior around it'])
@pytest.mark.parametrize(('side', 'outcome'), [('front', 'DONE'), ('rear', 'FAIL')])
def test_what_was_driven_keeps_its_guards_on_contact_on_the_way_back(written, side, outcome):
    guard = 'until front => fail "bumped"'
    text = {
        'of the atom': SEG % f'{guard};' + 'plan p { do { seg(); reverse last; } }',
        'of its step': SEG % '' + f'plan p {{ do {{ seg() {guard}; reverse last; }} }}',
        'of the behavior around it': SEG % ''
        + f'behavior b {{ {guard}; do {{ seg(); }} }} plan p {{ do {{ b(); reverse last; }} }}',
    }[written]
    stage = started(text)
    frame = list(stage.executor.frames())[-1]
    [front] = frame.guards
    assert (front.name, front.reading(stage.robot.values, stage.now)) == ('front', 'false')
    stage.robot.values[f'bumper.{side}'] = True
    assert stage.finish().outcome == outcome


@pytest.mark.parametrize('back', ['reverse last', 'reverse seg()'])
@pytest.mark.parametrize(('side', 'outcome'), [('front', 'DONE'), ('rear', 'FAIL')])
def test_guards_around_a_way_back_mind_the_other_side_while_it_lasts(back, side, outcome):
    text = SEG % '' + f'plan p {{ until front => fail "x"; do {{ seg(); {back}; seg(); }} }}'
    stage = started(text)
    stage.robot.values[f'bumper.{side}'] = True
    stage.tick(3)
    stage.robot.values[f'bumper.{side}'] = False
    assert stage.finish().outcome == outcome


@pytest.mark.parametrize(('side', 'outcome'), [('front', 'FAIL'), ('rear', 'DONE')])
def test_guards_around_a_way_back_mind_their_own_side_again_after_it(side, outcome):
    text = SEG % '' + 'plan p { until front => fail "x"; do { seg(); reverse last; seg(); } }'
    stage = started(text)
    stage.tick(10)
    assert stage.running[-1] == 'p.seg#2'
    stage.robot.values[f'bumper.{side}'] = True
    assert stage.finish().outcome == outcome


def test_a_guard_of_an_earlier_step_does_not_mind_the_way_back_of_the_last_one():
    text = (
        SEG % 'until rear => fail "x";'
        + 'atom other() on body2 { control [0.1 m/s, 0 rad/s] for 0.5 s; }'
        + 'plan p { do { seg(); other(); reverse last; } }'
    )
    stage = started(text, 22)
    stage.robot.values |= {'bumper.front': True, 'bumper.rear': True}
    assert stage.finish().outcome == 'DONE'


def test_a_guard_that_is_held_back_around_a_way_back_stays_so():
    text = SEG % '' + (
        'behavior back { do { seg(); reverse last; seg(); } }\n'
        'plan p { until rear => run back() then fail "x"; do { wait(9 s); } }'
    )
    stage = begin(FRONT + text, robot=Told(**{'bumper.rear': True}), settings=OFF)
    assert stage.finish().message == 'x'
    assert len(stage.driven()) == 30


PAST = 'interrupt past = y.odometer > 0.5 m with edge;\n'


@pytest.mark.parametrize(
    ('step', 'way'),
    [
        ('drive(1 m) until past => retry 1', 3.0),
        ('drive(1 m) until past => run drive(0.1 m) then retry 1', 3.2),
        ('b()', 3.0),
    ],
)
def test_reverse_last_takes_back_all_tries_of_a_step(step, way):
    b = 'behavior b { on fail => retry 1; do { drive(0.2 m); drive(1 m) until past => fail; } }'
    result, _ = run(f'{PAST}{b} plan p {{ do {{ {step}; reverse last; }} }}')
    assert result.way == pytest.approx(way)
    assert result.end_pose == pytest.approx((0.0, 0.0, 0.0), abs=1e-9)


def test_reverse_last_takes_back_what_the_operator_had_entered_again():
    stage = begin('plan p { do { drive(1 m); reverse last; } }')
    stage.tick(50)
    stage.ask('pause')
    stage.tick()
    stage.ask('resume', policy='restart_atom')
    assert stage.finish().way == pytest.approx(3.0)
    assert stage.robot.true_pose.x == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(('back', 'ticks'), [('', 0), ('reverse last;', 11)])
def test_ticks_are_recorded_only_where_reverse_last_may_ask_for_them(back, ticks):
    stage = begin(f'{LONG} plan p {{ do {{ seg(); {back} }} }}')
    stage.tick(11)
    assert len(stage.executor.context.recording.ticks) == ticks


def test_a_program_driven_backwards_minds_contact():
    stage = after(3, f'{LONG} plan p {{ do {{ seg(); }} }}', backwards=True)
    assert stage.driven()[-1] == (-0.2, 0.0)
    stage.robot.values['bumper.any'] = True
    assert stage.finish().message == 'contact'


def test_a_reversal_is_not_scaled_twice():
    _, stage = run(f'{LONG} plan p {{ do {{ scale [0.5, 0.5]: (seg(); reverse last); }} }}')
    assert abs(stage.robot.true_pose.x) < 1e-9


def test_a_breakpoint_takes_nothing_of_a_reversal():
    stage = begin(
        f'{LONG} plan p {{ do {{ seg(); reverse last; }} }}',
        settings=settings(breakpoints=frozenset(['p.reverse'])),
    )
    stage.tick(40)
    assert stage.executor.phase is RunPhase.PAUSED
    stage.ask('resume')
    stage.finish()
    assert abs(stage.robot.true_pose.x) < 1e-9
