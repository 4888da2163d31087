"""Joints on their way."""

import numpy as np
import pytest

from walking_robots.legs.joint_way import JointWay

HERE, THERE = np.zeros((6, 3)), np.full((6, 3), 0.2)


def test_the_first_way_takes_its_time_and_a_second_order_on_it_no_less() -> None:
    way = JointWay.resting(HERE, 10.0, 3.0)
    first = way.toward(THERE, 10.0, 0.02, 2.0)
    assert first.time == 3.0
    assert first.at(11.5) == pytest.approx(0.5 * THERE)
    second = first.toward(THERE + 0.01, 11.5, 0.02, 2.0)
    assert second.time == 1.5
    assert second.at(11.5) == pytest.approx(first.at(11.5))


def test_no_joint_turns_faster_than_it_can_from_where_it_is_or_was_sent() -> None:
    there = JointWay.resting(THERE, 0.0, 0.0)
    # A robot that follows its simulation back to the start.
    back = there.toward(HERE, 1.0, 0.02, 2.0)
    assert back.time == pytest.approx(0.1)
    # Half-way it is sent on to where it came from: it may be there already.
    again = back.toward(THERE, 1.05, 0.02, 2.0)
    assert again.time == pytest.approx(0.1)
    assert again.at(2.0) == pytest.approx(THERE)


def test_a_small_step_takes_its_time_and_no_more() -> None:
    way = JointWay.resting(HERE, 0.0, 0.0).toward(HERE + 0.001, 0.0, 0.02, 2.0)
    assert way.time == 0.02
    assert JointWay.resting(HERE, 0.0, 0.0).toward(THERE, 0.0, 0.02).time == 0.02
