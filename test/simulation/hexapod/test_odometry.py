"""Odometry drifts as stated, gaits hold their way by it, and switches have noise."""

import math
from dataclasses import replace

import numpy as np
import pytest

from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.simulation.hexapod.articulated import KinematicArticulated
from walking_robots.simulation.hexapod.odometry import (
    GYRO_DRIFT,
    LegOdometry,
    drift_of,
    make_odometry,
)
from walking_robots.simulation.hexapod.physical import physical_articulated
from walking_robots.simulation.hexapod.physical_parts import GRAVITY, PhysicsSettings
from walking_robots.terrain.level import LevelGround
from walking_robots.terrain.relief import Rubble
from walking_robots.trials.hexapod.periodic import HexapodTrial, PeriodicLoopStep, run

pytestmark = pytest.mark.slow

ROBOT = find_hexapod('insect18')
PHYSICS = PhysicsSettings()


@pytest.mark.parametrize('kind', ['exact', 'drift:1%', 'drift:20%', 'drift:0%'])
def test_odometry_is_off_by_a_share_of_the_way(kind: str) -> None:
    state = KinematicArticulated(ROBOT, LevelGround()).state
    odometry, other = (make_odometry(kind, state, 0.02, seed) for seed in (5, 6))
    places = [(0.1 * k, 0.0, 1.0) for k in range(11)]
    found = []
    for _ in range(2):
        odometry.reset(state._replace(position=places[0]))
        for place in places:
            odometry.add(state._replace(position=place))
        found.append(odometry.measured.position)
    assert found[0] == found[1]
    share = drift_of(kind)
    assert share is not None
    assert math.dist(found[0], places[-1]) == pytest.approx(share)
    other.add(state._replace(position=(1.0, 0.0, 1.0)))
    assert odometry.bias == 0.0 and (other.measured.position != found[0]) == (share > 0.0)


@pytest.mark.parametrize('kind', ['', 'legs:1%', 'drift', 'drift:1', 'drift:20.5%', 'drift:-1%'])
def test_an_unknown_kind_of_odometry_is_refused(kind: str) -> None:
    with pytest.raises(ValueError, match='use exact, legs, or drift:1%'):
        drift_of(kind)


def test_the_drift_of_the_heading_is_that_of_the_gyroscope() -> None:
    state = KinematicArticulated(ROBOT, LevelGround()).state
    rates = []
    for seed in range(200):
        odometry = LegOdometry(state, 0.02, seed)
        for _ in range(10):
            odometry.add(state)
        rates.append(odometry.measured.pose.yaw() / 0.2)
    assert np.std(rates) == pytest.approx(GYRO_DRIFT, rel=0.2)
    odometry.reset(state)
    assert odometry.measured == state


@pytest.mark.parametrize('seed', [31, 32])
def test_the_heading_is_held_over_rough_ground(seed: int) -> None:
    steps: list[PeriodicLoopStep] = []
    trial = HexapodTrial(ROBOT, speed=0.03, time=20.0, physics=PHYSICS, odometry='legs', seed=seed)
    result = run(trial.over(Rubble(0.02, seed)), watch=lambda step, _: steps.append(step))
    assert result.forces.heading_error_rad == pytest.approx(0.0, abs=math.radians(2.0))
    before, pose = steps[-1].before, steps[-1].pose
    away = math.dist(before.position, pose.position)
    assert 1e-4 < away < 0.06 * result.distance_m


def test_a_reset_begins_with_the_same_drift() -> None:
    hexapod = physical_articulated(ROBOT, LevelGround(), 0.02, PHYSICS)
    joints = hexapod.state.joints
    odometry = make_odometry('legs', hexapod.state, 0.02, 4)
    ways = []
    for _ in range(2):
        odometry.reset(hexapod.reset())
        for _ in range(20):
            odometry.add(hexapod.step(joints))
        ways.append(odometry.measured.position)
    assert ways[0] == ways[1] != hexapod.state.position


def test_an_inertial_unit_at_rest_measures_gravity() -> None:
    hexapod = physical_articulated(ROBOT, LevelGround(), 0.02, PHYSICS)
    for _ in range(50):
        hexapod.step(hexapod.state.joints)
    turning, acceleration = hexapod.inertial()
    assert np.abs(turning).max() < 0.01
    assert acceleration == pytest.approx((0.0, 0.0, GRAVITY), abs=0.2)


def test_noise_of_foot_switches_is_that_of_the_seed() -> None:
    noisy = PhysicsSettings(switch_noise=0.01)
    trial = HexapodTrial(ROBOT, speed=0.05, time=6.0, physics=noisy, seed=3)
    one, other, exact = map(run, (trial, replace(trial, seed=4), replace(trial, physics=PHYSICS)))
    assert one.completed and one == run(trial)
    assert len({found.trace_sha256 for found in (one, other, exact)}) == 3
    assert one.distance_m > 0.9 * exact.distance_m
