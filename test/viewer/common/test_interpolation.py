"""Pictures lie between states that come seldom, and texts belong to what is seen."""

import pytest

from walking_robots.viewer.common.interpolation import LEAST, MOST, StateInterpolator


@pytest.fixture
def motion() -> StateInterpolator[float]:
    return StateInterpolator(lambda before, after, share: before + share * (after - before))


def test_a_picture_is_on_the_way_to_the_last_state(motion: StateInterpolator[float]) -> None:
    assert motion.at(0.0) is None
    motion.take(1.0, 10.0)
    assert motion.at(10.0) == (1.0, 1.0)
    motion.take(3.0, 10.1)
    assert motion.at(10.15) == pytest.approx((2.0, 1.0)), 'texts belong to where it comes from'
    assert motion.at(10.2) == (3.0, 3.0)
    assert motion.at(99.0) == (3.0, 3.0)


@pytest.mark.parametrize('interval', [LEAST / 2.0, MOST * 2.0])
def test_there_is_no_way_between_states_that_come_often_or_late(
    motion: StateInterpolator[float], interval: float
) -> None:
    motion.take(1.0, 10.0)
    motion.take(3.0, 10.0 + interval)
    assert motion.at(10.0 + interval) == (3.0, 3.0)


def test_a_state_that_begins_afresh_is_shown_at_once() -> None:
    motion: StateInterpolator[float] = StateInterpolator(lambda before, after, share: after)
    motion.take(1.0, 10.0)
    motion.take(3.0, 10.1)
    assert motion.at(10.1) == (3.0, 3.0)
