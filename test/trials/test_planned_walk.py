"""Legs go over what wheels go round, from the same goal (mdle.md §5.1, "other robots")."""

from pathlib import Path

import pytest

from walking_robots.geometry.se2 import Pose2
from walking_robots.trials.mdle.planned import PlannedRun, world_trial
from walking_robots.trials.mdle.trial import MdleTrial
from walking_robots.trials.planned_walk import walk_to
from walking_robots.worlds.files import load_world

WORLD = str(Path(__file__).resolve().parents[2] / 'config/worlds/step_room.yaml')
GOAL = Pose2(3.8, 1.35)


@pytest.mark.parametrize(('robot', 'gait'), [('insect18', ''), ('rectangular', 'ripple')])
def test_legs_go_over_the_step(robot: str, gait: str) -> None:
    found = walk_to(MdleTrial('', robot=robot, gait=gait, world=WORLD, limit=300.0), GOAL)
    assert found.reached and not found.fast_contacts, found
    assert found.path_m < 2.7


def test_wheels_go_round_it() -> None:
    found = PlannedRun(world_trial(load_world(WORLD), GOAL, 0, limit=300.0)).run()
    assert found.reached and not found.fast_contacts, found
    assert found.path_m > 4.8


def test_a_goal_behind_walls_is_said_to_be_unreachable() -> None:
    trial = MdleTrial('', robot='insect18', world=WORLD, limit=300.0)
    found = walk_to(trial, Pose2(2.5, 0.3))
    assert (found.reached, found.said_unreachable, found.reachable) == (False, True, False)
