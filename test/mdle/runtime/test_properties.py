"""Random programs under random interrupts: every entry has one exit, every word is a prefix."""

from itertools import islice

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as effort
from hypothesis import strategies as st
from mdle_stage import HEAD, Told, begin

from walking_robots.mdle.runtime.executor import RunPhase

GUARDS = st.sampled_from(
    ['', 'until y.a;', 'until y.b;', 'until y.c => fail "c";', 'until y.a => done;']
)
STEP_GUARDS = st.sampled_from(['', ' until y.b', ' until y.c timeout 0.2 s', ' timeout 0.3 s'])
TIMERS = st.sampled_from(['', 'timeout 0.3 s;', 'timeout 0.6 s => next;'])
HANDLERS = st.sampled_from(
    ['', 'on fail => next;', 'on fail("c") => run D() then retry 1;', 'on timeout => restart;']
)
LOOPS = st.sampled_from(['', 'loop 2;', 'loop 3;', 'loop while not y.c;'])
CLEANUPS = st.sampled_from(['', 'finally E();'])
ATOMS = {
    'A': 'atom A() on body2 { control [0.1 m/s, 0 rad/s] for 0.1 s; }',
    'B': 'atom B() on body2 { control [0.1 m/s, 0 rad/s]; until y.b; timeout 0.15 s => next; }',
    'C': 'atom C() on none { until y.c => fail "c"; timeout 0.1 s => next; }',
    'D': 'atom D() on none { timeout 0.1 s => next; }',
    'E': 'atom E() on none { timeout 0.05 s => next; }',
}


@st.composite
def plans(draw, handlers=True):
    """Draw a plan of behaviors of behaviors, without and with handlers."""
    texts, names = [], []

    def steps(most):
        chosen = draw(st.lists(st.sampled_from([*'ABCD', *names]), min_size=1, max_size=most))
        return ' '.join(
            f'{name}(){draw(STEP_GUARDS) if handlers else ""};' for name in chosen
        ), chosen

    words = {}
    for index in range(draw(st.integers(1, 4))):
        name = f'b{index}'
        body, chosen = steps(4)
        loop = draw(LOOPS)
        extra = (draw(HANDLERS) + draw(CLEANUPS)) if handlers else ''
        texts.append(
            f'behavior {name} {{ {draw(GUARDS)} {draw(TIMERS)} {loop} {extra} do {{ {body} }} }}'
        )
        names.append(name)
        words[name] = (chosen, loop)
    body, chosen = steps(4)
    loop = draw(st.sampled_from(['loop forever;', 'loop 2;', '']))
    words['p'] = (chosen, loop)
    texts.append(f'plan p {{ timeout 3 s => done; {loop} do {{ {body} }} }}')
    return HEAD + '\n'.join([*ATOMS.values(), *texts]), words


SCHEDULES = st.lists(
    st.tuples(
        st.integers(1, 12),
        st.sampled_from(['a', 'b', 'c', 'a off', 'b off', 'c off', 'pause', 'resume', 'old']),
    ),
    max_size=8,
)
ENDS = st.sampled_from(['', 'cancel', 'preempt', 'fault'])


def perform(text, schedule, end):
    """Run a program under a schedule of interrupts; gives the stage after its end."""
    stage = begin(text, robot=Told())
    for ticks, what in schedule:
        stage.tick(ticks)
        if what in ('pause', 'resume'):
            stage.ask(what)
        elif what == 'old':
            stage.robot.ages['a'] = 10**9
        else:
            stage.robot.values[what[0]] = 'off' not in what
    stage.ask('resume')
    if end:
        stage.ask(end, 'by the schedule')
    stage.finish(60.0)
    return stage


def check_exits(stage):
    """Make sure that every entry has its one exit, inner ones before outer ones."""
    inside = []
    for event in stage.events:
        if event.kind == 'enter':
            inside.append(event.path)
        elif event.kind == 'exit':
            assert inside, event
            assert inside.pop() == event.path
    assert inside == []
    assert stage.executor.phase is RunPhase.TERMINATED
    assert stage.robot.log[-1][1] == 'stop'


def unfolded(chosen, loop):
    """Give the word of a container, iteration after iteration."""
    word = []
    for i, name in enumerate(chosen):
        before = chosen[:i].count(name)
        word.append(f'{name}#{before + 1}' if before else name)
    rounds = 10**6 if 'forever' in loop or 'while' in loop else int((loop or 'loop 1;')[5:-1])
    for _ in range(rounds):
        yield from word


def check_prefixes(stage, words):
    """Make sure that each container ran a prefix of its word, all of it where it was done."""
    inside = [('', [])]
    for event in stage.events:
        if event.kind == 'enter':
            inside[-1][1].append(event.path.rsplit('.', 1)[-1])
            inside.append((event.path, []))
        elif event.kind == 'exit':
            path, children = inside.pop()
            name = path.rsplit('.', 1)[-1].split('#')[0]
            if name not in words:
                continue
            chosen, loop = words[name]
            assert children == list(islice(unfolded(chosen, loop), len(children)))
            if event.cause == 'done' and 'while' not in loop:
                assert len(children) == len(chosen) * int((loop or 'loop 1;')[5:-1])


@pytest.mark.slow
def test_ac17_ac29_ten_thousand_programs(acceptance):
    @given(st.data())
    @effort(max_examples=10_000 if acceptance else 750, suppress_health_check=list(HealthCheck))
    def check(data):
        handlers = data.draw(st.booleans())
        text, words = data.draw(plans(handlers=handlers))
        stage = perform(text, data.draw(SCHEDULES), data.draw(ENDS))
        check_exits(stage)
        if not handlers:
            check_prefixes(stage, words)

    check()
