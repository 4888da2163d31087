"""Ways round ground that is too high to be stepped over."""

import math

import numpy as np
import pytest

from walking_robots.gaits.free.repairs import REPAIRED
from walking_robots.gaits.planned.detour import Detour, too_high
from walking_robots.geometry.pose import Pose, from_quaternion
from walking_robots.robots.asv import ASV, ft
from walking_robots.terrain.cells import TernaryTerrain
from walking_robots.terrain.generator import build
from walking_robots.terrain.relief import Slope, Stairs
from walking_robots.trials.hexapod.loop import ClosedLoop

LIFT = ASV.timing.lift_height
AHEAD = (0.2, 0.0, 0.0)
HERE = Pose((ft(15.0), ft(24.5), ft(5.4)))


def wall(door: slice | None) -> TernaryTerrain:
    """Return level ground with a high wall at 30 ft, and a door in it."""
    heights = np.zeros((50, 50))
    heights[30:33] = 3.0 * LIFT
    if door is not None:
        heights[30:33, door] = 0.0
    return build(heights=heights)


def test_only_abrupt_rises_are_too_high():
    assert too_high(wall(None), LIFT)[29:33].all()
    assert not too_high(wall(None), LIFT)[:26].any()
    for relief in (Slope(math.radians(20.0)), Stairs(ft(20.0), 0.5 * LIFT, ft(4.0), 6)):
        assert not too_high(build(relief=[relief]), LIFT).any()


def test_the_way_leads_through_the_door():
    to_the_left = Detour(ASV).command(HERE, AHEAD, wall(slice(28, 50)), None)
    assert to_the_left is not None
    assert to_the_left[0] > 0.0 and to_the_left[1] > 0.1 and to_the_left[2] == 0.0
    assert math.hypot(*to_the_left) <= 0.2 * (1.0 + 1e-9)


def test_a_turned_body_gets_the_same_way():
    quarter = math.sqrt(0.5)
    turned = from_quaternion(HERE.position, (quarter, 0.0, 0.0, quarter))
    terrain = wall(slice(22, 50))
    found = Detour(ASV).command(turned, (0.0, -0.2, 0.0), terrain, None)
    assert found is not None and found[1] < 0.0 and found[0] > 0.0


@pytest.mark.parametrize('door', [None, slice(20, 26)], ids=['no door', 'a narrow door'])
def test_without_a_way_the_body_rests_and_says_why(door):
    assert Detour(ASV).command(HERE, AHEAD, wall(door), None) is None
    loop = ClosedLoop(ASV, wall(door), REPAIRED, gait='auto')
    for _ in range(5):
        step = loop.step(AHEAD)
    assert step.gait.stop_reason == 'no way round the high ground ahead is known'
    assert step.gait.motion.rates.vx == 0.0


def test_a_goal_before_the_wall_is_approached_straight():
    goal = complex(ft(20.0), ft(24.5))
    found = Detour(ASV).command(HERE, AHEAD, wall(None), goal)
    assert found == pytest.approx(AHEAD, abs=0.02)


def test_a_goal_behind_the_wall_is_reached_through_the_door():
    goal = complex(ft(41.0), ft(15.0))
    found = Detour(ASV).command(HERE, AHEAD, wall(slice(28, 50)), goal)
    assert found is not None and found[1] > 0.1


def test_commands_over_low_ground_and_turns_are_not_changed():
    detour = Detour(ASV)
    turn = (0.1, 0.0, 0.05)
    assert detour.command(HERE, AHEAD, build(relief=[Slope(0.2)]), None) == AHEAD
    assert detour.command(HERE, turn, wall(None), None) == turn
