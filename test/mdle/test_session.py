"""Orders of one robot: refused, waiting, taking over, canceled."""

import pytest
from mdle_stage import HEAD, SECOND, Told

from walking_robots.mdle.knowledge.library import standard_library
from walking_robots.mdle.session import LONGEST_MEANWHILE, MOST_WAITING, Busy, Order, Session

LONG = HEAD + 'plan long { do { wait(100 s); } }'
BRIEF = HEAD + 'plan brief { do { wait(0.1 s); } }'


class Desk:
    """A session and its time."""

    def __init__(self):
        self.session = Session(Told(), standard_library())
        self.now = SECOND

    def submit(self, source, **fields):
        return self.session.submit(Order(source, **fields), self.now)

    def tick(self, times=1):
        for _ in range(times):
            self.session.tick(self.now)
            self.now += 50_000_000


@pytest.fixture
def desk():
    return Desk()


@pytest.mark.parametrize(
    ('fields', 'code', 'words'),
    [
        ({'source': 'mdle 1; plan'}, 'E101', 'line 1'),
        ({'source': HEAD + 'plan p { do { fly(); } }'}, 'E201', "'fly' is not defined"),
        ({'source': BRIEF, 'entry': 'q'}, 'E201', "'q'"),
        ({'source': BRIEF, 'form': 'pdf'}, '', "'pdf' is no format"),
        ({'source': BRIEF, 'arguments': {'x': '1 m'}}, 'E301', 'x'),
        ({'source': BRIEF, 'arguments': {'x': ')'}}, '', 'argument x'),
        ({'source': BRIEF, 'resume': '[]'}, '', 'no checkpoint'),
    ],
)
def test_what_is_wrong_is_refused_with_a_reason(desk, fields, code, words):
    ticket = desk.submit(**fields)
    assert (ticket.result.outcome, ticket.result.code) == ('REJECTED', code)
    assert words in ticket.result.message
    assert desk.session.current is None


def test_orders_wait_for_their_turn_and_one_may_take_over(desk):
    first = desk.submit(LONG)
    desk.tick(3)
    assert 'runs already' in desk.submit(BRIEF).result.message
    second = desk.submit(BRIEF, on_busy=Busy.QUEUE)
    third = desk.submit(BRIEF, on_busy=Busy.PREEMPT)
    desk.tick(60)
    assert [t.result.outcome for t in (first, third, second)] == ['PREEMPTED', 'DONE', 'DONE']
    assert desk.session.last is second


def test_no_more_than_so_many_wait(desk):
    desk.submit(LONG)
    waiting = [desk.submit(BRIEF, on_busy=Busy.QUEUE) for _ in range(MOST_WAITING)]
    assert 'wait already' in desk.submit(BRIEF, on_busy=Busy.QUEUE).result.message
    assert desk.session.cancel(waiting[3])
    assert waiting[3].result.outcome == 'CANCELED'
    assert not desk.session.cancel(waiting[3])
    desk.session.stop_all()
    desk.tick(10)
    assert {t.result.outcome for t in waiting} == {'CANCELED'}
    assert desk.session.current is None


def test_a_long_program_is_not_read_while_another_one_runs(desk):
    source = BRIEF + '#' * LONGEST_MEANWHILE
    assert desk.submit(source).result is None
    refused = desk.submit(source, on_busy=Busy.QUEUE)
    assert 'too long to be read while another one runs' in refused.result.message
