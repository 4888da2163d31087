"""Slopes of 20 degrees in any direction, by every gait at full speed."""

import math
from dataclasses import replace

import pytest

from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.terrain.generator import build
from walking_robots.terrain.relief import Slope
from walking_robots.trials.hexapod.periodic import HexapodTrial, run

SIDE = 200
STEEP = math.radians(20.0)


def slope(direction: float) -> Slope:
    """Return a slope of 20 degrees that rises towards a direction, in degrees."""
    return Slope(STEEP, math.radians(direction))


@pytest.mark.slow
@pytest.mark.parametrize('gait', ['tripod', 'ripple', 'wave'])
@pytest.mark.parametrize('name', ['insect18', 'aquarobot', 'rectangular'])
def test_periodic_gaits_walk_on_slopes_in_any_direction(name, gait, acceptance):
    robot = find_hexapod(name)
    cell = 0.2 * robot.height
    for direction in range(0, 360, 5) if acceptance else (155.0, 335.0):
        terrain = build(SIDE, SIDE, cell, relief=[slope(direction)])
        settings = HexapodTrial(robot, gait, speed=10.0, terrain=terrain, start=0.5 * SIDE * cell)
        plan = settings.plan()
        place: list[tuple[float, ...]] = []
        found = run(
            replace(settings, time=4.0 * plan.period),
            watch=lambda step, _, place=place: place.append(step.after.position[:2]),
        )
        assert found.completed and found.max_drift_m < 1e-9
        assert found.min_static_margin_m > plan.least_margin
        assert found.max_joint_effort < 1.02
        # The robot begins square to the slope and brings its weight over its feet first.
        half = len(place) // 2
        speed = math.dist(place[-1], place[half]) / ((len(place) - 1 - half) * settings.step)
        assert speed > 0.98 * found.limit_m_s
