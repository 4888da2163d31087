"""Random programs: a handler that the checker calls impossible never answers anything (E608)."""

from random import Random

import pytest
from mdle_stage import LABORATORY, Told, begin, settings

from walking_robots.mdle.analysis.checker import check
from walking_robots.mdle.knowledge.library import standard_library
from walking_robots.mdle.language.parser import parse_text

BEFORE = """mdle 1; import std.body2;
interrupt ia = y.a; interrupt ib = y.b;
atom nap() on none { timeout 0.2 s; }
atom go() on body2 { control [0.1 m/s, 0 rad/s] for 0.2 s; }
atom fa() on body2 { control [0.1 m/s, 0 rad/s]; until ia => fail "x"; timeout 0.2 s; }
atom fb() on body2 { control [0.1 m/s, 0 rad/s]; until ib; timeout 0.2 s => fail "y"; }
atom fc() on body2 { control [0.1 m/s, 0 rad/s]; until ia => retry 1; timeout 0.3 s; }
"""
STEPS = ('go()', 'fa()', 'fb()', 'fc()', 'log("l")', 'go() until ib', 'go() until ia => fail')
STEPS += ('(go(); fa()) timeout 0.1 s', 'fa() until ib => run fb()', 'par any { fa(); nap(); }')
STEPS += ('par all { fa(); nap(); }', 'go() timeout 0.1 s', 'if y.c { fa(); } else { fb(); }')
STEPS += ('fb() times 2', '(fc()) until ib => retry 1')
CLAUSES = (
    '',
    '',
    'until ia;',
    'until ib => fail "z";',
    'timeout 0.3 s;',
    'timeout 0.3 s => fail;',
)
CAUSES = ('timeout', 'fail', 'fail("x")', 'fail("y")', 'fail("z")', 'fail("timeout")')
CAUSES += ('fail("ia")', 'interrupt(ia)', 'interrupt(ib)')
ACTIONS = ('next', 'done', 'fail', 'fail "z"', 'run go() then next', 'retry 1', 'run fa()')


def container(rng, head, steps):
    chosen = '; '.join(rng.choice(steps) for _ in range(rng.randint(1, 3)))
    handler = f'on {rng.choice(CAUSES)} => {rng.choice(ACTIONS)};'
    return f'{head} {{ {rng.choice(CLAUSES)}\n{handler}\ndo {{ {chosen}; }} }}\n'


@pytest.mark.slow
def test_no_handler_answers_that_cannot_occur():
    rng, impossible, answered = Random(5), 0, 0
    for _ in range(150):
        text = BEFORE + container(rng, 'behavior inner', STEPS)
        text += container(rng, 'plan p', (*STEPS, 'inner()', 'inner()'))
        report = check(parse_text(text), standard_library(), LABORATORY, 'p', default_guard=False)
        lines = {d.place.line for d in report.diagnostics if d.code == 'E608'}
        run = begin(text, 'p', robot=Told(), settings=settings(default_guards=False))

        def change(run):
            for name in 'abc':
                run.robot.values[name] = rng.random() < 0.2

        run.finish(between=change)
        handled = {e.path for e in run.events if e.kind == 'handle'}
        in_plan, in_inner = 'p' in handled, any('.inner' in path for path in handled)
        first = text.count('\n', 0, text.index('behavior inner')) + 2
        for line, happened in ((first, in_inner), (first + 3, in_plan)):
            impossible += line in lines
            answered += happened
            assert not (line in lines and happened), text
    assert impossible > 100 and answered > 20
