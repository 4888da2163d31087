"""Faults, stops, pauses: the robot rests whatever happens (mdle.md §4.6.4, §4.6.6, §4.7)."""

import math
import sys
from typing import ClassVar

import pytest
from mdle_stage import SAY, SECOND, SEG, START, Told, after, begin, run, settings

from walking_robots.mdle.knowledge.elements import Progress
from walking_robots.mdle.knowledge.extension import atom, guard, law, module_from
from walking_robots.mdle.knowledge.library import standard_library
from walking_robots.mdle.language.parser import parse_text
from walking_robots.mdle.runtime.events import RunError
from walking_robots.mdle.runtime.executor import Executor, RunPhase
from walking_robots.mdle.runtime.job import Job, default_entry
from walking_robots.mdle.runtime.outline import outline
from walking_robots.mdle.runtime.settings import ExecutorSettings, OperatorRequest

DRIVE = 'atom go() on body2 { control [0.2 m/s, 0 rad/s]; %s timeout inf; }'


def stopped_in_this_tick(stage):
    at, what, _ = stage.robot.log[-1]
    return what == 'stop' and at == stage.now - stage.executor.settings.period


@pytest.mark.parametrize(
    ('text', 'code', 'reported'),
    [
        ('atom go() on body2 { control [y.x / y.quiet * 1 m/s, 0 rad/s]; }', 'E802', 'finite'),
        ('atom go() on body2 { control [0.1 m/s]; }', 'E802', 'is not 2 finite numbers'),
        ('atom go() on body2 { control [sqrt(y.x / 1 m) * 1 m/s, 0 rad/s]; }', 'E802', 'domain'),
        (DRIVE % 'until sqrt(y.x / 1 m) > 2;', 'E803', 'domain'),
        (DRIVE % 'until y.beams[7] > 1 m;', 'E803', 'index 7 is outside 0 .. 2'),
        (DRIVE % 'until y.x / y.quiet > 1;', 'E803', 'not a number'),
        ('atom go() on legs { control [1 m/s]; }', 'E402', 'legs'),
        ('atom go() on none { until nothing(); }', 'E201', 'nothing'),
    ],
)
def test_ac27_what_cannot_be_computed_stops_the_robot_in_the_same_tick(text, code, reported):
    stage = after(2, text, {'x': -1.0})
    stage.tick()
    assert stopped_in_this_tick(stage)
    stage.robot.values |= {'x': 0.0, 'quiet': 0.0}
    result = stage.finish()
    assert (result.outcome, result.code) == ('FAULT', code)
    assert reported in result.message


@pytest.mark.parametrize(
    'condition', ['y.x > 1 m', 'y.x < 1 m', 'y.x >= y.quiet', 'min(y.beams) < 0.1 m', 'y.x == 1 m']
)
def test_ac27_a_channel_that_is_not_a_number_is_never_silently_false(condition):
    stage = after(
        2,
        DRIVE % f'until {condition} and y.a;',
        {'x': math.nan, 'beams': (math.nan, 1.0, 2.0)},
        robot=Told(x=1.5, quiet=2.0),
    )
    stage.tick()
    assert stopped_in_this_tick(stage)
    assert stage.finish().code == 'E803'


def test_ac27_a_stale_channel_stops_the_robot():
    stage = after(2, DRIVE % 'until y.x > 1 m;')
    stage.robot.ages['x'] = 6 * SECOND // 10
    stage.tick()
    assert stopped_in_this_tick(stage)
    result = stage.finish()
    assert (result.code, result.message) == ('E804', 'x is 0.60 s old (limit 0.5 s)')


@pytest.mark.parametrize(
    ('filters', 'channel', 'outcome'),
    [
        ('', 'y.x', 'FAULT'),
        ('', 'y.quiet', 'DONE'),
        ('with stale fault', 'y.quiet', 'FAULT'),
        ('with stale false', 'y.x', 'DONE'),
        ('with stale true', 'y.x', 'INTERRUPT'),
    ],
)
def test_what_a_guard_makes_of_stale_channels(filters, channel, outcome):
    text = f'interrupt far = {channel} > 1 m {filters}; ' + (DRIVE % 'until far;')
    stage = begin(text.replace('timeout inf', 'timeout 0.5 s'), robot=Told())
    stage.robot.ages = {'x': SECOND, 'quiet': SECOND}
    assert stage.finish().outcome == outcome


def test_a_law_does_not_drive_by_stale_channels():
    stage = after(2, 'atom go() on body2 { control [y.quiet / 1 s, 0 rad/s]; }')
    stage.robot.ages['quiet'] = SECOND
    stage.tick()
    assert stopped_in_this_tick(stage)
    assert stage.finish().code == 'E804'


FILTERS = """
interrupt one = y.a with {};
atom go() on none {{ until one; timeout 10 s; }}
"""


@pytest.mark.parametrize(
    ('filters', 'signal', 'fires'),
    [
        ('hold 0.2 s', '0111011111', 9),
        ('hold 0.2 s', '11111', 4),
        ('debounce 0.1 s', '0110111', 6),
        ('debounce 0.1 s', '01000010', None),
        ('edge', '1110001', 6),
        ('latch, hold 0.1 s', '0100', 3),
        ('hold 0.1 s, latch', '0100', None),
        ('edge, hold 0.1 s', '1110111', 6),
    ],
)
def test_filters_of_interrupts(filters, signal, fires):
    stage = begin(FILTERS.format(filters), robot=Told())
    fired = None
    for tick, level in enumerate(signal):
        stage.robot.values['a'] = level == '1'
        if stage.tick() is not RunPhase.RUNNING:
            fired = tick
            break
    assert fired == fires


def test_a_filter_sees_every_tick_also_behind_an_and():
    text = 'interrupt one = y.a with hold 0.1 s; atom go() on none { until y.b and one; }'
    stage = after(3, text, {'b': True}, robot=Told(a=True))
    assert stage.tick() is RunPhase.STOPPING


def test_ac23_a_pause_does_not_change_the_way():
    stage = begin('plan p { do { drive(1 m) timeout 6 s => fail "late"; } }')
    stage.tick(30)
    stage.ask('pause')
    stage.tick(2)
    where = stage.robot.true_pose
    stage.tick(100)
    assert stage.executor.phase is RunPhase.PAUSED
    assert stage.robot.true_pose == where
    stage.ask('resume')
    result = stage.finish()
    assert result.outcome == 'DONE'
    assert result.duration == pytest.approx(5.0, abs=0.051)
    assert stage.robot.true_pose.x == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize(
    ('policy', 'outcome', 'x'), [('restart_atom', 'DONE', 1.25), ('fail', 'FAIL', 0.25)]
)
def test_ac23_other_ways_to_resume(policy, outcome, x):
    stage = begin('plan p { do { drive(1 m); } }')
    stage.tick(25)
    stage.ask('pause')
    stage.tick(5)
    stage.ask('resume', policy=policy)
    assert stage.finish().outcome == outcome
    assert stage.robot.true_pose.x == pytest.approx(x, abs=1e-9)


@pytest.mark.parametrize('kind', ['cancel', 'fault'])
def test_a_program_that_is_ended_in_a_long_pause_ends_like_any_other(kind):
    stage = begin('plan p { finally log("x"); do { drive(1 m); } }')
    stage.tick(25)
    stage.ask('pause')
    stage.tick(2000)
    stage.ask(kind, 'enough', code='E805' if kind == 'fault' else '')
    result = stage.finish()
    assert result.code == ('E805' if kind == 'fault' else '')
    assert result.duration == pytest.approx(1.25)
    assert any(e.path == 'p.finally' for e in stage.events)


def test_steps_and_breakpoints():
    text = 'plan p { do { drive(0.1 m); spin(0.1 rad); stop(); } }'
    stage = begin(text, settings=settings(breakpoints=frozenset(['p.spin'])), paused=True)
    stage.tick(3)
    assert stage.running == []
    stage.ask('step')
    stage.tick()
    assert (stage.running, stage.executor.phase) == (['p', 'p.drive'], RunPhase.PAUSED)
    stage.ask('resume')
    stage.tick(30)
    assert (stage.running, stage.executor.phase) == (['p', 'p.spin'], RunPhase.PAUSED)
    stage.ask('resume')
    assert stage.finish().outcome == 'DONE'
    assert stage.robot.true_pose.heading == pytest.approx(0.1)


@pytest.mark.parametrize(
    'request_',
    [
        OperatorRequest('cancel'),
        OperatorRequest('preempt'),
        OperatorRequest('fault', 'slow', code='E805'),
        None,
    ],
)
def test_ac24_every_end_stops_the_robot_and_waits_for_it(request_):
    stage = begin('plan p { do { drive(0.5 m); } }')
    stage.tick(10 if request_ else 50)
    moved = stage.robot.true_pose
    if request_:
        stage.executor.ask(request_)
    phases = [stage.tick() for _ in range(4)]
    assert phases == [RunPhase.STOPPING] * 3 + [RunPhase.TERMINATED] or phases == [
        *[RunPhase.STOPPING] * 2,
        *[RunPhase.TERMINATED] * 2,
    ]
    assert math.dist(moved[:2], stage.robot.true_pose[:2]) <= 0.2 * 0.2
    assert stage.robot.stopped()
    assert (
        stage.executor.result.outcome
        == {None: 'DONE', 'cancel': 'CANCELED', 'preempt': 'PREEMPTED', 'fault': 'FAULT'}[
            request_.kind if request_ else None
        ]
    )


def test_ac24_without_the_executor_the_robot_stops_itself():
    stage = begin('plan p { do { drive(5 m); } }')
    stage.tick(20)
    at = stage.robot.true_pose.x
    stage.robot.read(stage.now + 10 * SECOND)
    assert stage.robot.true_pose.x - at <= 0.2 * 0.15 + 1e-9
    assert stage.robot.stopped()


def test_a_stop_that_is_not_confirmed_is_reported():
    stage = begin('plan p { do { drive(0.1 m); } }', robot=Told())
    stage.robot.rests = False
    result = stage.finish()
    assert (result.outcome, result.code) == ('FAULT', 'E807')
    assert 'the stop is not confirmed' in result.message
    assert (stage.now - START) * 1e-9 == pytest.approx(0.5 + 2.0, abs=0.11)


@pytest.mark.parametrize('request_', ['', 'cancel', 'pause'])
def test_the_emergency_stop_comes_before_the_operator_and_into_a_pause(request_):
    robot = Told(estop=False)
    stage = after(3, 'plan p { do { ahead(0.2 m/s); } }', robot=robot)
    if request_:
        stage.ask(request_)
    if request_ == 'pause':
        stage.tick(3)
    robot.values['estop'] = True
    stage.tick()
    assert stopped_in_this_tick(stage)
    assert stage.finish().code == 'ESTOP'


def test_a_handler_of_a_fault_may_talk_but_not_drive():
    text = """
    plan p {
      on fault => run report() then abort;
      do { ahead(0.2 m/s) until y.x / y.quiet > 1; }
    }
    behavior report { do { log("broken"); drive(1 m); log("not driven"); } }
    """
    stage = after(2, text, robot=Told(x=1.0, quiet=2.0))
    driven = len(stage.driven())
    stage.robot.values |= {'x': 0.0, 'quiet': 0.0}
    assert stage.finish().outcome == 'FAULT'
    assert stage.said == ['broken']
    assert len(stage.driven()) == driven


def test_a_program_cannot_be_started_beside_another_or_without_its_entry():
    stage = begin('plan p { do { hold(); } }', robot=Told())
    with pytest.raises(RuntimeError, match='runs already'):
        stage.executor.start(stage.executor.job, START)
    with pytest.raises(RunError, match="no element 'nothing'"):
        begin('plan p { do { hold(); } }', entry='nothing', robot=Told())


def test_one_executor_runs_one_program_after_another():
    stage = begin('plan p { do { drive(0.2 m); } }')
    first = stage.finish()
    stage.executor.start(stage.executor.job, stage.now)
    second = stage.finish()
    assert second.ticks == first.ticks
    assert stage.robot.true_pose.x == pytest.approx(0.4)


@law('body2', {'v': 'm/s'}, reads=['x'])
def by_x(t, y, v):
    return v, y['x']


@guard({'limit': 'm'}, reads=['x'])
def beyond(y, limit):
    if y['x'] < 0.0:
        raise RuntimeError('below zero')
    return y['x'] > limit


@atom('body2', {'n': 'num'}, {'count': 'num'}, defaults={'n': 3.0})
class Stagger:
    """Drive left and right in turn, n times."""

    exits: ClassVar = []

    def enter(self, context):
        self.left = context.arguments['n']
        self.count = 0

    def law(self, t, y):
        return 0.1, 0.2 if self.count % 2 else -0.2

    def progress(self, t, y):
        self.count += 1
        if self.count > self.left:
            return Progress('done', outputs={'count': float(self.count)})
        return Progress()

    def exit(self, cause):
        self.exits.append(cause)


@atom('none', {})
class Odd:
    """Return the progress that a test sets."""

    reported: ClassVar = Progress()

    def enter(self, context):
        pass

    def law(self, t, y):
        return ()

    def progress(self, t, y):
        return self.reported

    def exit(self, cause):
        pass


def begin_own(text, **fields):

    module = module_from('lab', sys.modules[__name__])
    program = parse_text('mdle 1; import std.body2; import lab;' + text)
    library = {**standard_library(), 'lab': module}
    stage = begin('plan p { do { stop(); } }', robot=Told(**fields))
    stage.executor = Executor(stage.robot, ExecutorSettings())
    stage.executor.start(Job(program, library, default_entry(program)), stage.now)
    return stage


def test_elements_written_in_python():
    Stagger.exits.clear()
    stage = begin_own('plan p -> (count: num) { do { count = stagger(); } }')
    result = stage.finish()
    assert stage.driven() == [(0.1, 0.2), (0.1, -0.2), (0.1, 0.2)]
    assert result.outputs == {'count': 4.0}
    assert Stagger.exits == ['done']
    stage = begin_own('atom go() on body2 { control by_x(0.3 m/s); until beyond(2 m); }', x=1.0)
    stage.tick(2)
    assert stage.driven()[-1] == (0.3, 1.0)
    stage.robot.values['x'] = -1.0
    result = stage.finish()
    assert (result.code, stage.robot.log[-1][1]) == ('E803', 'stop')
    assert 'below zero' in result.message
    Stagger.exits.clear()
    stage = begin_own('plan p { do { stagger(100) timeout 0.2 s; } }')
    stage.finish()
    assert Stagger.exits == ['timeout']


@pytest.mark.parametrize(
    'reported',
    [
        None,
        Progress('banana'),
        Progress('canceled'),
        Progress('done', outputs=None),
        Progress('done', outputs={3: 4.0}),
        Progress('fail', text=5),
    ],
)
def test_an_atom_in_python_that_ends_as_none_can_is_a_fault_and_never_more(reported, monkeypatch):
    monkeypatch.setattr(Odd, 'reported', reported)
    result = begin_own('plan p { do { odd(); } }').finish()
    assert (result.code, result.path) == ('E802', 'p.odd')
    stage = begin_own('plan p { finally odd(); do { hold(); } }')
    stage.tick(2)
    stage.ask('cancel')
    assert stage.finish(1.0).outcome == 'CANCELED'
    assert any("'odd' went wrong" in e.text for e in stage.events)


def test_ac10_a_control_has_exactly_the_channels_of_its_space():
    for vector in ('[0.1 m/s]', '[0.1 m/s, 0 rad/s, 0 rad/s]'):
        result, stage = run(f'atom go() on body2 {{ control {vector}; }}', robot=Told())
        assert (result.code, stage.driven()) == ('E802', [])
    for index in ('3', '-1'):
        result, _ = run(f'atom go() on none {{ until y.beams[{index}] > 1 m; }}', robot=Told())
        assert result.code == 'E803'


def test_w409_a_control_beyond_the_limits_is_reported_once():
    stage = begin('atom go() on body2 { control [3 m/s, 0 rad/s] for 0.5 s; }', robot=Told())
    result = stage.finish()
    reported = [e.text for e in stage.events if 'W409' in e.text]
    assert reported == ['W409 v = 3 is beyond -1 .. 1']
    assert result.way == pytest.approx(0.5)


def test_what_a_handler_of_a_fault_would_drive_is_reported_under_its_own_name():
    text = 'plan p { on fault => run drive(1 m); do { ahead(0.2 m/s) until y.x > 1 m => abort; } }'
    stage = begin(text, robot=Told(x=2.0))
    stage.finish()
    reported = [(e.path, e.text) for e in stage.events if e.kind == 'warning']
    assert reported == [
        ('p.drive', "'drive' is left out: nothing may drive after a fault or a cancel")
    ]


@pytest.mark.parametrize(
    'plan',
    [
        'plan p { until y@alpha.state == "done" => done; do { stop(); } }',
        'plan p { do { stop() until y@alpha.state == "done"; } }',
        'atom a() on none { needs y@alpha.pose; timeout 1 s; } plan p { do { a(); } }',
    ],
)
def test_a_partner_that_is_not_listened_to_is_named(plan):
    result = run(plan)[0]
    assert (result.outcome, result.code) == ('FAULT', 'E808')
    assert result.message == 'partner alpha is not listened to: parameter partners'
    assert result.line == 3


def test_a_clock_that_is_set_back_lengthens_nothing():
    stage = after(10, SEG)
    stage.now -= 10 * SECOND
    result = stage.finish()
    # The tick in which the clock was set back takes no time of the program's.
    assert (result.outcome, result.ticks) == ('DONE', 21)
    stage = begin(SEG, robot=Told())
    stage.robot.rests = False
    stage.tick(22)
    stage.now -= 10 * SECOND
    before = stage.executor.context.tick
    assert stage.finish().code == 'E807'
    assert stage.executor.context.tick - before < 45


def test_a_channel_from_the_future_is_not_trusted():
    stage = begin('atom go() on none { until y.x > 1 m; }', robot=Told())
    stage.robot.ages['x'] = -2 * SECOND
    result = stage.finish()
    assert result.code == 'E804' and 'ahead' in result.message


WAIT = 'atom w(d: m) on none { timeout 0.1 s => next; until false; }\n'


@pytest.mark.parametrize(
    'steps',
    [
        'if y.x < 1 m { say(); };',
        'w(y.x);',
        'say() timeout y.x / 1 m * 1 s;',
        'if sqrt(y.quiet / 1 m - 5) > 1 { say(); };',
        'w(sqrt(y.quiet / 1 m - 5) * 1 m);',
    ],
)
def test_values_that_cannot_be_had_at_entry_are_a_fault(steps):
    stage = begin(f'{SAY}{WAIT} plan p {{ do {{ {steps} }} }}', robot=Told())
    del stage.robot.values['x']
    result = stage.finish()
    assert (result.outcome, result.code[:2]) == ('FAULT', 'E8')


def test_elements_that_lie_too_deep_are_a_fault_and_not_a_crash():
    levels = ''.join(f'behavior b{i + 1} {{ do {{ b{i}(); }} }}\n' for i in range(600))
    text = f'behavior b0 {{ do {{ hold(); }} }}\n{levels} plan p {{ do {{ b600(); }} }}'
    stage = begin(text, robot=Told())
    result = stage.finish()
    assert (result.outcome, result.code) == ('FAULT', 'E801')
    assert 'more than 150 deep' in result.message
    assert len(outline(stage.executor.job)) < 200
