"""A robot on legs finds its way in a world that is known, by the planner (mdle.md §5.1)."""

import hashlib
import math

import numpy as np

from walking_robots.geometry.se2 import Pose2
from walking_robots.mdle.knowledge.library import standard_library
from walking_robots.mdle.planner.navigator import GOAL_DISTANCE
from walking_robots.mdle.runtime.settings import SECOND, ExecutorSettings
from walking_robots.mdle.session import RunRequest, Session
from walking_robots.trials.common.legged_robot import LeggedRobot
from walking_robots.trials.mdle.known_world import plan_in
from walking_robots.trials.mdle.planned import HARMLESS, REACHED, PlannedResult, world_trial
from walking_robots.trials.mdle.trial import MdleTrial
from walking_robots.trials.program_robots import program_robot


def walk_to(trial: MdleTrial, goal: Pose2) -> PlannedResult:
    """Walk to a goal in the world of a trial, program by program.

    Where a program ends elsewhere, as it does when the body comes to rest late, the next one
    begins from there. Raises ValueError where the robot cannot stand at the start.
    """
    robot = program_robot(trial)
    assert isinstance(robot, LeggedRobot) and robot.walls is not None
    truth = world_trial(robot.walls, goal, trial.seed, robot.radius)
    settings = ExecutorSettings(trial.tick_period)
    session = Session(robot, standard_library(), settings)
    trace, now, path, fast = hashlib.sha256(), 0, 0.0, 0
    said = ''
    robot.read(now)
    while not said and now < trial.limit * SECOND:
        try:
            way = plan_in(robot.walls, robot.true_pose, goal, spec=robot.spec, radius=robot.radius)
        except ValueError:
            said = 'unreachable'
            break
        trace.update(way.program.source.encode())
        handle = session.submit(RunRequest(way.program.source), now)
        refused = handle.result
        if refused is not None:
            raise ValueError(f'the program of the planner is refused: {refused.message}')
        touched = robot.touches
        while handle.result is None:
            before = robot.true_pose
            session.tick(now)
            now += settings.period
            way_of_tick = before.distance(robot.true_pose)
            path += way_of_tick
            speed = way_of_tick / trial.tick_period
            fast += robot.touches and not touched and speed > HARMLESS
            touched = robot.touches
            trace.update(np.array(robot.true_pose).tobytes())
        if robot.true_pose.distance(goal) < GOAL_DISTANCE:
            said = 'reached'
    off = robot.true_pose.distance(goal)
    return PlannedResult(
        truth.reachable,
        said == 'reached' and off <= REACHED,
        said == 'unreachable',
        int(fast),
        0,
        truth.narrowest_m,
        off,
        0.0,
        now / SECOND,
        path,
        truth.best_path_m if math.isfinite(truth.best_path_m) else None,
        trace.hexdigest(),
    )
