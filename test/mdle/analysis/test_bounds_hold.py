"""Random programs: none runs longer, or drives further, than the checker says."""

import math
from random import Random

import pytest
from mdle_marked import checked

from walking_robots.trials.mdle.trial import MdleTrial, run

BEFORE = """
interrupt past(d: m) = y.odometer > d with edge;
interrupt young = y.odometer < 0.05 m;
atom nap() on none { timeout 0.2 s; }
atom cut() on body2 { control [0.2 m/s, 0 rad/s] for 0.8 s; timeout 0.2 s; }
atom fine() on body2 { control [0.2 m/s, 0 rad/s] for 0.01 s then [0.1 m/s, 0 rad/s] for 0.02 s; }
atom eager() on body2 { control [0.2 m/s, 0 rad/s]; timeout 0.3 s => retry 1; }
atom lost() on none { until y.odometer > 0.05 m => fail "lost"; timeout 0.1 s; }
behavior short { timeout 0.2 s => next; do { drive(0.1 m); drive(0.1 m); } }
behavior vain { on fail => next; do { lost(); drive(0.02 m); } }
behavior fresh { requires young; do { drive(0.02 m); } }
"""
STILL = ('nap()', 'lost()', 'log("x")')
STEPS = ('drive(0.1 m)', 'drive(0 m)', 'spin(0.1 rad)', 'cut()', 'fine()', 'eager()', 'short()')
STEPS += ('vain()', 'fresh()', *STILL)
ENDS = ('', '', ' timeout 0.2 s', ' timeout 0.3 s => retry 1', ' until past(0.1 m) => retry 2')
ENDS += (' times 9', ' until past(0.05 m) => run drive(0.1 m)', ' until past(0.1 m) => restart')
CLAUSES = ('', 'loop 2;', 'on fail => next;', 'on fail => next; loop 2;', 'timeout 1 s => done;')
CLAUSES += ('on interrupt(past) => run drive(0.1 m) then next;',)


def step(rng, depth):
    kind = rng.randrange(8)
    if kind == 0:
        return 'reverse last'
    if kind == 1:
        return f'reverse {rng.choice(["cut()", "fine()", "short()"])}'
    if kind == 2 and depth < 2:
        lanes = [step(rng, 2), rng.choice(STILL)]
        rng.shuffle(lanes)
        return f'par {rng.choice(["all", "any"])} {{ {"; ".join(lanes)}; }}'
    if kind in (3, 4) and depth < 2:
        group = f'({block(rng, depth + 1)})'
        scale = f'scale [{rng.choice([0.5, 1, 4])}, 1] time {rng.choice([0.5, 1, 2])}: '
        return (scale if kind == 3 else '') + group + rng.choice(ENDS)
    return rng.choice(STEPS) + rng.choice(ENDS)


def block(rng, depth):
    return '; '.join(step(rng, depth) for _ in range(rng.randint(2, 4)))


@pytest.mark.slow
def test_no_run_outdoes_its_bound():
    rng, ran = Random(11), 0
    while ran < 60:
        plan = f'plan p {{ {rng.choice(CLAUSES)} do {{ drive(0.1 m); {block(rng, 0)}; }} }}'
        report = checked(BEFORE + plan)
        if not report.ok or report.most.time == math.inf:
            continue
        ran += 1
        trial = MdleTrial(f'mdle 1; import std.body2; {BEFORE}{plan}', limit=100.0)
        result = run(trial)
        # At its end a robot is seen to rest for three ticks.
        assert result.duration_s <= report.most.time + 3 * 0.05 + 1e-9, plan
        assert result.way_m <= report.most.path + 1e-9, plan
