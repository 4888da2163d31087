"""Body steps and prediction: A9 of asv.md §19.1."""

import math

import pytest

from walking_robots.body.motion import BodyController, BodyMotion
from walking_robots.body.regulators import commanded_posture
from walking_robots.geometry.plane import LEVEL
from walking_robots.geometry.pose import Pose, Rates, advance
from walking_robots.robots.asv import ASV, ft

CONTROLLER = BodyController(ASV)
START = BodyMotion(Pose((0.0, 0.0, ft(5.4))), Rates(vx=ft(1)))


def test_a9_horizons_at_constant_speed():
    outlook = CONTROLLER.outlook(START, (ft(1), 0.0, 0.0), 0, LEVEL)
    assert outlook.present.pose.position[0] / ft(1) == pytest.approx(0.1)
    assert outlook.foothold.pose.position[0] / ft(1) == pytest.approx(0.6)
    assert outlook.plan.pose.position[0] / ft(1) == pytest.approx(1.0)


def test_a9_one_update_survives():
    command = (ft(0.7), ft(0.2), 0.05)
    outlook = CONTROLLER.outlook(START, command, 1, LEVEL)
    assert outlook.present == CONTROLLER.step(START, command, 1, LEVEL)


def test_a_stopped_body_rests_where_it_was_predicted():
    motion = START
    rest = CONTROLLER.rest(motion, LEVEL)
    while not motion.rates.at_rest:
        motion = CONTROLLER.step(motion, (0.0, 0.0, 0.0), 0, LEVEL)
    assert rest == motion.pose
    assert rest.position[0] / ft(1) == pytest.approx(0.4, abs=0.02)


def test_a_body_takes_a_commanded_posture_and_keeps_its_height_on_its_way():
    pitch, height = math.radians(10.0), ft(4.0)
    posture = commanded_posture(LEVEL, 0.0, pitch, height)
    motion = BodyMotion(Pose((0.0, 0.0, ft(5.4))))
    for count in range(200):
        speed = ft(0.4) if count >= 100 else 0.0
        motion = CONTROLLER.outlook(motion, (speed, 0.0, 0.0), 0, LEVEL, posture).present
        if count >= 100:
            assert motion.pose.position[2] == pytest.approx(height, abs=1e-3)
            assert motion.pose.pitch() == pytest.approx(pitch, abs=1e-3)
    assert motion.pose.position[0] > ft(3.0)


def test_def_10_the_third_column_leaves_the_rotation():
    pose, rates = Pose((0.0, 0.0, 0.0)), Rates(wx=0.1, wy=0.08, wz=0.1)
    kept = repaired = pose
    for _ in range(400):
        kept = advance(kept, rates, 0.1, renew_third_column=False)
        repaired = advance(repaired, rates, 0.1)
    length = [sum(rotation[i] ** 2 for i in (2, 5, 8)) for rotation in (kept[1], repaired[1])]
    assert abs(length[0] - 1.0) > 1e-4
    assert length[1] == pytest.approx(1.0, abs=1e-12)
