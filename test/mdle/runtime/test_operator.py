"""What an operator requests, and what it means to what goes on outside the program."""

import pytest
from mdle_stage import GO, SEG, Told, after, begin, settings

from walking_robots.mdle.knowledge.elements import Progress
from walking_robots.mdle.runtime.executor import RunPhase
from walking_robots.mdle.runtime.settings import OperatorRequest

GO2 = 'atom go2() on body2 { control [0.3 m/s, 0 rad/s]; timeout inf; }\n'


CALL = 'plan p { do { call_action("go", "{}"); } }'


class Goal:
    """A goal that was sent to an action of another node."""

    def __init__(self, log):
        self._log, self.progress_now = log, Progress()
        log.append('sent')

    def progress(self):
        return self.progress_now

    def cancel(self):
        self._log.append('canceled')


class Actions:
    """Services that know one action."""

    def __init__(self):
        self.log = []

    def call_action(self, name, goal):
        self.goal = Goal(self.log)
        return self.goal


def paused(ticks=3):
    actions = Actions()
    stage = begin(CALL, robot=Told(), services=actions)
    stage.tick(ticks)
    stage.ask('pause')
    stage.tick(2)
    return stage, actions


def test_a_pause_cancels_the_goal_of_an_action_and_its_end_sends_it_again():
    stage, actions = paused()
    assert actions.log == ['sent', 'canceled']
    stage.ask('resume')
    stage.tick(2)
    assert actions.log == ['sent', 'canceled', 'sent']
    actions.goal.progress_now = Progress('done')
    assert stage.finish().outcome == 'DONE'
    assert actions.log == ['sent', 'canceled', 'sent']


@pytest.mark.parametrize(
    ('request_', 'log'),
    [
        (OperatorRequest('cancel'), ['sent', 'canceled']),
        (OperatorRequest('resume', policy='fail'), ['sent', 'canceled']),
        (
            OperatorRequest('resume', policy='restart_atom'),
            ['sent', 'canceled', 'sent', 'canceled'],
        ),
    ],
)
def test_a_goal_that_a_pause_canceled_is_not_canceled_twice(request_, log):
    stage, actions = paused()
    stage.executor.ask(request_)
    stage.tick(2)
    stage.ask('cancel')
    stage.finish()
    assert actions.log == log


@pytest.mark.parametrize(('policy', 'outcome'), [('continue', 'DONE'), ('fail', 'FAIL')])
def test_a_goal_that_was_reached_just_before_a_pause_is_neither_sent_nor_canceled_again(
    policy, outcome
):
    actions = Actions()
    stage = after(3, CALL, services=actions)
    actions.goal.progress_now = Progress('done')
    stage.ask('pause')
    stage.tick()
    stage.ask('resume', policy=policy)
    assert stage.finish().outcome == outcome
    assert actions.log == ['sent']


@pytest.mark.parametrize('entry', ['p', 'go'])
@pytest.mark.parametrize('ticks', [0, 3])
def test_what_an_operator_fails_does_not_drive_on(entry, ticks):
    text = 'atom go() on body2 { control [1 m/s, 0 rad/s]; timeout 9 s; } plan p { do { go(); } }'
    stage = begin(
        text, entry, robot=Told(), paused=not ticks, settings=settings(default_guards=False)
    )
    if ticks:
        stage.tick(ticks)
        stage.ask('pause')
        stage.tick()
    driven = len(stage.driven())
    stage.ask('resume', policy='fail')
    result = stage.finish()
    assert (result.outcome, result.message) == ('FAIL', 'failed by the operator')
    assert len(stage.driven()) == driven


@pytest.mark.parametrize(
    ('kinds', 'outcome'),
    [
        (['preempt', 'cancel'], 'CANCELED'),
        (['cancel', 'preempt'], 'CANCELED'),
        (['cancel', 'fault', 'stop'], 'FAULT'),
    ],
)
def test_of_several_ends_that_are_requested_the_first_in_rank_counts(kinds, outcome):
    stage, _ = paused()
    for kind in kinds:
        stage.ask(kind, code='E805' if kind == 'fault' else '')
    assert stage.finish().outcome == outcome


def test_a_stop_of_all_says_why_although_a_cancel_came_before_it():
    stage, _ = paused()
    stage.ask('cancel')
    stage.ask('stop', 'the door is open')
    assert stage.finish().message == 'the door is open'


@pytest.mark.parametrize('policy', ['fail', 'restart_atom'])
def test_a_request_to_a_service_is_canceled_where_the_operator_ends_it(policy):
    services = Actions()
    services.call_service = services.call_action
    text = 'plan p { on fail => next; do { call_service("go"); wait(1 s); } }'
    stage = after(3, text, services=services)
    stage.ask('pause')
    stage.tick()
    stage.ask('resume', policy=policy)
    stage.tick()
    assert services.log[:2] == ['sent', 'canceled']


def test_a_goal_is_canceled_where_what_runs_beside_it_reads_what_is_unset():
    text = (
        'atom e() -> (v: num) on none { timeout 0.1 s; emit v = bb.q; }\n'
        'plan p { on fail => next; do { par all { call_action("go"); e(); }; wait(1 s); } }'
    )
    actions = Actions()
    assert begin(text, robot=Told(), services=actions).finish().outcome == 'DONE'
    assert actions.log == ['sent', 'canceled']


ASIDE = """
atom go() on body2 { control [0.1 m/s, 0 rad/s] for 1 s; }
atom nap() on none { timeout 2 s => next; until false; }
behavior safe { on fail => next; do { nap(); nap(); } }
"""


def _resumed(lanes, policy):
    stage = after(5, f'{ASIDE} plan p {{ do {{ par all {{ {lanes} }}; stop(); }} }}')
    stage.ask('pause')
    stage.tick()
    stage.events.clear()
    stage.ask('resume', policy=policy)
    return stage


@pytest.mark.parametrize('lanes', ['go(); nap();', 'nap(); go();', '(go(); go()); nap();'])
def test_restart_atom_enters_every_innermost_element_of_a_par_again(lanes):
    stage = _resumed(lanes, 'restart_atom')
    stage.tick()
    assert sorted(stage.entered()) == ['go', 'nap']
    assert sorted(stage.entered('exit')) == ['go', 'nap']
    before = len(stage.driven())
    stage.tick(19)
    assert len(stage.driven()) == before + 19


def test_a_failure_by_the_operator_is_one_of_every_innermost_element_of_a_par():
    stage = _resumed('safe(); x: safe();', 'fail')
    stage.tick()
    assert stage.running[-4:] == [
        'p.par.safe',
        'p.par.safe.nap#2',
        'p.par.x',
        'p.par.x.nap#2',
    ]
    assert _resumed('go(); nap();', 'fail').finish().outcome == 'FAIL'


def drivers(stage):
    return [leaf.path for leaf in stage.executor.context.driving]


def test_what_was_broken_off_in_a_pause_leaves_no_leaf_that_drives():
    text = f"""{GO}{GO2}{SEG} interrupt aa = y.a;
    behavior b {{
      until aa; timeout 9 s; on interrupt(aa) => run seg() then restart; do {{ go(); }}
    }}
    plan p {{ timeout 60 s; on fail => next; do {{ b(); go2(); }} }}"""
    stage = after(3, text)
    stage.ask('pause')
    stage.tick(2)
    stage.robot.values['a'] = True
    stage.ask('resume', policy='fail')
    for _ in range(100):
        stage.tick()
        assert len(drivers(stage)) <= 1
        assert set(drivers(stage)) <= set(stage.running)


@pytest.mark.parametrize('kind', ['cancel', 'stop', 'fault'])
def test_whoever_wants_an_end_is_served_first(kind):
    stage = after(3, GO)
    for request in (
        OperatorRequest('pause'),
        OperatorRequest('resume'),
        OperatorRequest('step'),
        OperatorRequest(kind, 'x'),
    ):
        stage.executor.ask(request)
    driven = len(stage.driven())
    assert stage.tick() is RunPhase.STOPPING
    stage.finish()
    assert len(stage.driven()) == driven


def test_what_begins_again_in_a_par_may_end_at_once():
    text = """atom a() on none { until y.a; timeout 9 s; }
    atom b() on none { until y.b; timeout 9 s; }
    plan p { timeout 60 s; do { par all { a(); b(); }; } }"""
    stage = after(3, text)
    stage.ask('pause')
    stage.tick()
    stage.robot.values['a'] = True
    stage.ask('resume', policy='restart_atom')
    stage.tick()
    assert stage.running == ['p', 'p.par', 'p.par.b']
    stage.robot.values['b'] = True
    assert stage.finish().outcome == 'DONE'
