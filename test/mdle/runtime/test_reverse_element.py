"""``reverse element``: how long a way back may be, and what scales in it do."""

import time

import pytest
from mdle_stage import Told, begin, run

from walking_robots.mdle.runtime.executor import RunPhase
from walking_robots.mdle.runtime.reversal import MOST_ELEMENTS, MOST_PARTS

SEG = 'atom seg() on body2 { until y.bumper.any => done; control [0.1 m/s, 0 rad/s] for 0.1 s; }\n'
BACK = '\nplan p { do { reverse b(); } }'
DOUBLED = '\n'.join(f'behavior b{i} {{ do {{ b{i - 1}(); b{i - 1}(); }} }}' for i in range(1, 24))
GUARDED = 'atom seg() on body2 { ' + 'until y.bumper.any => done; ' * 100 + 'timeout 1 s; }\n'
WRITTEN = ' then '.join(['[0.1 m/s, 0 rad/s] for 0.1 s'] * (MOST_PARTS // 2 + 1))


@pytest.mark.parametrize(
    ('text', 'what'),
    [
        (SEG + 'behavior b { loop 1000000; do { seg() times 1000000; } }', 'segments'),
        (SEG + 'behavior b { do { (seg() times 1000000) times 1000000; } }', 'segments'),
        (SEG + f'behavior b {{ loop {MOST_PARTS // 2 + 1}; do {{ seg(); seg(); }} }}', 'segments'),
        (
            f'atom w() on body2 {{ control {WRITTEN}; }} behavior b {{ do {{ w(); w(); }} }}',
            'segments',
        ),
        (
            f'{SEG}behavior b0 {{ do {{ seg(); }} }}\n{DOUBLED}\nbehavior b {{ do {{ b23(); }} }}',
            'elements and guards',
        ),
        (GUARDED + 'behavior b { do { ' + 'seg(); ' * 500 + '} }', 'elements and guards'),
    ],
    ids=['loops', 'groups', 'one too many', 'written', 'doubled', 'guards'],
)
@pytest.mark.usefixtures('untraced')
def test_a_way_back_that_is_too_long_is_a_fault_at_once(text, what):
    stage = begin(text + BACK, robot=Told())
    begun = time.process_time()
    stage.tick()
    assert time.process_time() - begun < 0.5
    result = stage.finish()
    assert result.code == 'E703'
    assert what in result.message
    assert result.ticks <= 1


@pytest.mark.parametrize(
    'text',
    [
        f'{SEG}behavior b {{ loop {MOST_PARTS // 10}; do {{ seg() times 10; }} }}',
        SEG + 'behavior b { do { ' + 'seg(); ' * (MOST_ELEMENTS // 2 - 1) + '} }',
    ],
    ids=['segments', 'elements'],
)
@pytest.mark.usefixtures('untraced')
def test_the_longest_way_back_begins_within_a_tick(text):
    stage = begin(text + BACK, robot=Told())
    begun = time.process_time()
    phase = stage.tick()
    # Some 10 ms; the margin is for slow machines, and nothing to what it was without a bound.
    assert time.process_time() - begun < 0.5
    assert phase is RunPhase.RUNNING
    assert stage.driven() == [(-0.1, -0.0)]


def test_scales_within_and_around_a_way_back_multiply():
    text = (
        'atom go() on body2 { control [0.1 m/s, 0 rad/s] for 1 s; }\n'
        'behavior a { do { scale [2, 1] time 0.5: go(); } }\n'
        'behavior b { do { scale [3, 1] time 4: (a(); go()); } }\n'
        'plan p { do { scale [0.5, 1] time 2: (reverse b()); } }'
    )
    result, stage = run(text, robot=Told())
    driven = [v for v, _ in stage.driven()]
    assert driven == pytest.approx([-0.15] * 160 + [-0.3] * 80)
    assert result.duration == pytest.approx(12.0)


@pytest.mark.parametrize(
    ('inner', 'said'),
    [
        ('scale [2]: go()', '1 factors does not fit a control of 2'),
        ('scale [2, 2, 2]: go()', '3 factors does not fit a control of 2'),
        ('scale [2]: (scale [2, 2]: go())', '2 factors within one of 1'),
    ],
)
def test_a_scale_that_does_not_fit_is_a_fault_and_not_cut_short(inner, said):
    text = 'atom go() on body2 { control [0.1 m/s, 0 rad/s] for 1 s; }\n'
    result, stage = run(f'{text}behavior b {{ do {{ {inner}; }} }}{BACK}', robot=Told())
    assert (result.code, stage.driven()) == ('E401', [])
    assert said in result.message


def test_time_in_a_way_back_does_not_run_backwards():
    text = 'atom go() on body2 { control [0.1 m/s, 0 rad/s] for 1 s; }\n'
    scaled = 'behavior b { do { scale [1, 1] time -1: go(); } }'
    result, stage = run(text + scaled + BACK, robot=Told())
    assert (result.code, stage.driven()) == ('E705', [])


@pytest.mark.parametrize(
    'control',
    [
        '[0 m/s, 1 rad/s] for 0.005 s',
        '[0 m/s, 1 rad/s] for 0.01 s then [0 m/s, -0.5 rad/s] for 0.07 s',
    ],
)
def test_segments_shorter_than_a_tick_have_the_time_that_their_ticks_take(control):
    atom = f'atom go() on body2 {{ control {control}; }}'
    loop = 'behavior b { loop 100; do { go(); } }'
    result, _ = run(f'{atom} {loop} plan p {{ do {{ b(); reverse b(); }} }}')
    assert result.outcome == 'DONE'
    assert result.end_pose == pytest.approx((0.0, 0.0, 0.0), abs=1e-9)
