"""Robots that know only what they see get there, and step on no forbidden ground."""

import math
from dataclasses import replace

import numpy as np
import pytest

from walking_robots.gaits.free.articulated_model import find_free_gait_model
from walking_robots.geometry.pose import Pose
from walking_robots.robots.asv import ASV, ft
from walking_robots.simulation.hexapod.physical_parts import PhysicsSettings
from walking_robots.terrain.relief import Rubble, Slope, Stairs
from walking_robots.trials.hexapod.asv import AsvTrial
from walking_robots.trials.hexapod.asv import run as run_asv
from walking_robots.trials.hexapod.eyes import Eyes
from walking_robots.trials.hexapod.eyes_settings import EyesSettings
from walking_robots.trials.hexapod.free import FreeGaitTrial, run

EYES = EyesSettings()
WALK = FreeGaitTrial(
    find_free_gait_model('insect18'), speed=1.0, forbidden=0.2, seed=7, distance=0.06, eyes=EYES,
    odometry='drift:1%',
)  # fmt: skip


def test_a_short_walk_by_eye() -> None:
    found = run(WALK)
    assert found.completed and found.false_footholds == 0
    assert found.footholds is not None and found.footholds >= 3
    assert found.map_error_m is not None
    assert 0.0 < found.map_error_m < 0.15 * WALK.model.timing.lift_height
    assert found.seen_share is not None and 0.2 < found.seen_share < 1.0
    assert run(WALK).trace_sha256 == found.trace_sha256
    assert run(replace(WALK, seed=8)).trace_sha256 != found.trace_sha256


def test_the_map_does_not_rise_on_the_way() -> None:
    """It rose by a lift on this one while each look only confirmed what had been seen before."""
    model = WALK.model
    found = run(replace(WALK, speed=0.7 * model.command.forward, seed=660647, distance=None))
    assert found.completed and found.false_footholds == 0
    assert found.map_error_m is not None and found.map_error_m < 0.1 * model.timing.lift_height


@pytest.mark.parametrize('physics', [None, PhysicsSettings()], ids=['kinematic', 'forces'])
def test_slopes_and_rough_ground_are_walked_by_eye(physics: PhysicsSettings | None) -> None:
    lift = WALK.model.timing.lift_height
    relief = (Slope(math.radians(15.0), math.radians(40.0)), Rubble(0.1 * lift, 770021))
    found = run(replace(WALK, speed=0.008, forbidden=0.0, relief=relief, physics=physics))
    assert found.completed and found.false_footholds == 0
    assert found.map_error_m is not None and found.map_error_m < 0.15 * lift


def test_stairs_are_climbed_by_eye() -> None:
    cell, lift = WALK.model.cell, WALK.model.timing.lift_height
    stairs = (Stairs(0.68, 0.5 * lift, 8 * cell, 2),)
    found = run(replace(WALK, forbidden=0.0, relief=stairs, distance=15 * cell))
    assert found.completed and found.false_footholds == 0


def test_a_map_that_is_wrong_has_an_error() -> None:
    """The heights of an empty map that is filled with one height are wrong by what that is off."""
    model, lift = WALK.model, WALK.model.timing.lift_height
    terrain, model = replace(WALK, forbidden=0.0).ground()
    for off in (0.0, 0.3 * lift):
        eyes = Eyes(EYES, model, terrain, seed=1)
        x, y, _ = model.start_position
        eyes.map.move(x, y)
        side = 0.25 * model.cell
        places = np.stack(np.meshgrid(np.arange(8.0), np.arange(8.0)), -1).reshape(-1, 2)
        points = np.column_stack(((x, y) + side * (places + 0.5), np.full(len(places), off)))
        eyes.map.update(points, (x, y, model.start_position[2]))
        here = Pose(model.start_position)
        eyes._compare(here, here)
        assert eyes.map_error == pytest.approx(off, abs=1e-6)


def test_a_robot_that_sees_nothing_rests() -> None:
    blind = replace(WALK, eyes=EyesSettings('depth_camera'), time=3.0)
    behind = replace(blind, speed=-1.0)
    found = run(behind)
    assert not found.completed and found.distance_m < 0.01
    assert found.reason.endswith('too little of the ground ahead is seen: the robot rests')


def test_without_eyes_nothing_is_said_of_them() -> None:
    found = run(replace(WALK, eyes=None))
    assert found.completed and found.false_footholds is None and found.map_error_m is None


def test_an_unknown_sensor_is_refused() -> None:
    with pytest.raises(ValueError, match="no sensor 'owl'"):
        run(replace(WALK, eyes=EyesSettings('owl')))


@pytest.mark.slow
@pytest.mark.parametrize('seed', [2000, 3001])
def test_the_ditch_is_found_by_eye(seed: int) -> None:
    trial = AsvTrial(gait='auto', ditch=ft(7.0), forbidden=0.2, seed=seed)
    knowing = run_asv(trial)
    seeing = run_asv(replace(trial, eyes=EYES, odometry='drift:1%'))
    assert knowing.completed and seeing.completed
    assert seeing.mean_speed_m_s > 0.9 * knowing.mean_speed_m_s
    assert seeing.false_footholds == 0 and seeing.footholds > 30
    assert seeing.map_error_m < 0.15 * ASV.timing.lift_height


@pytest.mark.slow
@pytest.mark.parametrize(
    ('robot', 'odometry', 'walks'),
    [('aquarobot', 'drift:1%', 3), ('insect18', 'drift:1%', 1), ('insect18', 'legs', 1)],
)
def test_walks_by_eye_are_hardly_slower(robot: str, odometry: str, walks: int) -> None:
    model = find_free_gait_model(robot)
    shares = []
    for seed in range(3000, 3000 + walks):
        trial = FreeGaitTrial(model, speed=0.7 * model.command.forward, forbidden=0.2, seed=seed)
        knowing, seeing = run(trial), run(replace(trial, eyes=EYES, odometry=odometry))
        assert knowing.completed and seeing.completed and seeing.false_footholds == 0
        shares.append(seeing.mean_speed_m_s / knowing.mean_speed_m_s)
    assert np.mean(shares) > 0.9
