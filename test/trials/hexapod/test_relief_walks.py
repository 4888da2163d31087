"""Walks of the rules over ground with heights in both directions, with all invariants watched."""

import math

import numpy as np
import pytest

from walking_robots.gaits.free.articulated_model import find_free_gait_model
from walking_robots.robots.asv import ASV
from walking_robots.robots.model import HexapodModel
from walking_robots.terrain.files import load_terrain
from walking_robots.terrain.generator import build
from walking_robots.terrain.relief import Blocks, Relief, Rubble, Slope, Stairs
from walking_robots.trials.hexapod.asv import AsvTrial
from walking_robots.trials.hexapod.asv import run as run_asv
from walking_robots.trials.hexapod.free import FreeGaitTrial, run
from walking_robots.trials.hexapod.invariants import InvariantMonitor

pytestmark = pytest.mark.slow

ROBOTS = ['asv', 'insect18', 'aquarobot', 'rectangular']
WAY = 40


def walk(
    model: HexapodModel,
    relief: list[Relief],
    *,
    share: float = 0.0,
    seed: int = 1,
    gait: str = 'rules',
    cells: int = WAY,
    speed: float = 0.5,
) -> bool:
    """Walk over relief and forbidden cells, all invariants held; return whether it was done.

    ``speed`` is the share of the greatest.
    """
    reach = FreeGaitTrial(model).reach
    side = math.ceil(2.0 * reach / model.cell) + cells
    monitors: list[InvariantMonitor] = []
    trial = FreeGaitTrial(
        model,
        speed=speed * model.command.forward,
        gait=gait,
        terrain=build(side, side, model.cell, relief=relief, share=share, seed=seed),
        start=reach,
        distance=cells * model.cell,
    )

    def watched(model, terrain):
        monitors.append(InvariantMonitor(model, terrain, trial.speed))
        return monitors[0]

    found = run(trial, monitor=watched)
    assert monitors[0].violations == []
    return found.completed


def first_place(model: HexapodModel) -> float:
    """Return where relief may begin without a foot standing on it at the start, m."""
    return 2.0 * FreeGaitTrial(model).reach


def walks(robot: str, *, acceptance: bool) -> int:
    """Return how many walks a robot makes."""
    return 20 if acceptance else 6 if robot == 'asv' else 2


@pytest.mark.parametrize('robot', ROBOTS)
def test_slopes_of_20_degrees_in_any_direction(robot, acceptance):
    for direction in (0, 30, 90, 150, 220) if acceptance else (30, 220):
        slope = Slope(math.radians(20.0), math.radians(direction))
        assert walk(find_free_gait_model(robot), [slope], speed=1.0), direction


@pytest.mark.parametrize('robot', ROBOTS)
def test_rubble_of_three_tenths_of_the_lift(robot, acceptance):
    model = find_free_gait_model(robot)
    height = 0.3 * model.timing.lift_height
    for seed in range(40409, 40409 + walks(robot, acceptance=acceptance)):
        share = 0.2 * (seed % 2)
        assert walk(model, [Rubble(height, seed, first_place(model))], share=share, seed=seed)


@pytest.mark.parametrize('robot', ROBOTS)
def test_stairs_of_half_the_lift_up_and_down(robot, acceptance):
    model = find_free_gait_model(robot)
    rise = 0.5 * model.timing.lift_height
    for seed in range(70507, 70507 + walks(robot, acceptance=acceptance)):
        share = 0.1 * (seed % 2)
        tread = model.cell * float(np.random.default_rng(seed).integers(4, 9))
        up = first_place(model)
        down = up + 3.0 * tread + 8.0 * model.cell
        stairs = [Stairs(up, rise, tread, 3), Stairs(down, -rise, tread, 3)]
        assert walk(model, stairs, share=share, seed=seed)


@pytest.mark.parametrize('robot', ROBOTS)
def test_blocks_as_high_as_a_lift_are_stepped_upon_or_passed(robot, acceptance):
    model = find_free_gait_model(robot)
    side, gap = 3.0 * model.cell, 8.0 * model.cell
    for seed in range(90901, 90901 + walks(robot, acceptance=acceptance) // 2):
        blocks = Blocks(model.timing.lift_height, side, gap, seed, first_place(model))
        assert walk(model, [blocks])


def high_blocks(model: HexapodModel, height: float, side: float, seed: int) -> Blocks:
    """Return blocks, in lifts and cells, 1.5 times as far apart as the robot is wide."""
    width = 2.0 * max(abs(y) for leg in model.legs for _, y in leg.template)
    lift = model.timing.lift_height
    return Blocks(height * lift, side * model.cell, 1.5 * width, seed, first_place(model))


@pytest.mark.parametrize('robot', ROBOTS)
def test_blocks_too_high_to_be_stepped_over_are_gone_round(robot, acceptance):
    model = find_free_gait_model(robot)
    count, cells = (20, 60) if acceptance else (2, 60) if robot == 'asv' else (1, 40)
    for seed in range(60607, 60607 + count):
        assert walk(model, [high_blocks(model, 3.0, 3.0, seed)], gait='auto', cells=cells)


@pytest.mark.parametrize(('height', 'side'), [(5.0, 3.0), (3.0, 1.0), (3.0, 6.0)])
def test_feet_swing_past_corners_of_blocks(height, side, acceptance):
    for seed in range(60607, 60607 + (20 if acceptance else 2)):
        assert walk(ASV, [high_blocks(ASV, height, side, seed)], gait='auto', cells=60)


def test_a_foot_rises_before_it_goes_over_a_block_beside_it():
    blocks = high_blocks(ASV, 5.0, 3.0, 327749)
    assert walk(ASV, [blocks], gait='rules', speed=1.0)


@pytest.mark.parametrize('name', ['stairs', 'rubble', 'side_slope'])
def test_shipped_files(name):
    terrain = load_terrain(f'config/terrain/{name}.yaml')
    monitor = InvariantMonitor(ASV, terrain, AsvTrial().speed)
    found = run_asv(AsvTrial(terrain=terrain, gait='auto'), monitor=monitor)
    assert found.completed and monitor.violations == []
