"""Forbidden ground is physical: it is slippery, it sinks, and feet slip off its edges."""

import math
from dataclasses import replace

import numpy as np
import pytest

from walking_robots.gaits.free.articulated_model import find_free_gait_model
from walking_robots.legs.kinematics import leg_kinematics
from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.simulation.hexapod.ground_contact import FULL_LOAD, SLIPPERY_FRICTION
from walking_robots.simulation.hexapod.physical import HOLE as HOLE_DEPTH
from walking_robots.simulation.hexapod.physical import (
    PhysicalHexapod,
    physical_articulated,
    physical_free,
)
from walking_robots.simulation.hexapod.physical_parts import PhysicsSettings
from walking_robots.terrain.cells import FORBIDDEN, HOLE, SHARP, SLIPPERY, SOFT, TernaryTerrain
from walking_robots.terrain.forbidden_ground import EDGE, SINKAGE
from walking_robots.terrain.generator import build
from walking_robots.terrain.relief import Slope

pytestmark = pytest.mark.slow

MODEL = find_free_gait_model('insect18')
LIFT, CELL = MODEL.timing.lift_height, MODEL.cell
SIDE = 41
INSECT = find_hexapod('insect18')
DEPTH = HOLE_DEPTH * INSECT.height


def all_of(kind: int, *relief: Slope) -> TernaryTerrain:
    """Return ground that is forbidden and of one kind but at its edges."""
    cells = np.zeros((SIDE, SIDE), np.int8)
    cells[1:-1, 1:-1] = FORBIDDEN
    return build(SIDE, SIDE, CELL, marked=cells, kinds=kind, relief=relief)


def standing(terrain: TernaryTerrain, time: float, **settings: float) -> PhysicalHexapod:
    """Return a robot that has stood in the middle of a terrain for a time, s."""
    middle = 0.5 * SIDE * CELL
    model = replace(MODEL, start_position=(middle, middle, MODEL.start_position[2]))
    robot = physical_free(model, terrain, PhysicsSettings(**settings))
    joints = robot.state.joints
    for _ in range(round(time / model.timing.dt)):
        robot.step(joints)
    return robot


def test_feet_slide_down_a_slippery_slope_only() -> None:
    slope = Slope(math.radians(15.0))
    assert math.tan(slope.angle) > SLIPPERY_FRICTION
    slid = {}
    for kind in (SOFT, SLIPPERY):
        robot = standing(all_of(kind, slope), 0.5)
        slid[kind] = robot.start[0] - robot.state.position[0]
    assert slid[SLIPPERY] > 5.0 * CELL > CELL > slid[SOFT]


def test_soft_ground_sinks_in_proportion_to_its_load_and_stays() -> None:
    middle = 0.5 * SIDE * CELL
    robot = physical_articulated(INSECT, all_of(SOFT), 0.02, PhysicsSettings(), x=middle, y=middle)
    first = robot.state
    for _ in range(20):
        robot.step(first.joints)
    shares = np.linalg.norm(robot.loads.forces, axis=1) / robot.weight / FULL_LOAD
    depths = [-robot.state.pose.apply(foot)[2] for foot in robot.state.feet]
    assert shares.min() > 0.4 and shares.max() < 0.8
    assert min(depths) > 0.4 * SINKAGE * DEPTH and max(depths) < 0.8 * SINKAGE * DEPTH
    sunk = robot._contact._sunk
    assert sorted(sunk[sunk > 0.0]) == pytest.approx(sorted(shares), rel=0.15)
    again = robot.reset()
    assert again.position == first.position and (again.joints == first.joints).all()


@pytest.mark.parametrize('kind', [HOLE, SHARP], ids=['hole', 'sharp'])
def test_a_foot_falls_into_a_hole_and_slips_off_an_edge(kind: int) -> None:
    cells = np.zeros((SIDE, SIDE), np.int8)
    cells[30, 30] = FORBIDDEN
    terrain = build(SIDE, SIDE, CELL, marked=cells, kinds=kind)
    x, y, _ = INSECT.neutral_feet[0]
    middle, aside = 30.5 * CELL, 0.25 * CELL
    robot = physical_articulated(
        INSECT, terrain, 0.02, PhysicsSettings(), x=middle + aside - x, y=middle - y
    )
    joints = robot.state.joints
    for _ in range(50):
        robot.step(joints)
    x, y, z = robot.state.pose.apply(robot.state.feet[0])
    if kind == HOLE:
        assert z < -0.1 * DEPTH
    else:
        assert x - middle > 1.5 * aside and z < 0.3 * EDGE * DEPTH
    assert not robot.fell


def test_a_foot_that_presses_on_the_wall_of_a_hole_stays_in_it() -> None:
    """Feet were pushed into solid ground, and held there by the triangles of the height field."""
    cells = np.zeros((SIDE, SIDE), np.int8)
    cells[30, 30] = FORBIDDEN
    terrain = build(SIDE, SIDE, CELL, marked=cells)
    middle = 30.5 * CELL
    x, y, z = MODEL.legs[0].start_foot
    place = (middle - x, middle - y, MODEL.start_position[2])
    robot = physical_free(replace(MODEL, start_position=place), terrain, PhysicsSettings())
    feet = np.array([leg.start_foot for leg in MODEL.legs])
    legs = leg_kinematics(MODEL)
    for step in range(100):
        feet[0] = (x + 0.015 * CELL * step, y, z - 0.7 * LIFT)
        robot.step(legs.follow(feet, 6 * [False]))
    foot = robot.state.pose.apply(robot.state.feet[0])
    assert foot[2] < -0.4 * LIFT
    assert 30.0 * CELL < foot[0] < 31.0 * CELL - 0.5 * INSECT.foot_radius
