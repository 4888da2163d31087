"""Referee and trace."""

import math
from dataclasses import replace

import pytest

from benchmarks.library import main as bench
from walking_robots.gaits.gait_step import GaitStep
from walking_robots.robots.asv import ft
from walking_robots.trials.hexapod.asv import AsvTrial, run
from walking_robots.trials.hexapod.referee import Referee, state_number
from walking_robots.trials.hexapod.trace import Trace

SHORT = AsvTrial(ft(1), forbidden=0.2, rules='faithful', goal=ft(9))


@pytest.fixture(scope='module')
def steps() -> list[GaitStep]:
    found: list[GaitStep] = []
    run(SHORT, watch=lambda step, count: found.append(step.gait))
    return found


def digest(steps: list[GaitStep]) -> str:
    trace = Trace()
    for step in steps:
        trace.add(step)
    return trace.hexdigest()


def test_a_trace_changes_with_the_last_bit_of_any_number(steps):
    first = digest(steps)
    assert first == digest(list(steps)) == run(SHORT).trace_sha256
    margin = math.nextafter(steps[3].margin, 1.0)
    changed = [*steps[:3], steps[3]._replace(margin=margin), *steps[4:]]
    assert digest(changed) != first
    assert digest(steps[:-1]) != first
    assert digest([*steps[:2], steps[2]._replace(support=(1, 2, 3)), *steps[3:]]) != first


def test_the_referee_calls_time_goal_and_halt(steps):
    def judge(goal: float, limit: int, walk: list[GaitStep], may_halt: bool = True) -> str:
        referee = Referee((2.0, 6.0), goal, limit, 0.1, may_halt=may_halt)
        for step in walk:
            if referee.add(step):
                break
        return referee.reason

    assert judge(ft(8), 1000, steps) == 'reached'
    assert judge(ft(99), 10, steps) == 'timeout'
    rates = steps[0].motion.rates._replace(vx=0.0, vy=0.0, wz=0.0)
    still = steps[0]._replace(motion=steps[0].motion._replace(rates=rates))
    assert judge(ft(99), 1000, [still] * 200) == 'halted'
    assert judge(ft(99), 1000, [still] * 200, may_halt=False) == ''


def test_states_are_numbered_as_in_the_paper():
    assert state_number(3, 'move_back_middle_legs') == '3.2'
    assert state_number(0, '') is None
    assert state_number(1, 'start') is None


def test_unknown_rules_are_refused():
    with pytest.raises(ValueError, match='original or faithful or repaired'):
        run(replace(SHORT, rules='mine'))


def test_standing_still_is_no_halt():
    assert run(replace(SHORT, speed=0.0, max_time=30.0)).reason == 'timeout'


@pytest.mark.slow
def test_the_benchmark_prints_every_layer(monkeypatch):
    monkeypatch.setattr('benchmarks.library.ROUNDS', 1)
    monkeypatch.setattr('benchmarks.library.STEPS', 20)
    monkeypatch.setattr('benchmarks.mdle.ROUNDS', 1)
    monkeypatch.setattr('benchmarks.mdle.TICKS', 8)
    monkeypatch.setattr('benchmarks.plans.SEEDS', (31_415,))
    monkeypatch.setattr('benchmarks.plans.TERRAINS', {'90 %': (0.0, 0.9)})
    monkeypatch.setattr('benchmarks.startup.ROUNDS', 1)
    lines: list[str] = []
    bench(lines.append)
    assert sum('coordinator' in line for line in lines) == 2
    assert lines[0].startswith('Python 3')
