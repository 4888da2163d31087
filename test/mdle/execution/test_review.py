"""What a review found: each of these went wrong once."""

import sys

import pytest
from mdle_stage import HEAD, SECOND, Told, begin, run, settings

from walking_robots.mdle.execution.executor import Executor, Phase
from walking_robots.mdle.execution.job import Job, default_entry
from walking_robots.mdle.execution.outline import outline
from walking_robots.mdle.execution.picture import frame_picture
from walking_robots.mdle.execution.requests import Request
from walking_robots.mdle.knowledge.elements import Progress
from walking_robots.mdle.knowledge.extension import atom, module_from
from walking_robots.mdle.knowledge.library import standard_library
from walking_robots.mdle.language.parser import parse_text
from walking_robots.mdle.session import Order, Session

GO = 'atom go() on body2 { control [0.2 m/s, 0 rad/s]; timeout inf; }\n'
GO2 = 'atom go2() on body2 { control [0.3 m/s, 0 rad/s]; timeout inf; }\n'
SEG = 'atom seg() on body2 { control [0.2 m/s, 0 rad/s] for 1 s; }\n'
SAY = 'atom say() on none { timeout 0.1 s => next; until false; }\n'


def drivers(stage):
    return [leaf.path for leaf in stage.executor._core.driving]


def test_what_was_broken_off_in_a_pause_leaves_no_leaf_that_drives():
    text = f"""{GO}{GO2}{SEG} interrupt aa = y.a;
    behavior b {{
      until aa; timeout 9 s; on interrupt(aa) => run seg() then restart; do {{ go(); }}
    }}
    plan p {{ timeout 60 s; on fail => next; do {{ b(); go2(); }} }}"""
    stage = begin(text, robot=Told())
    stage.tick(3)
    stage.executor.ask(Request('pause'))
    stage.tick(2)
    stage.robot.values['a'] = True
    stage.executor.ask(Request('resume', policy='fail'))
    for _ in range(100):
        stage.tick()
        assert len(drivers(stage)) <= 1
        assert set(drivers(stage)) <= set(stage.running)


def test_a_program_driven_backwards_minds_contact():
    stage = begin(f'{SEG} plan p {{ do {{ seg(); }} }}', robot=Told(), backwards=True)
    stage.tick(3)
    assert stage.driven()[-1] == (-0.2, 0.0)
    stage.robot.values['bumper.any'] = True
    assert stage.finish().message == 'contact'


@pytest.mark.parametrize('guard', ['y.bumper.front', 'not y.bumper.front'])
def test_a_guard_on_one_side_does_not_hide_a_contact_on_the_other(guard):
    text = f'{GO} interrupt front = {guard}; plan p {{ timeout 9 s; do {{ go() until front; }} }}'
    stage = begin(text, robot=Told(**{'bumper.front': 'not' in guard}))
    stage.tick(3)
    stage.robot.values |= {'bumper.any': True, 'bumper.rear': True}
    assert stage.finish().message == 'contact'


def test_a_scale_that_does_not_fit_is_no_scale_at_all():
    result, stage = run(f'{SEG} plan p {{ do {{ scale [0.1]: seg(); }} }}', robot=Told())
    assert (result.code, stage.driven()) == ('E401', [])
    session = Session(Told(), standard_library())
    ticket = session.submit(Order(HEAD + SEG, alpha=(0.1,)), SECOND)
    assert (ticket.result.outcome, ticket.result.code) == ('REJECTED', 'E401')


@pytest.mark.parametrize('kind', ['cancel', 'stop', 'fault'])
def test_whoever_wants_an_end_is_served_first(kind):
    stage = begin(GO, robot=Told())
    stage.tick(3)
    for request in (Request('pause'), Request('resume'), Request('step'), Request(kind, 'x')):
        stage.executor.ask(request)
    driven = len(stage.driven())
    assert stage.tick() is Phase.STOPPING
    stage.finish()
    assert len(stage.driven()) == driven


def test_a_clock_that_is_set_back_lengthens_nothing():
    stage = begin(SEG, robot=Told())
    stage.tick(10)
    stage.now -= 10 * SECOND
    result = stage.finish()
    # The tick in which the clock was set back takes no time of the program's.
    assert (result.outcome, result.ticks) == ('DONE', 21)
    stage = begin(SEG, robot=Told())
    stage.robot.rests = False
    stage.tick(22)
    stage.now -= 10 * SECOND
    before = stage.executor._core.tick
    assert stage.finish().code == 'E807'
    assert stage.executor._core.tick - before < 45


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


@atom('none', {})
class Nothing:
    def enter(self, context):
        pass

    def law(self, t, y):
        return ()

    def progress(self, t, y):
        return None

    def exit(self, cause):
        pass


@atom('none', {})
class Unmade(Nothing):
    def __init__(self):
        raise ValueError('no parts')


@atom('none', {})
class BadExit(Nothing):
    def progress(self, t, y):
        return Progress()

    def exit(self, cause):
        raise ValueError('it sticks')


@atom('none', {})
class WorseExit(BadExit):
    def progress(self, t, y):
        raise ValueError('it does not know')


@atom('none', {})
class Quiet(Nothing):
    exits: list = []  # noqa: RUF012

    def progress(self, t, y):
        return Progress()

    def exit(self, cause):
        self.exits.append(cause)


def begin_with_own(text):
    module = module_from('lab', sys.modules[__name__])
    program = parse_text(f'mdle 1; import lab; {SAY}{text}')
    stage = begin(SAY, robot=Told())
    stage.executor = Executor(stage.robot)
    job = Job(program, {'lab': module}, default_entry(program))
    stage.executor.start(job, stage.now)
    return stage


@pytest.mark.parametrize('name', ['nothing', 'unmade', 'worse_exit'])
def test_atoms_in_python_that_are_wrong_are_a_fault(name):
    assert begin_with_own(f'plan p {{ do {{ {name}(); }} }}').finish().code == 'E802'


def test_an_atom_that_does_not_let_go_keeps_nobody_else():
    Quiet.exits.clear()
    text = 'plan p { finally say(); do { par all { bad_exit(); quiet(); }; } }'
    stage = begin_with_own(text)
    stage.tick(2)
    stage.executor.ask(Request('cancel'))
    assert stage.finish().outcome == 'CANCELED'
    assert Quiet.exits == ['canceled']
    assert 'p.finally' in [e.path for e in stage.events if e.kind == 'enter']


def test_a_cleanup_that_fails_twice_ends_all_the_same():
    stage = begin_with_own('plan p { finally worse_exit(); finally say(); do { quiet(); } }')
    stage.tick(2)
    stage.executor.ask(Request('cancel'))
    assert stage.finish().outcome == 'CANCELED'


def test_a_reversal_is_not_scaled_twice():
    _, stage = run(f'{SEG} plan p {{ do {{ scale [0.5, 0.5]: (seg(); reverse last); }} }}')
    assert abs(stage.robot.true_pose.x) < 1e-9


def test_a_breakpoint_takes_nothing_of_a_reversal():
    stage = begin(
        f'{SEG} plan p {{ do {{ seg(); reverse last; }} }}',
        settings=settings(breakpoints=frozenset(['p.reverse'])),
    )
    stage.tick(40)
    assert stage.executor.phase is Phase.PAUSED
    stage.executor.ask(Request('resume'))
    stage.finish()
    assert abs(stage.robot.true_pose.x) < 1e-9


@pytest.mark.parametrize('modifier', ['', ' timeout 5 s', ' until y.b'])
def test_restart_goes_to_the_first_step_of_the_block_that_it_is_written_in(modifier):
    text = f"""{SAY} atom r() on none {{ until y.a => restart; timeout 9 s; }}
    plan p {{ do {{ say(); r(){modifier}; }} }}"""
    stage = begin(text, robot=Told(a=True))
    stage.tick(3)
    assert stage.entered()[:4] == ['p', 'say', 'r', 'say']


@pytest.mark.parametrize('step', ['(go()) timeout 0.5 s', 'b() timeout 0.5 s', 'c()'])
def test_a_handler_of_timeouts_hears_of_groups_and_behaviors(step):
    text = f"""{GO}{SAY} behavior b {{ do {{ go(); }} }}
    behavior c {{ timeout 0.5 s; do {{ go(); }} }}
    plan p {{ timeout 60 s; on timeout => run say() then next; do {{ {step}; say(); }} }}"""
    result, stage = run(text, robot=Told())
    assert (result.outcome, stage.entered().count('say')) == ('DONE', 2)


def test_a_handler_within_a_handler_lifts_its_own_mask_only():
    text = f"""{GO}{SAY}{SEG} interrupt hit = y.a;
    behavior inner {{
      until hit; timeout 9 s; on interrupt(hit) => run say() then next; do {{ go(); }}
    }}
    behavior rescue {{ do {{ inner(); seg(); }} }}
    plan p {{
      until hit; timeout 60 s; on interrupt(hit) => run rescue() then next; do {{ go(); }}
    }}"""
    stage = begin(text, robot=Told())
    stage.tick(2)
    stage.robot.values['a'] = True
    stage.tick(40)
    assert stage.entered().count('rescue') == 1


@pytest.mark.parametrize(
    ('action', 'outcome', 'helps'),
    [
        ('abort', 'FAULT', 1),
        ('fail "worse"', 'FAIL', 1),
        ('retry 2', 'FAIL', 3),
        ('next', 'DONE', 1),
    ],
)
def test_what_is_written_in_the_element_of_a_handler_counts(action, outcome, helps):
    text = f"""atom broken() on none {{ until y.a => fail "broken"; }}
    atom help() on none {{ until y.a => {action}; timeout 1 s; }}
    plan p {{ on fail("broken") => run help() then next; do {{ broken(); }} }}"""
    result, stage = run(text, robot=Told(a=True))
    assert (result.outcome, stage.entered().count('help')) == (outcome, helps)


def test_a_cleanup_that_ends_by_its_timer_is_nothing_to_warn_of():
    _, stage = run(f'{SAY} plan p {{ finally say(); do {{ say(); }} }}', robot=Told())
    assert not [e for e in stage.events if e.kind == 'warning']


def test_looking_at_a_run_does_not_change_it():
    text = 'interrupt l = y.a with latch; atom go() on none { until l; timeout 2 s; }'
    outcomes = []
    for looks in (False, True):
        stage = begin(text, robot=Told())
        stage.tick(3)
        stage.executor.ask(Request('pause'))
        stage.tick()
        stage.robot.values['a'] = True
        stage.tick()
        for frame in stage.executor.frames() if looks else ():
            frame_picture(frame, stage.executor.values, stage.executor.clock)
        stage.robot.values['a'] = False
        stage.executor.ask(Request('resume'))
        stage.tick(3)
        outcomes.append(stage.executor.phase)
    assert outcomes == [Phase.RUNNING, Phase.RUNNING]


def test_the_parallel_any_ends_as_its_winner_did():
    text = f"""{GO}{SAY} interrupt aa = y.a;
    atom watch() on none {{ until aa; timeout 9 s; }}
    plan p {{ on interrupt(aa) => run say() then next; do {{ par any {{ watch(); go(); }}; }} }}"""
    stage = begin(text, robot=Told())
    stage.tick(2)
    stage.robot.values['a'] = True
    stage.finish()
    assert stage.entered()[-1] == 'say'


def test_elements_that_lie_too_deep_are_a_fault_and_not_a_crash():
    levels = ''.join(f'behavior b{i + 1} {{ do {{ b{i}(); }} }}\n' for i in range(600))
    text = f'behavior b0 {{ do {{ hold(); }} }}\n{levels} plan p {{ do {{ b600(); }} }}'
    stage = begin(text, robot=Told())
    result = stage.finish()
    assert (result.outcome, result.code) == ('FAULT', 'E801')
    assert 'more than 150 deep' in result.message
    assert len(outline(stage.executor.job)) < 200
