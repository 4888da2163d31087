"""Legs go over what wheels go round, from the same goal (mdle.md §5.1, "other robots")."""

from pathlib import Path

import pytest

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.analysis.checker import check
from walking_robots.mdle.knowledge.library import standard_library
from walking_robots.mdle.language.parser import parse_text
from walking_robots.trials.common.legged_robot import LeggedRobot
from walking_robots.trials.mdle.known_world import plan_in
from walking_robots.trials.mdle.planned import PlannedRun, world_trial
from walking_robots.trials.mdle.trial import MdleTrial
from walking_robots.trials.planned_walk import walk_to
from walking_robots.trials.program_robots import program_robot
from walking_robots.worlds.files import load_world

WORLD = str(Path(__file__).resolve().parents[2] / 'config/worlds/step_room.yaml')
GOAL = Pose2(3.8, 1.35)


@pytest.mark.parametrize(('robot', 'gait'), [('insect18', ''), ('rectangular', 'ripple')])
def test_legs_go_over_the_step(robot: str, gait: str) -> None:
    found = walk_to(MdleTrial('', robot=robot, gait=gait, world=WORLD, limit=300.0), GOAL)
    assert found.reached and not found.fast_contacts, found
    assert found.path_m < 2.7


def test_legs_go_aside_where_that_is_quicker() -> None:
    """In 13.4 s by turns and straights alone."""
    trial = MdleTrial('', robot='insect18', world=WORLD, limit=300.0)
    found = walk_to(trial, Pose2(1.5, 2.0))
    assert found.reached and found.time_s < 11.0


def test_the_program_goes_aside_on_body3() -> None:
    trial = MdleTrial('', robot='insect18', world=WORLD)
    robot = program_robot(trial)
    assert isinstance(robot, LeggedRobot) and robot.walls is not None
    goal = Pose2(1.5, 2.0)
    way = plan_in(robot.walls, robot.walls.start, goal, spec=robot.spec, radius=robot.radius)
    source = way.program.source
    assert 'import std.body3 as body3;' in source and 'body3.sidestep(' in source
    report = check(parse_text(source), standard_library(), robot.spec)
    assert report.ok, report.diagnostics


def test_wheels_go_round_it() -> None:
    found = PlannedRun(world_trial(load_world(WORLD), GOAL, 0, limit=300.0)).run()
    assert found.reached and not found.fast_contacts, found
    assert found.path_m > 4.8


def test_a_goal_behind_walls_is_said_to_be_unreachable() -> None:
    trial = MdleTrial('', robot='insect18', world=WORLD, limit=300.0)
    found = walk_to(trial, Pose2(2.5, 0.3))
    assert (found.reached, found.said_unreachable, found.reachable) == (False, True, False)
