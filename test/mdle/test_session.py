"""Orders of one robot: refused, waiting, taking over, canceled."""

import pytest
from mdle_stage import HEAD, SECOND, Told

from walking_robots.mdle.knowledge.library import standard_library
from walking_robots.mdle.runtime.settings import OperatorRequest
from walking_robots.mdle.session import LONGEST_MEANWHILE, MOST_WAITING, Busy, RunRequest, Session

LONG = HEAD + 'plan long { do { wait(100 s); } }'
BRIEF = HEAD + 'plan brief { do { wait(0.1 s); } }'


class PageNode:
    """A session and its time."""

    def __init__(self):
        self.session = Session(Told(), standard_library())
        self.now = SECOND

    def submit(self, source, **fields):
        return self.session.submit(RunRequest(source, **fields), self.now)

    def tick(self, times=1):
        for _ in range(times):
            self.session.tick(self.now)
            self.now += 50_000_000


@pytest.fixture
def desk():
    return PageNode()


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


def test_of_several_that_would_take_over_the_last_one_does(desk):
    first = desk.submit(LONG)
    desk.tick(3)
    second = desk.submit(LONG, on_busy=Busy.PREEMPT)
    third = desk.submit(BRIEF, on_busy=Busy.PREEMPT)
    desk.tick(30)
    reported = [(t.result.outcome, t.result.duration > 0.0) for t in (first, second, third)]
    assert reported == [('PREEMPTED', True), ('PREEMPTED', False), ('DONE', True)]


def test_a_full_queue_keeps_nobody_from_taking_over(desk):
    desk.submit(LONG)
    for _ in range(MOST_WAITING):
        desk.submit(LONG, on_busy=Busy.QUEUE)
    urgent = desk.submit(BRIEF, on_busy=Busy.PREEMPT)
    desk.tick(30)
    assert urgent.result.outcome == 'DONE'


FAST = 'plan fast { do { go(0.2 m/s); } }'
SLOW = 'plan slow { do { go(0.1 m/s); } }'
TIDY = 'plan tidy { finally wait(0.2 s); do { go(0.2 m/s); } }'
GO = 'atom go(v: m/s) on body2 { control [v, 0 rad/s]; timeout 9 s; } '


def driven(log):
    """Return the speeds of a log of a robot, 'stop' where it was stopped, each once."""
    found = ['stop' if space == 'stop' else control[0] for _, space, control in log]
    return [what for what, before in zip(found, [None, *found], strict=False) if what != before]


def test_a_program_takes_over_in_the_tick_in_which_the_other_ends_without_a_stop(desk):
    first = desk.submit(HEAD + GO + FAST)
    desk.tick(10)
    second = desk.submit(HEAD + GO + SLOW, on_busy=Busy.TAKE_OVER)
    desk.tick()
    robot = desk.session.executor.robot
    assert desk.session.current is second and driven(robot.log) == [0.2, 0.1]
    assert [now for now, *_ in robot.log] == [SECOND + k * 50_000_000 for k in range(11)]
    assert (first.result.outcome, first.result.message) == ('PREEMPTED', 'for another program')
    desk.session.cancel(second)
    desk.tick(10)
    assert driven(robot.log) == [0.2, 0.1, 'stop'] and second.result.outcome == 'CANCELED'


def test_what_has_cleanups_to_run_or_pauses_is_stopped_before_another_takes_over(desk):
    first = desk.submit(HEAD + GO + TIDY)
    desk.tick(10)
    second = desk.submit(HEAD + GO + SLOW, on_busy=Busy.TAKE_OVER)
    desk.tick(20)
    robot = desk.session.executor.robot
    assert driven(robot.log) == [0.2, 'stop', 0.1] and first.result.outcome == 'PREEMPTED'
    desk.session.executor.ask(OperatorRequest('pause'))
    desk.tick(3)
    desk.submit(HEAD + GO + FAST, on_busy=Busy.TAKE_OVER)
    desk.tick(20)
    assert driven(robot.log) == [0.2, 'stop', 0.1, 'stop', 0.2]
    assert second.result.outcome == 'PREEMPTED'


HELD = 'atom only() on body2 { control [0.1 m/s, 0 rad/s] for 1 s; irreversible; }'


@pytest.mark.parametrize(
    ('text', 'fields', 'code'),
    [
        (HELD, {'alpha': (-1.0, -1.0)}, 'E705'),
        (HELD, {'backwards': True}, 'E701'),
        ('plan p { do { drive(1 m); } }', {'alpha': (1.0, 1.0, 1.0)}, 'E401'),
        ('plan p { do { drive(1 m); } }', {'beta': -1.0}, 'E705'),
        (
            'atom a() on body2 { control [y.x / 1 s, 0 rad/s]; timeout 1 s; }',
            {'backwards': True},
            'E701',
        ),
    ],
)
def test_what_no_step_could_do_no_order_can_do(desk, text, fields, code):
    ticket = desk.submit(HEAD + text, **fields)
    assert (ticket.result.outcome, ticket.result.code) == ('REJECTED', code)
    assert 'order' not in ticket.result.message


def test_the_bound_of_an_order_is_that_of_the_scaled_entry(desk):
    text = HEAD + 'plan order(d: m) { do { drive(d, 0.2 m/s); } }'
    ticket = desk.submit(text, arguments={'d': '1 m'}, alpha=(0.5, 1.0), beta=2.0)
    assert ticket.result is None
    assert ticket.report.bound.time == pytest.approx(10.0)


def test_the_bound_of_an_order_is_that_of_its_arguments(desk):
    text = HEAD + 'plan p(d: m = 1 m, v: m/s = 0.2 m/s) { do { drive(d, v); } }'
    for arguments, seconds in (
        ({}, 5.0),
        ({'d': '2 m'}, 10.0),
        ({'d': '-1 m', 'v': '0.1 m/s'}, 10),
    ):
        ticket = desk.submit(text, arguments=arguments, dry_run=True)
        assert ticket.result.outcome == 'DONE'
        assert ticket.report.bound.time == pytest.approx(seconds)
        assert ticket.report.measures.time == pytest.approx(seconds)


def test_arguments_with_which_nothing_can_run_are_refused_before(desk):
    text = HEAD + 'plan p(v: m/s = 0.2 m/s) { do { drive(1 m, v); } }'
    ticket = desk.submit(text, arguments={'v': '0 m/s'})
    assert (ticket.result.outcome, ticket.result.code) == ('REJECTED', 'E406')
    assert ticket.result.line == 3


KEEPS = HEAD + (
    'atom see() -> (gap: m) on none { timeout 0.1 s => next; emit gap = y.x; }\n'
    'plan p { do { set("k", 2); far = see(); wait(9 s) until bb.k > bb.far / 1 m + 3; } }'
)


@pytest.fixture
def keeping(desk):
    desk.submit(KEEPS)
    desk.tick(6)
    assert desk.session.executor.context.board == {'k': 2.0, 'far': 0.0}
    return desk


@pytest.mark.parametrize(
    ('name', 'text', 'words'),
    [
        ('said', '0', 'bb.said is a str, and this is a num'),
        ('seen', '0', 'bb.seen is a bool, and this is a num'),
        ('where', '0', 'bb.where is a value of several parts, and this is a num'),
        ('k', '"left"', 'bb.k is a number, and this is a str'),
        ('k', 'true', 'bb.k is a number, and this is a bool'),
        ('far', '3', 'bb.far is a m, and this is a num'),
        ('far', '3 s', 'bb.far is a m, and this is a s'),
        ('k', 'inf', 'is not one value'),
        ('k', '1e400', 'too large a number'),
        ('k', '1 + 1', 'is not one value'),
        ('', '1', 'no name'),
        ('a b', '1', 'no name'),
        ('a.b', '1', 'no name'),
        ('k', '', 'cannot be read'),
        ('k', 'x' * 100_000, 'is not one value'),
        ('k', ')' * 100_000, 'cannot be read'),
    ],
)
def test_a_value_that_does_not_fit_is_refused_in_a_short_sentence(keeping, name, text, words):
    board = keeping.session.executor.context.board
    board |= {'said': 'there', 'seen': True, 'where': (1.0, 2.0)}
    before = dict(board)
    with pytest.raises(ValueError, match=words) as error:
        keeping.session.set_value(name, text)
    assert len(str(error.value)) < 200
    assert keeping.session.executor.context.board == before


def test_a_value_that_fits_is_there_at_once(keeping):
    for name, text in (('k', '-4'), ('far', '30 cm'), ('far', '0'), ('go', '"there"')):
        keeping.session.set_value(name, text)
    assert keeping.session.executor.context.board == {'k': -4.0, 'far': 0.0, 'go': 'there'}


def test_of_an_enumerated_type_its_words_are_taken_and_no_others(desk):
    side = 'atom side() -> (s: wall_side) on none { timeout 0.1 s => next; emit s = "left"; }'
    desk.submit(HEAD + side + ' plan p { do { side(); wait(9 s); } }')
    desk.tick(6)
    desk.session.set_value('s', '"right"')
    with pytest.raises(ValueError, match='is a wall_side'):
        desk.session.set_value('s', '"lefty"')
    assert desk.session.executor.context.board == {'s': 'right'}


def test_no_value_is_taken_where_nothing_runs(desk):
    with pytest.raises(ValueError, match='no program runs'):
        desk.session.set_value('k', '1')


def test_an_order_that_goes_on_is_checked_with_the_arguments_of_its_checkpoint(desk):
    text = HEAD + 'plan p(d: m = 0.2 m) { do { drive(d); drive(d); } }'
    desk.submit(text, arguments={'d': '2 m'}, beta=2.0)
    desk.tick(3)
    resume = desk.session.executor.checkpoint().to_text()
    desk.session.stop_all()
    desk.tick(10)
    refused = desk.submit(text, arguments={'d': '1 m'}, resume=resume).result
    assert (refused.outcome, refused.code) == ('REJECTED', 'E809')
    ticket = desk.submit(text, resume=resume, dry_run=True)
    assert ticket.result.outcome == 'DONE'
    assert ticket.report.bound.time == pytest.approx(40.0)
