"""Roaming by sonars and bumper."""

import math

from hypothesis import given
from hypothesis import strategies as st

from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.scout.wander import BACK_TIME, CLEAR, NEAR, SPEED, TURN_TIME, Wander

FREE = (math.inf,) * 16


def near(*sensors: int, distance: float = 0.3) -> list[float]:
    return [distance if sensor in sensors else math.inf for sensor in range(16)]


def test_it_goes_ahead_where_there_is_room_and_slower_where_there_is_less() -> None:
    assert Wander().step(FREE, (), 0.0) == (SPEED, 0.0)
    slower = Wander().step(near(0, distance=0.8), (), 0.0)
    assert 0.0 < slower.v < SPEED and slower.w == 0.0


def test_it_turns_to_the_freer_side_until_there_is_room() -> None:
    for sensor, side in ((1, -1.0), (15, 1.0)):
        wander = Wander()
        turn = wander.step(near(sensor), (), 0.0)
        assert turn.v == 0.0 and turn.w * side > 0.0
        between = 0.5 * (NEAR + CLEAR)
        assert wander.step(near(sensor, distance=between), (), 0.1) == turn
        assert wander.step(FREE, (), 0.2).w == 0.0


def test_it_backs_off_from_a_touch_and_then_turns() -> None:
    wander = Wander()
    assert wander.step(FREE, (0.0,), 0.0).v < 0.0
    assert wander.step(FREE, (0.0,), BACK_TIME - 0.1).v < 0.0
    assert wander.step(FREE, (), BACK_TIME + 0.1).w != 0.0
    assert wander.step(FREE, (), BACK_TIME + TURN_TIME + 0.1) == (SPEED, 0.0)


@given(
    st.lists(st.one_of(st.floats(0.0, 7.0), st.sampled_from([math.inf, -math.inf, math.nan])),
             min_size=16, max_size=16),
    st.lists(st.floats(-4.0, 4.0), max_size=6), st.floats(0.0, 100.0),
)  # fmt: skip
def test_it_is_slow_and_finite_whatever_it_hears(
    ranges: list[float], touches: list[float], now: float
) -> None:
    twist = Wander(SUPER_SCOUT).step(ranges, touches, now)
    assert abs(twist.v) <= SPEED and abs(twist.w) <= 1.0
    if min(ranges[0], ranges[1], ranges[15]) < NEAR:
        assert twist.v <= 0.0


def test_a_touch_behind_ends_the_way_back() -> None:
    wander = Wander()
    assert wander.step(FREE, (0.0,), 0.0).v < 0.0
    for tick in range(1, 100):
        twist = wander.step(FREE, (math.pi,), 0.1 * tick)
        assert twist.v >= 0.0 and twist != (0.0, 0.0)


def test_it_rests_where_it_hears_nothing_ahead() -> None:
    assert Wander().step((math.nan,) * 16, (), 0.0) == (0.0, 0.0)
    only_ahead = [math.inf] + [math.nan] * 15
    assert Wander().step(only_ahead, (), 0.0).v > 0.0
