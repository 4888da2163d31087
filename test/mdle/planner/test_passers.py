"""The robot stops for who comes towards it, and for nothing else."""

import math

import numpy as np
import pytest

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.planner.echoes import echo_arcs
from walking_robots.mdle.planner.ground import FREE, OCCUPIED, UNKNOWN, KnownGround
from walking_robots.mdle.planner.passers import LOOKS, PassersBy
from walking_robots.robots.super_scout import SUPER_SCOUT

CELL = 0.05
HERE = Pose2(3.0, 2.0, 0.5 * math.pi)
FAST, REACH = 0.3, 1.1


def room() -> KnownGround:
    classes = np.full((80, 120), FREE, np.int8)
    classes[[0, -1]] = classes[:, [0, -1]] = OCCUPIED
    return KnownGround(classes, CELL)


def arcs_of(number: int, distance: float, pose: Pose2 = HERE) -> np.ndarray:
    """Return the places of one echo."""
    sonar = SUPER_SCOUT.sonar
    ranges = [math.inf] * sonar.count
    ranges[number] = distance
    return echo_arcs(sonar, ranges, pose)


def test_the_robot_stands_for_who_comes_where_nothing_was() -> None:
    passers = PassersBy()
    assert not passers.stand()
    assert passers.hear(room(), HERE, FAST, REACH, arcs_of(0, 0.7))
    assert [passers.stand() for _ in range(LOOKS + 1)] == [*[True] * LOOKS, False]


@pytest.mark.parametrize(
    ('number', 'distance', 'speed', 'why'),
    [
        (8, 0.7, FAST, 'behind the robot'),
        (0, 0.7, -FAST, 'behind a robot that backs off'),
        (0, 0.95, FAST, 'too far away to be met before it is heard again'),
        (0, 0.7, 0.045, 'the robot creeps'),
    ],
)
def test_it_goes_on(number: int, distance: float, speed: float, why: str) -> None:
    passers = PassersBy()
    assert not passers.hear(room(), HERE, speed, REACH, arcs_of(number, distance)), why
    assert not passers.stand()


@pytest.mark.parametrize('known', [OCCUPIED, UNKNOWN])
def test_walls_and_what_is_not_known_are_nobody(known: int) -> None:
    ground = room()
    ground.classes[56:60, 40:80] = known
    passers = PassersBy()
    assert not passers.hear(ground, HERE, FAST, REACH, arcs_of(0, 0.7))


def test_who_stands_is_heard_once_and_who_walks_again() -> None:
    passers = PassersBy()
    assert passers.hear(room(), HERE, FAST, REACH, arcs_of(0, 0.7))
    assert not passers.hear(room(), HERE, FAST, REACH, arcs_of(0, 0.65))
    assert passers.hear(room(), HERE, FAST, REACH, arcs_of(0, 0.35))


def test_a_standing_robot_waits_until_nobody_comes() -> None:
    passers = PassersBy()
    passers.hear(room(), HERE, FAST, REACH, arcs_of(0, 0.7))
    assert passers.stand()
    assert not passers.hear(room(), HERE, 0.0, REACH, arcs_of(2, 0.5)), 'it stands already'
    assert [passers.stand() for _ in range(LOOKS + 1)] == [*[True] * LOOKS, False]
