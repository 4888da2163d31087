"""The kinematic backend of articulated legs."""

import numpy as np
import pytest

from walking_robots.legs.driven import DrivenLegs
from walking_robots.robots.aquarobot import AQUAROBOT
from walking_robots.simulation.hexapod.articulated import KinematicArticulated
from walking_robots.terrain.generator import build
from walking_robots.terrain.level import LevelGround

LEGS = DrivenLegs(AQUAROBOT)


def test_a_robot_stands_on_its_neutral_feet_and_is_put_back_there():
    backend = KinematicArticulated(AQUAROBOT, LevelGround(0.3), x=2.0)
    assert backend.state.position == (2.0, 0.0, pytest.approx(1.05))
    assert backend.state.contacts == (True,) * 6
    feet = np.array(AQUAROBOT.neutral_feet) - (0.1, 0.0, 0.0)
    moved = backend.step(LEGS.inverse(feet))
    assert moved.position == pytest.approx((2.1, 0.0, 1.05), abs=1e-12)
    assert backend.reset().position == (2.0, 0.0, pytest.approx(1.05))


def test_feet_stand_on_a_slope_below_a_level_body():
    terrain = build(cell=0.5, heights=0.05 * np.arange(50))
    state = KinematicArticulated(AQUAROBOT, terrain, x=4.0).state
    assert state.contacts == (True,) * 6
    for foot in state.feet:
        x, _, z = state.pose.apply(foot)
        assert z == pytest.approx(0.1 * x)


def test_a_foot_that_begins_to_rise_does_not_shift_the_others():
    backend = KinematicArticulated(AQUAROBOT, LevelGround())
    feet = np.array(AQUAROBOT.neutral_feet)
    feet[1, 2] += 2e-5
    state = backend.step(LEGS.inverse(feet))
    assert state.position == pytest.approx((0.0, 0.0, 0.75), abs=1e-14)
    assert state.quaternion == pytest.approx((1.0, 0.0, 0.0, 0.0), abs=1e-14)
