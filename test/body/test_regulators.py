"""Velocity filter and posture regulation: A6, A7, A8, A18 of asv.md §19.1."""

import math

import pytest

from walking_robots.body.motion import BodyController, BodyMotion
from walking_robots.body.regulators import follow_command, speed_factor
from walking_robots.geometry.plane import Plane
from walking_robots.geometry.pose import Pose, Rates
from walking_robots.robots.asv import ASV, ft


def response(command: float, steps: int, deceleration: int = 0) -> list[float]:
    rates, out = (0.0, 0.0, 0.0), []
    for _ in range(steps):
        rates = follow_command(rates, (ft(command), 0.0, 0.0), deceleration, ASV.velocity, 0.1)
        out.append(rates[0] / ft(1))
    return out


def test_a6_step_response():
    assert response(1.0, 4) == pytest.approx([0.2, 0.36, 0.488, 0.5904])


def test_a6_dead_zone():
    assert response(0.09, 50) == [0.0] * 50
    assert response(0.11, 200)[-1] == pytest.approx(0.11)


def test_a7_acceleration_limit():
    assert response(2.0, 1)[0] == pytest.approx(0.32174)


def test_a8_speed_factors():
    factors = [speed_factor(n, ASV.velocity) for n in (0, 1, 2, 3, 20)]
    assert factors == pytest.approx([1, 0.5, 0.25, 1 / 6, 0.025])


@pytest.mark.parametrize(
    ('slope', 'pitch', 'height'), [(0, 0, 5.4), (15, 12.5, 4.9), (30, 25, 4.4), (40, 25, 4.4)]
)
@pytest.mark.parametrize('tilt', [0.0, 0.3])
def test_a18_posture_over_a_slope(slope, pitch, height, tilt):
    angle = math.radians(slope)
    plane = Plane((-math.sin(angle), 0.0, math.cos(angle)), 0.0)
    tilted = (math.cos(tilt), 0.0, math.sin(tilt), 0.0, 1.0, 0.0, -math.sin(tilt), 0.0)
    motion = BodyMotion(Pose((0.0, 0.0, ft(5.4)), (*tilted, math.cos(tilt))), Rates())
    controller = BodyController(ASV)
    for _ in range(600):
        motion = controller.step(motion, (0.0, 0.0, 0.0), 0, plane)
    # Uphill means nose up, which is a negative turn about the y axis.
    assert math.degrees(motion.pose.pitch()) == pytest.approx(-pitch, abs=0.01)
    assert plane.in_body(motion.pose).offset / ft(1) == pytest.approx(height, abs=1e-3)


def test_def_6_the_original_never_levels_a_tilted_body_on_level_ground():
    tilted = (math.cos(0.1), 0.0, math.sin(0.1), 0.0, 1.0, 0.0, -math.sin(0.1), 0.0, math.cos(0.1))
    level = Plane((0.0, 0.0, 1.0), 0.0)
    for repaired, pitch in ((False, 0.1), (True, 0.0)):
        motion = BodyMotion(Pose((0.0, 0.0, ft(5.4)), tilted))
        controller = BodyController(ASV, level_in_body=repaired)
        for _ in range(300):
            motion = controller.step(motion, (0.0, 0.0, 0.0), 0, level)
        assert motion.pose.pitch() == pytest.approx(pitch, abs=1e-3)
