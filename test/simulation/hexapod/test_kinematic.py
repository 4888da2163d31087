"""The kinematic backend: the body goes where its standing feet carry it."""

import math

import numpy as np
import pytest

from walking_robots.geometry.pose import Rates, advance
from walking_robots.legs.kinematics import leg_kinematics
from walking_robots.robots.asv import ASV, ft
from walking_robots.simulation.hexapod.kinematic import KinematicHexapod
from walking_robots.terrain.generator import build

LEGS = leg_kinematics(ASV)


def drive(backend: KinematicHexapod, feet: np.ndarray):
    return backend.step(LEGS.inverse(feet))


def test_the_start_posture():
    state = KinematicHexapod(ASV, build()).state
    assert state.position == ASV.start_position
    assert state.contacts == (True, False, False, True, True, False)


def test_the_body_goes_against_the_feet():
    backend = KinematicHexapod(ASV, build())
    pose = backend.state.pose
    moved = advance(pose, Rates(vx=0.2, vy=-0.1, vz=0.02, wz=0.1), 0.1)
    standing = [0, 3, 4]
    feet = np.array(backend.state.feet)
    for leg in standing:
        feet[leg] = moved.to_body(pose.apply(tuple(feet[leg].tolist())))
    state = drive(backend, feet)
    assert state.position == pytest.approx(moved.position, abs=1e-12)
    assert state.pose.yaw() == pytest.approx(moved.yaw(), abs=1e-12)


def test_lifted_feet_let_go_and_the_body_rests_on_the_others():
    backend = KinematicHexapod(ASV, build())
    feet = np.array([leg.start_foot for leg in ASV.legs])
    drive(backend, feet)
    assert backend.state.contacts == (True,) * 6
    for leg in (2, 5, 1):
        feet[leg, 2] += ft(0.35)
        state = drive(backend, feet)
        assert state.position == pytest.approx(ASV.start_position, abs=1e-9), f'leg {leg + 1}'
        assert not state.contacts[leg]


def test_a_body_whose_support_is_lifted_tips_over():
    backend = KinematicHexapod(ASV, build())
    feet = np.array([leg.start_foot for leg in ASV.legs])
    drive(backend, feet)
    feet[[0, 1], 2] += ft(0.35)
    feet[[2, 3], 2] += ft(0.2)
    state = drive(backend, feet)
    assert state.pose.pitch() > 0.01, 'the nose drops toward the lifted front'


def test_with_fewer_than_three_feet_the_body_keeps_its_pose():
    backend = KinematicHexapod(ASV, build())
    backend.state = backend.state._replace(contacts=(True, True, False, False, False, False))
    feet = np.array(backend.state.feet)
    feet[:, 0] += 0.1
    assert drive(backend, feet).position == ASV.start_position
    assert backend.reset().position == ASV.start_position


def test_a_robot_starts_on_a_slope_with_its_feet_on_the_ground():
    terrain = build(profile=((ft(1), 0.0), (ft(16), ft(2))))
    backend = KinematicHexapod(ASV, terrain)
    pose = backend.state.pose
    for leg, foot in enumerate(backend.state.feet):
        if backend.state.contacts[leg]:
            x, _, z = pose.apply(foot)
            assert z == pytest.approx(terrain.height(x, 0.0), abs=1e-9)
    assert sum(backend.state.contacts) >= 3
    assert math.isfinite(pose.position[2])
