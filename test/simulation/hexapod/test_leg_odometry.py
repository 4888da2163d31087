"""Odometry by legs drifts as stated, gaits hold their way by it, and switches have noise."""

import math
from dataclasses import replace

import numpy as np
import pytest

from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.simulation.hexapod.leg_odometry import GYRO_DRIFT, LegOdometry
from walking_robots.simulation.hexapod.physical import physical_articulated
from walking_robots.simulation.hexapod.physical_parts import GRAVITY, PhysicsSettings
from walking_robots.terrain.level import LevelGround
from walking_robots.terrain.relief import Rubble
from walking_robots.trials.hexapod.periodic import HexapodTrial, PeriodicLoopStep, run

pytestmark = pytest.mark.slow

ROBOT = find_hexapod('insect18')
BY_LEGS = PhysicsSettings(odometry='legs', seed=4)


def test_the_drift_of_the_heading_is_that_of_the_gyroscope() -> None:
    state = physical_articulated(ROBOT, LevelGround(), 0.02, BY_LEGS).state
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
    trial = HexapodTrial(ROBOT, speed=0.03, time=20.0, physics=replace(BY_LEGS, seed=seed))
    result = run(trial.over(Rubble(0.02, seed)), watch=lambda step, _: steps.append(step))
    assert result.forces.heading_error_rad == pytest.approx(0.0, abs=math.radians(2.0))
    before, pose = steps[-1].before, steps[-1].pose
    away = math.dist(before.position, pose.position)
    assert 1e-4 < away < 0.06 * result.distance_m


def test_a_reset_begins_with_the_same_drift() -> None:
    hexapod = physical_articulated(ROBOT, LevelGround(), 0.02, BY_LEGS)
    joints = hexapod.state.joints
    ways = []
    for _ in range(2):
        hexapod.reset()
        ways.append([hexapod.step(joints) and hexapod.measured.position for _ in range(20)])
    assert ways[0] == ways[1]


def test_an_inertial_unit_at_rest_measures_gravity() -> None:
    hexapod = physical_articulated(ROBOT, LevelGround(), 0.02, PhysicsSettings())
    for _ in range(50):
        hexapod.step(hexapod.state.joints)
    turning, acceleration = hexapod.inertial()
    assert np.abs(turning).max() < 0.01
    assert acceleration == pytest.approx((0.0, 0.0, GRAVITY), abs=0.2)
    assert hexapod.measured is hexapod.state


def test_noise_of_foot_switches_is_that_of_the_seed() -> None:
    noisy = PhysicsSettings(switch_noise=0.005, seed=3)
    trial = HexapodTrial(ROBOT, speed=0.05, time=6.0, physics=noisy)
    one, other, exact = (
        run(replace(trial, physics=physics))
        for physics in (noisy, replace(noisy, seed=4), PhysicsSettings())
    )
    assert one.completed and one == run(trial)
    assert len({found.trace_sha256 for found in (one, other, exact)}) == 3
    assert one.distance_m > 0.9 * exact.distance_m
