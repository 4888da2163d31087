"""Test what goes wrong: each trouble is one sentence, and none spoils the map (issue)."""

import math
from copy import deepcopy
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from mdle_tours import Drive, Firings, drive_with, listen, sensor_pose, tour

from walking_robots.geometry.se2 import ORIGIN, Pose2
from walking_robots.mdle.cartographer.cartographer import (
    Cartographer,
    CartographerSettings,
)
from walking_robots.mdle.cartographer.occupancy_grid import FREE, OCCUPIED
from walking_robots.worlds.random_worlds import random_world

RADIUS = 0.205
SECOND = 1_000_000_000
HALF = math.radians(12.5)
EXACT = CartographerSettings(slip=0.0)


@pytest.fixture(scope='module')
def driven() -> tuple[Drive, Firings, Cartographer]:
    """Return a drive through half of a world, and a cartographer that has heard it."""
    world = random_world(1000, RADIUS)
    drive = tour(world.world, world.start, Random(1))
    drive = Drive(drive.start, drive.poses[:1600], drive.twists[:1600])
    firings = listen(world.world, drive, 60.0, 0.0, Random(2))
    cartographer = Cartographer(EXACT, world.start)
    drive_with(cartographer, drive, firings)
    assert not cartographer.trouble
    return drive, firings, cartographer


def test_dead_sonars_are_said_and_leave_the_map_alone(driven: tuple) -> None:
    found = deepcopy(driven[2])
    before, version = found.grid.log_odds.copy(), found.grid.version
    now = 96 * SECOND
    for number in range(200):
        found.move(now + number * 60_000_000, Pose2(*driven[0].poses[-1]))
        found.hear(
            now + number * 60_000_000, number % 16, sensor_pose(number % 16), math.inf, HALF
        )
    assert found.trouble.startswith('no range for ')
    assert np.array_equal(before, found.grid.log_odds) and version == found.grid.version


@pytest.mark.parametrize('slip', [0.0, 0.001])
def test_a_wall_beside_the_robot_is_drawn_though_it_is_too_near_to_be_measured(
    slip: float,
) -> None:
    """And drawn again with another slip."""
    found = Cartographer(replace(EXACT, slip=slip))
    for number in range(400):
        stamp = number * SECOND
        found.move(stamp, Pose2(0.02 * number))
        found.hear(stamp, 4, sensor_pose(4), -math.inf, HALF, 0.15)
        found.hear(stamp, 12, sensor_pose(12), 1.0 + 0.001 * (number % 7), HALF, 0.15)
    assert (found.drawn > 0) == (slip > 0.0)
    classes = found.grid.classes()
    wall = [
        any(classes[found.grid.cell_of(x, y)] == OCCUPIED for y in np.arange(0.225, 0.4, 0.05))
        for x in np.arange(1.0, 7.0, 0.05)
    ]
    assert np.mean(wall) > 0.95
    assert found.pose == pytest.approx(Pose2(7.98), abs=0.05)


def test_an_echo_just_beyond_the_shortest_range_may_have_come_from_anywhere_up_to_there() -> None:
    maps = []
    for distance in (-math.inf, 0.15, 0.17, 0.19):
        found = Cartographer(EXACT)
        found.move(0, ORIGIN)
        found.hear(0, 4, sensor_pose(4), distance, HALF, 0.15)
        maps.append(found.grid.log_odds)
    assert all(np.array_equal(maps[0], other) for other in maps[1:3])
    assert not np.array_equal(maps[0], maps[3])


def test_a_jump_of_odometry_is_not_followed(driven: tuple) -> None:
    drive, firings, _ = driven
    found = Cartographer(EXACT, drive.start)
    half = len(drive.poses) // 2
    drive_with(found, Drive(drive.start, drive.poses[:half], drive.twists[:half]),
               Firings(firings.sensor[:half], firings.range[:half]))  # fmt: skip
    before = found.pose
    jumped = Pose2(before.x + 0.5, before.y, before.heading)
    found.move(round((half + 1) * 0.06 * SECOND), jumped)
    assert found.trouble == 'odometry jumped by 0.50 m and 0.00 rad: not followed'
    assert found.pose == before
    found.move(round((half + 2) * 0.06 * SECOND), jumped @ Pose2(0.01, 0.0, 0.0))
    assert found.pose == pytest.approx(before @ Pose2(0.01, 0.0, 0.0))


def test_a_pose_of_before_a_stall_is_no_jump_of_the_next_one() -> None:
    """Its stamp is of after the stall; the emulated robot has turned on meanwhile."""
    found = Cartographer(EXACT)
    turn = Pose2(0.0, 0.0, 0.08)
    pose = Pose2()
    for number in range(10):
        found.move(number * SECOND // 10, pose)
        pose = pose @ turn
    found.move(2 * SECOND, pose)
    found.move(2 * SECOND + SECOND // 40, pose @ Pose2(0.0, 0.0, 0.8))
    assert not found.trouble
    assert found.pose.heading == pytest.approx(1.6)
    found.move(2 * SECOND + SECOND // 10, pose @ Pose2(0.5, 0.0, 0.8))
    assert found.trouble.startswith('odometry jumped by 0.50 m')


def test_a_map_that_was_just_begun_is_gone_on_with() -> None:
    world = random_world(7003, RADIUS)
    drive = tour(world.world, world.start, Random(1))
    firings = listen(world.world, drive, 25.0, 0.1, Random(2))
    early, later = slice(0, 300), slice(300, 2500)
    begun = Cartographer(EXACT, drive.start)
    drive_with(
        begun, Drive(drive.start, drive.poses[early], drive.twists[early]),
        Firings(firings.sensor[early], firings.range[early]),
    )  # fmt: skip
    at = Pose2(*drive.poses[299])
    found = Cartographer(EXACT, at, deepcopy(begun.grid), sigma=0.1)
    found.go_on(at)
    errors = drive_with(
        found, Drive(at, drive.poses[later], drive.twists[later]),
        Firings(firings.sensor[later], firings.range[later]),
    )  # fmt: skip
    assert not found.trouble
    assert abs(errors[-1, :2]).max() < 0.01
    walls = begun.grid.classes() == OCCUPIED
    assert (found.grid.classes() == OCCUPIED).sum() > 3 * walls.sum()


def test_bumpers_are_hard_hits_and_one_that_sticks_is_ignored(driven: tuple) -> None:
    found = Cartographer(EXACT)
    found.move(0, Pose2())
    found.touch([0.0])
    ahead = found.grid.cell_of(RADIUS + 0.025, 0.0)
    assert found.grid.classes()[ahead] == OCCUPIED and not found.trouble
    for number in range(1, 50):
        found.move(number * SECOND // 10, Pose2(-0.02 * number))
        found.touch([0.0])
    assert found.trouble.startswith('the bumper at 0 degrees stays pressed')
    assert (found.grid.classes() == OCCUPIED).sum() == 1
    found.touch([])
    assert not found.trouble


def test_a_map_of_another_world_is_said_and_not_drawn_into(driven: tuple) -> None:
    drive, firings, drawn = driven
    right = Cartographer(CartographerSettings(), drive.start, deepcopy(drawn.grid))
    drive_with(right, drive, firings)
    assert not right.trouble and right.trusted
    other = random_world(1003, RADIUS)
    elsewhere = tour(other.world, other.start, Random(1))
    elsewhere = Drive(elsewhere.start, elsewhere.poses[:1600], elsewhere.twists[:1600])
    wrong = Cartographer(CartographerSettings(), other.start, deepcopy(drawn.grid))
    drive_with(wrong, elsewhere, listen(other.world, elsewhere, 60.0, 0.0, Random(3)))
    assert 'may be of another world' in wrong.trouble and not wrong.trusted
    assert np.array_equal(wrong.grid.log_odds, drawn.grid.log_odds)


def test_what_leaves_is_forgotten_while_the_robot_stands() -> None:
    """A thing ahead goes to the left: the tracker distinguishes it from a wall (mdle.md §9)."""
    found = Cartographer(EXACT)
    walls = [3.0] * 16
    for number in range(900):
        stamp = (number + 1) * 60_000_000
        sensor = number % 16
        thing = 0 if number < 450 else 4
        found.move(stamp, Pose2())
        found.hear(
            stamp, sensor, sensor_pose(sensor), 1.0 if sensor == thing else walls[sensor], HALF
        )
    before = found.grid.classes()[found.grid.cell_of(1.2, 0.0)]
    assert before != OCCUPIED, 'it has gone'
    assert found.grid.classes()[found.grid.cell_of(0.0, 0.8)] == FREE


def test_the_pose_is_told_to_be_uncertain(driven: tuple) -> None:
    found = Cartographer(CartographerSettings(slip=0.05))
    for number in range(100):
        found.move(number * SECOND // 10, Pose2(0.03 * number))
    found.hear(10 * SECOND, 0, sensor_pose(0), 1.0, HALF)
    assert not found.trusted
    assert found.trouble.startswith('the pose is known to ')
