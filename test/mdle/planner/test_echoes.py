"""Echoes stay where they were heard."""

import math

import numpy as np

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.cartographer.cartographer import ROUND
from walking_robots.mdle.planner.echoes import ECHO_TO, REMEMBERED, RingEchoes
from walking_robots.robots.super_scout import SUPER_SCOUT

RING = SUPER_SCOUT.sonar


def test_an_echo_stays_where_it_was_heard_while_the_robot_drives_on() -> None:
    echoes = RingEchoes(RING)
    arc = echoes.hear(0, 0.6, Pose2(), 0.0)
    assert np.allclose(np.hypot(*(arc[0] - (RING.radius, 0.0)).T), 0.6)
    # The driver repeats the range of a sonar until it has been fired again.
    assert not len(echoes.hear(0, 0.6, Pose2(0.1), 0.5 * ROUND))
    assert np.array_equal(echoes.arcs, arc)
    later = echoes.hear(0, 0.6, Pose2(0.2), ROUND)
    assert np.allclose(later - arc, (0.2, 0.0)) and np.array_equal(echoes.arcs, [*arc, *later])


def test_an_echo_is_remembered_though_nothing_answers_any_more() -> None:
    """A smooth wall at a grazing angle answers once in a while only."""
    echoes = RingEchoes(RING)
    arc = echoes.hear(0, 1.2, Pose2(), 0.0)
    for k, distance in enumerate((ECHO_TO, 4.0, math.inf), start=1):
        assert not len(echoes.hear(0, distance, Pose2(), k * ROUND))
    assert np.array_equal(echoes.arcs, arc)
    echoes.hear(0, math.inf, Pose2(), REMEMBERED)
    assert not len(echoes.arcs)
