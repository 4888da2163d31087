"""The estimate of a pose, against the truth."""

import math
from random import Random

import numpy as np
import pytest

from walking_robots.ars_magna.agent.dead_reckoning import DeadReckoning
from walking_robots.ars_magna.agent.futures import Task
from walking_robots.ars_magna.design.files import parse_design
from walking_robots.ars_magna.geometry.point import Point
from walking_robots.ars_magna.simulation.local import connect
from walking_robots.ars_magna.simulation.simulator import Simulator

FIELD = parse_design(
    """
ars_schema: 1
world: {name: field, size: [200, 200]}
robots: [{name: anna, at: [100, 100], angle: 0.5}]
""",
    'field',
)


def drive(seed, mode='random', commands=10, ticks=30):
    """Carry out commands, each of some ticks at most; return the estimate, and the true pose."""
    simulator, chance = Simulator(FIELD, seed), Random(seed)
    world = simulator.world
    world.parameters = world.parameters.with_values(odometry_interval_mode=mode)
    robot, truth = connect(simulator, 'anna'), world.robots['anna']
    x, y, heading = truth.x, truth.y, truth.heading
    reckoning = DeadReckoning(robot)

    async def wander():
        for _ in range(commands // 2):
            await robot.set_speed(chance.choice((0.2, 0.5, 1.0)))
            await robot.turn(chance.uniform(-2.0, 2.0))
            await robot.go_forward(chance.randint(1, ticks))

    task = Task(wander())
    while not task.done:
        simulator.skip(1000)
    dx, dy = truth.x - x, truth.y - y
    cos, sin = math.cos(heading), math.sin(heading)
    pose = (cos * dx + sin * dy, cos * dy - sin * dx, truth.heading - heading)
    return reckoning, np.array(pose)


@pytest.mark.parametrize(
    ('mode', 'commands', 'ticks'), [('random', 12, 30), ('random', 100, 3), ('sound', 60, 3)]
)
def test_the_true_pose_is_as_near_as_the_covariance_says(mode, commands, ticks):
    distances = []
    for seed in range(9000, 9200):
        reckoning, pose = drive(seed, mode, commands, ticks)
        at, heading, covariance = reckoning.pose()
        error = pose - (at.x, at.y, heading)
        distances.append(float(error @ np.linalg.solve(covariance, error)))
    # A chi-squared distribution with three degrees of freedom has the mean 3, and 95 % of it below
    # 7.81. Of 200, the mean is within 3 +- 0.45, and the share within 95 +- 4 %, in 99 % of all
    # cases. Turns end with a shorter tick, which is less wrong than it is taken to be.
    assert 2.4 < np.mean(distances) < 3.45
    assert 0.91 <= np.mean(np.array(distances) < 7.81) <= 0.99


def test_corrections_are_taken_for_exact():
    reckoning, _ = drive(1)
    before = reckoning.settle()
    reckoning.correct_heading(0.1)
    reckoning.correct_position(Point(3.0, 4.0), math.pi / 2)
    at, heading, covariance = reckoning.pose()
    assert (at, heading) == (Point(3.0, 4.0), 0.1)
    assert covariance[2, 2] == 0.0 and covariance[1, 1] == pytest.approx(0.0, abs=1e-12)
    assert covariance[0, 0] == pytest.approx(before.covariance[0, 0])
