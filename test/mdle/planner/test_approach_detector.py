"""The robot stops for who comes towards it, and for nothing else."""

import math
from dataclasses import replace

import numpy as np
import pytest

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.planner.approach_detector import WAIT_ROUNDS, ApproachDetector
from walking_robots.mdle.planner.echoes import RingEchoes
from walking_robots.mdle.planner.ground import FREE, OCCUPIED, UNKNOWN, KnownGround
from walking_robots.robots.super_scout import SUPER_SCOUT

CELL = 0.05
HERE = Pose2(3.0, 2.0, 0.5 * math.pi)
FAST, DELAY = 0.3, 1.11
REACH = 0.205 + 0.5 * DELAY


def room() -> KnownGround:
    classes = np.full((80, 120), FREE, np.int8)
    classes[[0, -1]] = classes[:, [0, -1]] = OCCUPIED
    return KnownGround(classes, CELL)


def arcs_of(number: int, distance: float, pose: Pose2 = HERE) -> np.ndarray:
    """Return the places of one echo."""
    return RingEchoes(SUPER_SCOUT.sonar).hear(number, distance, pose, 0.0)


def detects(
    detector: ApproachDetector,
    ground: KnownGround,
    arcs: np.ndarray,  # type: ignore[type-arg]
    speed: float = FAST,
) -> bool:
    """Return whether a robot stops that drives ahead at a speed, m/s."""
    soon = HERE @ Pose2(speed * DELAY)
    return detector.detect(ground, soon, REACH, arcs, drives=abs(speed) > 0.05)


def rounds_of(detector: ApproachDetector) -> int:
    """Return for how many rounds the robot stands."""
    for rounds in range(10):
        if not detector.stands:
            return rounds
        detector.next_round()
    return 10


def test_the_robot_stands_for_who_comes_where_nothing_was() -> None:
    detector = ApproachDetector()
    assert not detector.stands
    assert detects(detector, room(), arcs_of(0, 0.7))
    assert rounds_of(detector) == WAIT_ROUNDS


@pytest.mark.parametrize(
    ('number', 'distance', 'speed', 'why'),
    [
        (8, 0.7, FAST, 'behind the robot'),
        (0, 0.7, -FAST, 'behind a robot that backs off'),
        (4, 0.6, FAST, 'too far aside to meet a robot that drives on'),
        (0, 0.95, FAST, 'too far away to be met before it is heard again'),
        (0, 0.7, 0.045, 'the robot creeps'),
    ],
)
def test_it_goes_on(number: int, distance: float, speed: float, why: str) -> None:
    detector = ApproachDetector()
    assert not detects(detector, room(), arcs_of(number, distance), speed), why
    assert not detector.stands


@pytest.mark.parametrize('number', [0, 2, 14])
def test_who_is_near_and_ahead_is_detected(number: int) -> None:
    assert detects(ApproachDetector(), room(), arcs_of(number, 0.5))


@pytest.mark.parametrize('known', [OCCUPIED, UNKNOWN])
def test_walls_and_what_is_not_known_are_nobody(known: int) -> None:
    ground = room()
    ground.classes[56:60, 40:80] = known
    assert not detects(ApproachDetector(), ground, arcs_of(0, 0.7))


def test_where_the_map_is_not_certain_an_echo_is_of_nobody() -> None:
    ground = room()
    certain = ground.classes.copy()
    assert detects(ApproachDetector(), replace(ground, certain=certain), arcs_of(0, 0.7))
    certain[56:60, 40:80] = UNKNOWN
    assert not detects(ApproachDetector(), replace(ground, certain=certain), arcs_of(0, 0.7))


def test_an_arc_that_lies_in_unknown_ground_in_part_may_be_a_wall() -> None:
    ground = room()
    ground.classes[:, 50:57] = UNKNOWN
    assert not detects(ApproachDetector(), ground, arcs_of(0, 0.7))


def test_who_stands_is_heard_once_and_who_walks_again() -> None:
    detector = ApproachDetector()
    assert detects(detector, room(), arcs_of(0, 0.7))
    assert not detects(detector, room(), arcs_of(0, 0.65))
    assert detects(detector, room(), arcs_of(0, 0.35))


def test_a_standing_robot_waits_until_nobody_comes() -> None:
    detector = ApproachDetector()
    detects(detector, room(), arcs_of(0, 0.7))
    detector.next_round()
    assert not detects(detector, room(), arcs_of(2, 0.5), 0.0), 'it stands already'
    assert rounds_of(detector) == WAIT_ROUNDS
