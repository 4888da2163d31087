"""Messages of one instant."""

from walking_robots.nodes.common.synchronizer import MOST, TimeSynchronizer


def test_a_stamp_is_complete_once_every_topic_is_in() -> None:
    gather = TimeSynchronizer('a', 'b')
    assert gather.add('a', 1, 'a1') is None
    assert gather.add('b', 2, 'b2') is None
    assert gather.add('b', 1, 'b1') == ('a1', 'b1')


def test_a_repeated_stamp_is_complete_again() -> None:
    gather = TimeSynchronizer('a', 'b')
    for _ in range(2):
        assert gather.add('a', 1, 'a1') is None
        assert gather.add('b', 1, 'b1') == ('a1', 'b1')


def test_what_came_before_a_complete_stamp_is_dropped() -> None:
    gather = TimeSynchronizer('a', 'b')
    gather.add('a', 900, 'of a time before a reset')
    gather.add('a', 0, 'a0')
    assert gather.add('b', 0, 'b0') == ('a0', 'b0')
    assert gather.add('b', 900, 'b900') is None


def test_what_a_topic_said_before_its_time_began_afresh_is_never_used() -> None:
    gather = TimeSynchronizer('a', 'b')
    gather.add('a', 0, 'a0')
    gather.add('b', 3, 'b3 of a time before a reset, which comes late')
    assert gather.add('b', 0, 'b0') == ('a0', 'b0')
    assert gather.add('a', 3, 'a3') is None
    assert gather.add('b', 3, 'b3') == ('a3', 'b3')


def test_incomplete_stamps_do_not_pile_up() -> None:
    gather = TimeSynchronizer('a', 'b')
    for stamp in range(10 * MOST):
        gather.add('a', stamp, stamp)
    assert gather.add('b', 0, 'b0') is None
    assert gather.add('b', 10 * MOST - 1, 'last') == (10 * MOST - 1, 'last')


def test_the_newest_stamp_with_some_topics() -> None:
    gather = TimeSynchronizer('a', 'b', 'c')
    assert gather.newest('a', 'b') is None
    gather.add('a', 1, 'a1')
    gather.add('b', 1, 'b1')
    gather.add('a', 2, 'a2')
    assert gather.newest('a', 'b') == (1, ('a1', 'b1'))
    gather.add('a', 0, 'time began afresh')
    assert gather.newest('a', 'b') is None


def test_it_shows_what_it_waits_for_and_how_long() -> None:
    now = [10.0]
    gather = TimeSynchronizer('a', 'b', steady=lambda: now[0])
    now[0] = 11.5
    assert gather.waits() == (None, ('a', 'b'), 1.5)
    gather.add('b', 7, 'b7')
    assert gather.waits() == (7, ('a',), 1.5)
    gather.add('a', 7, 'a7')
    assert gather.waits() == (None, ('a', 'b'), 0.0)
