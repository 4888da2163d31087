"""Test how good maps of random worlds are with a true pose, by sonar and by laser (AC-49).

The tours visit all ground that the robot can cover; the worlds are not those of the development.
"""

import math
from random import Random

import numpy as np
import pytest
from mdle_tours import Drive, drive_with, figures_of, listen, tour

from walking_robots.documents.shipped_worlds import find_world
from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.cartographer.cartographer import Cartographer, CartographerSettings
from walking_robots.trials.mdle.planned import PlannedRun, world_trial
from walking_robots.worlds.files import load_world
from walking_robots.worlds.random_worlds import RandomWorld, random_world
from walking_robots.worlds.rays import RayCaster

RADIUS = 0.205
EXACT = CartographerSettings(slip=0.0)
WORLDS = (1000, 1003, 1001, 1002, 1004, 1005)


def drives(acceptance: bool, worlds: int = 1) -> list[tuple[RandomWorld, Drive]]:
    found = []
    for seed in WORLDS[: 6 if acceptance else worlds]:
        world = random_world(seed, RADIUS)
        found.append((world, tour(world.world, world.start, Random(seed))))
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ('echo', 'rough', 'recall', 'minutes'), [(60.0, 0.0, 0.75, 15.0), (25.0, 0.1, 0.65, 25.0)]
)
def test_ac_49_maps_by_sonar(
    acceptance: bool, echo: float, rough: float, recall: float, minutes: float
) -> None:
    found = []
    for number, (world, drive) in enumerate(drives(acceptance)):
        cartographer = Cartographer(EXACT, world.start)
        drive_with(cartographer, drive, listen(world.world, drive, echo, rough, Random(number)))
        found.append(figures_of(world.world, world.start, cartographer.grid))
        assert len(drive.poses) * 0.06 <= 60.0 * minutes
    mean = np.mean(found, axis=0)
    print('precision, recall, known, wall cells called free:', mean.round(3))
    assert mean[0] >= 0.92 and mean[1] >= recall and mean[2] >= 0.98, found


@pytest.mark.slow
def test_ac_49_maps_by_laser(acceptance: bool) -> None:
    angles, noise = np.linspace(-math.pi, math.pi, 360, endpoint=False), np.random.default_rng(7)
    found = []
    for world, drive in drives(acceptance):
        caster, cartographer = RayCaster(world.world), Cartographer(EXACT, world.start)
        cartographer.move(0, world.start)
        for number, pose in enumerate(drive.poses[: round(300 / 0.06)].tolist(), 1):
            cartographer.move(number * 60_000_000, Pose2(*pose))
            if number % 4 == 0:
                ranges = caster.cast(pose[0], pose[1], angles + pose[2], 12.0).distance
                ranges = ranges + noise.normal(0.0, 0.01, len(ranges))
                cartographer.scan(number * 60_000_000, Pose2(), angles, ranges)
        found.append(figures_of(world.world, world.start, cartographer.grid))
    mean = np.mean(found, axis=0)
    print('precision, recall, known, wall cells called free:', mean.round(3))
    assert mean[0] >= 0.99 and mean[1] >= 0.97 and mean[2] >= 0.98, found


@pytest.mark.slow
def test_ac_49_a_robot_explores_an_office_of_60_square_metres_and_comes_home(
    acceptance: bool,
) -> None:
    """Seed 11 once came home without two rooms: it had looked at their unknown ground as one."""
    world = load_world(str(find_world('office60')))
    for seed in (11, 0, 1, 2, 3, 4, 5) if acceptance else (11,):
        run = PlannedRun(world_trial(world, Pose2(9.0, 1.0), seed, task='explore', limit=1200.0))
        result = run.run()
        assert run.said.startswith('reached') and result.fast_contacts == 0
        home = run.robot.true_pose.distance(world.start)
        found = figures_of(world, world.start, run.mapper.cartographer.grid)
        print(seed, f'{result.time_s:.0f} s, {result.path_m:.0f} m, {home:.2f} m', found)
        assert home <= 0.15 and found.known >= 0.98
        assert found.precision >= 0.92 and found.recall >= 0.75
