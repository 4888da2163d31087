"""Events in ticks, by ars_magna.md §1.7 and its checks of §11.2."""

import pytest

from walking_robots.ars_magna.simulation.scheduler import Scheduler


class Log(list):
    def __init__(self):
        super().__init__()
        self.scheduler = Scheduler()

    def note(self, what):
        return lambda: self.append((what, self.scheduler.now))

    def ticks(self, count):
        for _ in range(count):
            self.scheduler.now += 1
            self.scheduler.run_due()


@pytest.fixture
def log():
    return Log()


def test_t22_of_equal_priorities_the_first_stays_and_the_other_is_reported_once(log):
    log.scheduler.schedule('hand', log.note('first'), interrupt=log.note('bumped first'))
    log.scheduler.schedule('hand', log.note('second'), interrupt=log.note('bumped second'))
    log.ticks(3)
    assert log == [('bumped second', 0), ('first', 1)]


def test_t23_a_higher_priority_stays(log):
    log.scheduler.schedule('hand', log.note('low'), priority=1, interrupt=log.note('bumped'))
    log.scheduler.schedule('hand', log.note('high'), priority=2)
    log.ticks(3)
    assert log == [('bumped', 0), ('high', 1)]


def test_t24_a_timer_runs_exactly_then(log):
    log.ticks(4)
    log.scheduler.schedule('hand', log.note('ran'), timer=3)
    log.ticks(9)
    assert log == [('ran', 7)]


@pytest.mark.parametrize(('timeout', 'ran'), [(5, []), (6, [('ran', 5)]), (None, [('ran', 5)])])
def test_t25_a_condition_is_tried_from_the_timer_to_before_the_timeout(log, timeout, ran):
    log.scheduler.schedule(
        'hand', log.note('ran'), when=lambda: log.scheduler.now >= 5, timeout=timeout
    )
    log.ticks(12)
    assert log == ran


def test_a_condition_is_not_tried_before_its_timer(log):
    log.scheduler.schedule('hand', log.note('ran'), when=lambda: True, timer=4)
    log.ticks(6)
    assert log == [('ran', 4)]


def test_events_of_a_tick_run_by_priority_and_then_as_queued(log):
    for name, priority in (('a', 0), ('b', 2), ('c', 0), ('d', 1)):
        log.scheduler.schedule(name, log.note(name), priority=priority)
    log.ticks(1)
    assert [name for name, _ in log] == ['b', 'd', 'a', 'c']


def test_a_grab_runs_the_handler_and_frees_the_resource(log):
    log.scheduler.schedule('hand', log.note('ran'), interrupt=log.note('grabbed'))
    assert log.scheduler.grab('hand')
    assert not log.scheduler.grab('hand')
    log.scheduler.schedule('hand', log.note('other'))
    log.ticks(2)
    assert log == [('grabbed', 0), ('other', 1)]


def test_nothing_is_shorter_than_a_tick(log):
    with pytest.raises(ValueError, match='timer >= 1'):
        log.scheduler.schedule('hand', log.note('ran'), timer=0)
