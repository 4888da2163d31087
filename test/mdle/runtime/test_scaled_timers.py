"""Timers under scales: a scale stretches those of its step and of its element (mdle.md §4.8)."""

import pytest
from mdle_stage import Told, run

from walking_robots.mdle.analysis.checker import check
from walking_robots.mdle.knowledge.library import standard_library
from walking_robots.mdle.language.parser import parse_text

PROGRAM = (
    'mdle 1;\n'
    'atom go() on body2 {{ control [0.1 m/s, 0 rad/s] for 9 s; }}\n'
    'behavior b {{ do {{ go(); }} }}\n'
    'behavior c {{ timeout 1 s => done; do {{ go(); }} }}\n'
    'plan p {{ do {{ {} }} }}'
)


@pytest.mark.parametrize(
    ('step', 'seconds'),
    [
        ('scale [1, 1] time 2: (go()) timeout 1 s => done;', 2.0),
        ('scale [1, 1] time 2: b() timeout 1 s => done;', 2.0),
        ('scale [1, 1] time 2: go() timeout 1 s;', 2.0),
        ('scale [1, 1] time 0.5: b() timeout 1 s => done;', 0.5),
        ('scale [1, 1]: b() timeout 1 s => done;', 1.0),
        ('scale [1, 1] time 2: c();', 2.0),
        ('scale [1, 1] time 0.5: c() times 2;', 1.0),
        # Scales further out, and timers further in, are no affair of each other.
        ('scale [1, 1] time 2: (go() timeout 1 s);', 1.0),
        ('scale [1, 1] time 2: (b() timeout 1 s => done);', 1.0),
        ('scale [1, 1] time 2: (c());', 1.0),
        ('(scale [1, 1] time 2: go()) timeout 1 s => done;', 1.0),
        ('scale [1, 1] time 2: (scale [1, 1] time 3: b() timeout 1 s => done);', 3.0),
        ('par all { scale [1, 1] time 2: b() timeout 1 s => done; };', 2.0),
    ],
)
def test_a_step_runs_as_long_as_its_own_scale_says_and_the_bound_agrees(step, seconds):
    text = PROGRAM.format(step)
    result, stage = run(text, robot=Told())
    assert result.outcome == 'DONE', result
    assert result.duration == pytest.approx(seconds)
    report = check(parse_text(text), standard_library(), stage.robot.spec)
    assert report.bounds['p'].time == pytest.approx(seconds)
