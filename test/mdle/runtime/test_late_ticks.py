"""Ticks that do not come, or take too long (E805)."""

from dataclasses import replace

import pytest
from mdle_stage import Told, after, begin, settings

from walking_robots.mdle.runtime.executor import RunPhase

PLAN = 'plan p { do { ahead(0.1 m/s) timeout 5 s; } }'
PERIOD = 50_000_000


def warnings(stage):
    return [
        event.text for event in stage.events if event.kind == 'warning' and 'E805' in event.text
    ]


def test_a_missed_tick_leaves_a_warning_and_all_are_counted_at_the_end():
    stage = begin(PLAN, robot=Told())
    for _ in range(4):
        stage.tick(5)
        stage.now += PERIOD
    assert stage.finish().outcome == 'DONE'
    assert stage.executor.ticks.missed == 4
    assert warnings(stage) == [
        'E805 a tick came 100 ms after the last one', 'E805 4 ticks were missed'
    ]  # fmt: skip


def test_three_ticks_in_a_row_that_come_late_stop_the_program():
    stage = after(5, PLAN)
    for _ in range(3):
        stage.now += PERIOD
        stage.tick()
    result = stage.finish()
    assert (result.outcome, result.code, result.path) == ('FAULT', 'E805', 'p.ahead')
    assert '3 ticks in a row were late: a tick came 100 ms after the last one' in result.message


def test_a_tick_after_a_stall_stops_the_program_at_once():
    stage = after(5, PLAN)
    stage.now += 18 * PERIOD
    stage.tick()
    result = stage.finish()
    assert (result.outcome, result.code, result.path) == ('FAULT', 'E805', 'p.ahead')
    assert 'a tick came 950 ms after the last one' in result.message


@pytest.mark.parametrize(('spent', 'outcome'), [(0.024, 'DONE'), (0.026, 'FAULT')])
def test_ticks_that_take_more_than_their_budget_stop_the_program(spent, outcome):
    stage = begin(PLAN, robot=Told(), settings=settings(tick_budget=0.5))
    result = stage.finish(between=lambda stage: setattr(stage.executor.ticks, 'spent', spent))
    assert result.outcome == outcome and result.code == ('E805' if outcome == 'FAULT' else '')
    assert not warnings(stage)


def test_late_ticks_with_others_between_them_are_no_fault():
    stage = begin(PLAN, robot=Told())
    for tick in range(60):
        stage.tick()
        stage.executor.ticks.spent = 0.04 if tick % 3 else 0.0
    assert stage.executor.phase is RunPhase.RUNNING


def test_uneven_ticks_and_pauses_miss_none():
    stage = begin(PLAN, robot=Told())
    for jitter in (20, -20) * 10:
        stage.tick()
        stage.now += jitter * 1_000_000
    stage.ask('pause')
    stage.tick(2)
    stage.now += 40 * PERIOD
    stage.ask('resume')
    stage.tick(2)
    assert stage.executor.ticks.missed == 0
    stage.executor.settings = replace(stage.executor.settings, tick_budget=1.0)
    assert stage.finish().outcome == 'DONE'
