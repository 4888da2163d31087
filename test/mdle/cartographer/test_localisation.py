"""Test how well the pose is known in a known map, and while a map is drawn (issue, study §3).

Worlds and drives are not those of the development.
"""

import math
from copy import deepcopy
from random import Random

import numpy as np
import pytest
from mdle_tours import drive_with, figures_of, listen, sensor_pose, tour

from walking_robots.geometry.differential_drive import Wheels
from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.cartographer.cartographer import (
    TRUSTED,
    Cartographer,
    CartographerSettings,
)
from walking_robots.mdle.cartographer.slip_search import FIRST, SlipSearch
from walking_robots.worlds.random_worlds import random_world

RADIUS = 0.205


def slipping(share: float, rng: Random) -> Wheels:
    return Wheels(rng.uniform(-share, share), rng.uniform(-share, share))


@pytest.mark.slow
def test_in_a_map_of_its_own_with_slip_of_1_percent(acceptance: bool) -> None:
    """After 10 minutes in the map that it drew by sonar with a true pose before."""
    ends, inside, normalised, sigmas = [], [], [], []
    for run in range(20 if acceptance else 2):
        rng = Random(5000 + run)
        world = random_world(2000 + run, RADIUS)
        echo, rough = ((60.0, 0.0), (25.0, 0.1))[run % 2]
        first = tour(world.world, world.start, Random(run))
        drawn = Cartographer(CartographerSettings(slip=0.0), world.start)
        drive_with(drawn, first, listen(world.world, first, echo, rough, Random(run)))
        drive = tour(world.world, world.start, rng, seconds=600.0 if acceptance else 240.0)
        found = Cartographer(
            CartographerSettings(slip=0.01), world.start, deepcopy(drawn.grid), seed=run
        )
        firings = listen(world.world, drive, echo, rough, rng)
        errors = drive_with(found, drive, firings, slipping(0.01, rng))
        assert not found.is_other_world
        ends.append(float(np.hypot(errors[-1, 0], errors[-1, 1])))
        normalised.append(float(errors[:, 3].mean()))
        sigmas.append(float(np.median(errors[:, 4])))
        variances = np.abs(errors[:, :2]) <= 2.0 * errors[:, 4:5]
        inside.append(variances.mean(axis=0))
    print('ends', np.round(sorted(ends), 3), 'inside', np.mean(inside, axis=0).round(3))
    print('normalised', np.round(np.mean(normalised), 2), 'sigma', np.round(max(sigmas), 3))
    assert np.median(ends) <= 0.05 and max(ends) <= 0.15
    assert (np.mean(inside, axis=0) >= 0.90).all() and max(sigmas) <= 0.1


@pytest.mark.slow
@pytest.mark.parametrize(('first', 'seconds'), [(0, math.inf), (20, 600.0)])
def test_while_mapping_with_slip_of_a_thousandth(
    acceptance: bool, first: int, seconds: float
) -> None:
    """A tour through all of an unknown world, or 10 minutes; a pose that is trusted is right."""
    if not acceptance and math.isfinite(seconds):
        pytest.skip('with --acceptance only: a quarter of an hour')
    ends, trusted = [], []
    for run in range(first, first + (20 if acceptance else 1)):
        rng = Random(6000 + run)
        world = random_world(3000 + run, RADIUS)
        drive = tour(world.world, world.start, Random(run), seconds)
        found = Cartographer(CartographerSettings(slip=0.001), world.start)
        errors = drive_with(
            found, drive, listen(world.world, drive, 60.0, 0.0, rng), slipping(0.001, rng)
        )
        off = np.hypot(errors[:, 0], errors[:, 1])
        ends.append(float(off[-1]))
        trusted.append(off[2.0 * errors[:, 4] <= TRUSTED])
        assert found.drawn > 3
    print('ends', np.round(sorted(ends), 3))
    print('trusted', [(len(part), np.round(part.max(), 3)) for part in trusted])
    assert max(ends) <= 0.15
    assert max(part.max() for part in trusted) <= 0.15 and min(map(len, trusted)) > 10


@pytest.mark.slow
@pytest.mark.parametrize('run', [6, 7])
def test_in_a_map_drawn_with_slip_the_pose_is_known_as_well_as_the_map(
    run: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After the last search, here after 3 minutes, particles go on with the slip it found."""
    monkeypatch.setattr('walking_robots.mdle.cartographer.slip_search.MOST', 3000)
    rng = Random(6000 + run)
    world = random_world(3000 + run, RADIUS)
    drive = tour(world.world, world.start, Random(run), 400.0)
    found = Cartographer(CartographerSettings(slip=0.01), world.start)
    errors = drive_with(
        found, drive, listen(world.world, drive, 60.0, 0.0, rng), slipping(0.01, rng)
    )
    assert found.known
    # What was found there is drawn however well it is known where that map lies.
    assert figures_of(world.world, world.start, found.grid).known >= 0.9
    last = errors[len(errors) // 2 :]
    off, sigma = np.hypot(last[:, 0], last[:, 1]), last[:, 4]
    assert off.max() <= 0.3 and (off <= 2.0 * sigma).mean() >= 0.9
    assert off[2.0 * sigma <= TRUSTED].max() <= 0.15


def test_the_covariance_changes_with_the_pose_that_a_search_finds() -> None:
    """A search that goes on says nothing yet of the pose that the last one found."""
    world = random_world(3000, RADIUS)
    drive = tour(world.world, world.start, Random(0), seconds=60.0)
    firings = listen(world.world, drive, 60.0, 0.0, Random(1))
    odometry = [drive.start, *(Pose2(*pose) for pose in drive.odometry(Wheels(5e-4, -5e-4)))]
    search = SlipSearch(drive.start, 0.001, 0.345)
    worked = 0
    for before, after, number, heard in zip(
        odometry[:-1], odometry[1:], firings.sensor.tolist(), firings.range.tolist(), strict=True
    ):
        search.move(before.inverse() @ after)
        if not math.isfinite(heard):
            continue
        search.hear(sensor_pose(number), heard, math.radians(12.5))
        pose, covariance = search.estimate()
        if not search.work(100):
            worked += len(search.echoes) > FIRST
            assert search.estimate().pose == pose
            assert np.array_equal(search.estimate().covariance, covariance)
    assert search.searches and worked > 100
