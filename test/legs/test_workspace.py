"""What articulated legs reach, and convex volumes within it (aquarobot.md §5.6, A10)."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from walking_robots.geometry.pose import Rates
from walking_robots.legs.articulated import ArticulatedLegs
from walking_robots.legs.working_volume import WorkingVolume
from walking_robots.legs.workspace import FACETS, extremes, knee_up, leg_volume
from walking_robots.robots.aquarobot import AQUAROBOT
from walking_robots.robots.articulated import Stance
from walking_robots.robots.asv import ASV
from walking_robots.robots.hexapod_files import load_hexapod

FILES = sorted((Path(__file__).resolve().parents[2] / 'config/robots').glob('*.yaml'))
ROBOTS = [load_hexapod(path) for path in FILES]
LEG = AQUAROBOT.legs[0]


def test_a10_extremes_of_aquarobot():
    bounds = extremes(LEG)
    assert 100 * np.array(bounds) == pytest.approx(
        (-94.2844, 170.0, -150.0, 147.9161, 57.7613, 150.0), abs=1e-4
    )


@pytest.mark.parametrize('robot', ROBOTS, ids=lambda robot: robot.name)
def test_a10_a_grid_finds_the_same_extremes(robot):
    legs = ArticulatedLegs(robot)
    joints = np.zeros((721, 721, 3))
    for axis in (1, 2):
        shape = [1, 1]
        shape[axis - 1] = 721
        joints[..., axis] = np.linspace(legs.low[0, axis], legs.high[0, axis], 721).reshape(shape)
    leg = robot.legs[0]
    lift, shank = joints[..., 1], joints[..., 1] + joints[..., 2]
    r = leg.coxa + leg.femur * np.cos(lift) + leg.tibia * np.cos(shank)
    h = leg.femur * np.sin(lift) + leg.tibia * np.sin(shank)
    d = np.hypot(r - leg.coxa, h)
    found = (r.min(), r.max(), h.min(), h.max(), d.min(), d.max())
    assert extremes(leg) == pytest.approx(found, abs=1e-3 * leg.tibia)


def test_knee_up_is_the_first_solution():
    rng = np.random.default_rng(1)
    reach, height = rng.uniform(0.0, 1.8, 5000), rng.uniform(-1.6, 1.6, 5000)
    feet = np.zeros((5000, 6, 3))
    feet[:, 0] = np.transpose((LEG.mount[0] + reach, 0.0 * reach, height))
    admissible = ArticulatedLegs(AQUAROBOT).solutions(feet).admissible[:, 0, 0]
    assert (knee_up(LEG, reach, height) == admissible).all()
    assert 0.2 < admissible.mean() < 0.8


@pytest.mark.parametrize('robot', ROBOTS, ids=lambda robot: robot.name)
def test_every_point_of_a_volume_is_reached_with_the_knee_up(robot):
    legs, rng = ArticulatedLegs(robot), np.random.default_rng(2)
    for number in (1, 4, 5):
        made = leg_volume(robot, number)
        volume = WorkingVolume(made)
        assert volume.contains(robot.neutral_feet[number - 1])
        mount = np.array(robot.legs[number - 1].mount)
        points = mount + rng.uniform(-1.2, 1.2, (60_000, 3)) * extremes(robot.legs[0]).outer
        inside = ((points @ volume.normals.T + volume.offsets) < 0.0).all(axis=1)
        assert inside.sum() > 200
        out = np.linalg.norm((points[inside] - mount)[:, :2], axis=1)
        assert made.reach[0] < out.min() and out.max() < made.reach[1]
        feet = np.tile(robot.neutral_feet, (inside.sum(), 1, 1))
        feet[:, number - 1] = points[inside]
        assert legs.solutions(feet).admissible[:, number - 1, 0].all()


def test_a_volume_gives_the_time_until_a_foothold_leaves_it():
    made = leg_volume(AQUAROBOT, 1)
    foot = AQUAROBOT.neutral_feet[0]
    ahead = WorkingVolume(made).kinematic_margin(foot, Rates(vx=0.01), ASV.kinematic_margin)
    assert ahead == pytest.approx((foot[0] - LEG.mount[0] - made.reach[0]) / 0.01, rel=1e-9)
    assert len(made.volume) == 5 + FACETS


@pytest.mark.parametrize(
    ('stance', 'sentence'),
    [
        (Stance(0.3, 0.4), 'leg 1 lies on or past a joint limit'),
        (((0.0, 1.0, -0.7),) * 6, 'past the range of the yaw joint; place it'),
    ],
)
def test_a_foot_out_of_reach_has_no_volume(stance, sentence):
    with pytest.raises(ValueError, match=sentence):
        leg_volume(replace(AQUAROBOT, stance=stance), 1)
