"""What the free gait knows of hexapods on articulated legs."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from walking_robots.gaits.free.articulated_model import find_free_gait_model, free_gait_model
from walking_robots.gaits.free.asv_scaling import (
    ASV_FIRMNESS,
    FORWARD,
    LATERAL,
    LIFT_OF_ROOM,
    STEADY,
    transfer_time,
)
from walking_robots.legs.kinematics import leg_kinematics
from walking_robots.legs.working_volume import WorkingVolume
from walking_robots.robots.articulated import Stance
from walking_robots.robots.asv import ASV, ft
from walking_robots.robots.hexapod_files import load_hexapod

FOLDER = Path(__file__).resolve().parents[3] / 'config' / 'robots'
ROBOTS = {path.stem: load_hexapod(path) for path in sorted(FOLDER.glob('*.yaml'))}
MODELS = {name: free_gait_model(robot) for name, robot in ROBOTS.items()}
each = pytest.mark.parametrize('name', ROBOTS)


def test_the_shares_are_those_of_the_asv():
    assert transfer_time(ASV.timing) == pytest.approx(3.0)
    # 1 ft/s on 7 ft of way, 0.5 ft/s on 3.93 ft; margins of asv.md §19.1 A4.
    assert pytest.approx(3.0 / 7.0) == FORWARD
    assert pytest.approx(0.5 * 3.0 / 3.9306, rel=1e-4) == LATERAL
    assert pytest.approx(1.4 / (5.4 - 3.316)) == LIFT_OF_ROOM
    assert pytest.approx(ft(1.9206), rel=1e-4) == ASV_FIRMNESS


def volumes(name):
    return [WorkingVolume(leg) for leg in MODELS[name].legs]


def inside(volume, points):
    return (points @ volume.normals.T + volume.offsets < 0.0).all(axis=1)


@each
def test_legs_reach_all_of_their_volumes_and_no_two_feet_meet(name):
    robot, model = ROBOTS[name], MODELS[name]
    legs, rng = leg_kinematics(model), np.random.default_rng(7)
    size = 2.0 * max(abs(part) for leg in model.legs for place in leg.template for part in place)
    cloud = rng.uniform((-size, -size, -2.0 * robot.height), (size, size, 0.0), (60000, 3))
    parts = [cloud[inside(volume, cloud)] for volume in volumes(name)]
    count = min(map(len, parts))
    assert count > 20
    for k in range(count):
        feet = np.array([part[k] for part in parts])
        assert legs.forward(legs.inverse(feet)) == pytest.approx(feet, abs=1e-9)
    for k, one in enumerate(parts):
        for other in parts[:k]:
            apart = np.linalg.norm(one[:400, None, :2] - other[None, :400, :2], axis=-1)
            assert apart.min() >= 2.0 * robot.foot_radius


@each
def test_places_lie_on_cells_about_the_neutral_foot_front_to_rear(name):
    robot, model = ROBOTS[name], MODELS[name]
    for leg, volume in zip(model.legs, volumes(name), strict=True):
        x, y, z = robot.neutral_feet[leg.number - 1]
        assert (x, y) in [pytest.approx(place) for place in leg.template]
        assert all(volume.contains((*place, z)) for place in leg.template)
        cells = (np.array(leg.template) - (x, y)) / robot.cell
        assert np.abs(cells - np.round(cells)).max() < 1e-6
        along = [place[0] for place in leg.template]
        assert along == sorted(along, reverse=True)
        assert volume.contains(leg.start_foot) and volume.contains(leg.ready_foot)


@each
def test_lengths_are_scaled_and_times_stay(name):
    model = MODELS[name]
    assert model.stability.plan / model.stability.lift == pytest.approx(2.0)
    assert model.kinematic_margin.present_limit == 0.5 and model.timing.dt == 0.1
    assert model.stability.push_speed == pytest.approx(model.command.forward)
    assert model.horizon == (1, model.timing.advance, model.timing.advance + model.timing.descent)
    assert model.kinematic_margin.accept == pytest.approx(0.1 * model.timing.descent)
    assert 0.0 < model.posture.height_min < model.posture.height_max == ROBOTS[name].height
    # What the ASV may do at most is twice what is steady.
    assert ASV.command.forward * STEADY == pytest.approx(ft(1.0))


def test_slow_joints_take_more_time_and_fast_ones_no_less_than_the_asv():
    assert MODELS['insect18'].timing.advance == ASV.timing.advance
    slow = free_gait_model(replace(ROBOTS['insect18'], joint_speed=0.5))
    assert slow.timing.advance > 2 * ASV.timing.advance
    assert slow.command.forward < MODELS['insect18'].command.forward


def test_start_feet_alternate_round_the_body():
    starts = {
        name: [leg.number for leg in model.legs if leg.starts_supporting]
        for name, model in MODELS.items()
    }
    assert starts.pop('aquarobot') == [1, 3, 5]
    assert starts == {name: [1, 4, 5] for name in ('insect18', 'phantomx', 'rectangular')}


def test_a_robot_is_found_by_its_name():
    assert find_free_gait_model('asv') is ASV
    assert find_free_gait_model('aquarobot') == MODELS['aquarobot']
    with pytest.raises(ValueError, match="no robot 'spider'"):
        find_free_gait_model('spider')


@pytest.mark.parametrize(
    ('changes', 'words'),
    [
        ({'cell': 0.2}, r'cells are 0\.2 m; give cells of 0\.0\d+ m or less'),
        ({'cell': 1e-4}, 'too fine for the legs of insect18'),
        ({'joint_speed': 0.01}, 'too slow for the free gait'),
        ({'foot_radius': 0.2}, 'less than the width of a foot'),
        ({'stance': Stance(0.3, 0.145)}, 'past a joint limit'),
    ],
)
def test_what_cannot_walk_so_is_reported_why(changes, words):
    with pytest.raises(ValueError, match=words):
        free_gait_model(replace(ROBOTS['insect18'], **changes))


def test_a_robot_without_a_sequence_never_enters_one():
    assert MODELS['aquarobot'].ditch.min_width == math.inf
