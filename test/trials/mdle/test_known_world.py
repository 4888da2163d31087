"""Programs for ways in known worlds: checked, and executed as predicted (AC-48)."""

import math

import pytest

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.knowledge.library import standard_library
from walking_robots.mdle.program_store import parse_program
from walking_robots.mdle.runtime.settings import ExecutorSettings
from walking_robots.mdle.session import check_program
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.simulation.planar.kinematic import KinematicRobot
from walking_robots.trials.mdle.known_world import plan_in
from walking_robots.trials.mdle.trial import MdleTrial, run
from walking_robots.virtual_robots.scout import scout_spec
from walking_robots.worlds.random_worlds import random_world

LIBRARY = standard_library()


def reachable_seeds(first: int, count: int) -> list[int]:
    found: list[int] = []
    while len(found) < count:
        if random_world(first, SUPER_SCOUT.radius).reachable:
            found.append(first)
        first += 1
    return found


@pytest.mark.parametrize('seed', reachable_seeds(480, 4))
def test_ac_48_programs_pass_the_check_and_end_where_predicted(seed: int) -> None:
    world = random_world(seed, SUPER_SCOUT.radius)
    goal = Pose2(*world.goal)
    way = plan_in(world.world, world.start, goal)
    program = parse_program(way.program.source, 'mdle', 'plan')
    report = check_program(program, LIBRARY, scout_spec(), '', ExecutorSettings())
    assert report.ok, report.text('plan')
    assert report.bound
    assert report.bound.time <= way.program.bound

    trial = MdleTrial(way.program.source)
    robot = KinematicRobot(scout_spec(), world.start, world=world.world, beam_rays=9)
    result = run(trial, library=LIBRARY, robot=robot)
    assert result.outcome == 'DONE', result.message
    assert robot.true_pose.distance(way.program.end) < 0.05
    assert robot.true_pose.distance(goal) < 0.05


def test_a_heading_at_the_goal_is_reached() -> None:
    world = random_world(reachable_seeds(490, 1)[0], SUPER_SCOUT.radius)
    way = plan_in(world.world, world.start, Pose2(*world.goal, 2.0), heading_matters=True)
    assert math.remainder(way.program.end.heading - 2.0, math.tau) == pytest.approx(0.0, abs=1e-6)


def test_a_goal_that_no_way_leads_to_is_one_sentence() -> None:
    world = random_world(0, SUPER_SCOUT.radius)
    for place, sentence in (
        ((0.0, 0.0), 'the goal lies in a wall'),
        ((30.0, 0.0), 'walls close every way'),
    ):
        with pytest.raises(ValueError, match=sentence):
            plan_in(world.world, world.start, Pose2(*place))
    with pytest.raises(ValueError, match='the start'):
        plan_in(world.world, Pose2(-5.0, 0.0), Pose2(*world.goal))


def test_the_same_world_gives_the_same_program() -> None:
    world = random_world(3, SUPER_SCOUT.radius)
    sources = {
        plan_in(world.world, world.start, Pose2(*world.goal)).program.source for _ in range(2)
    }
    assert len(sources) == 1
