"""The estimate of a pose, against the truth."""

import math

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


def drive(seed):
    """Drive some legs; return the estimate, and the true pose in its frame."""
    simulator = Simulator(FIELD, seed)
    robot, truth = connect(simulator, 'anna'), simulator.world.robots['anna']
    x, y, heading = truth.x, truth.y, truth.heading
    reckoning = DeadReckoning(robot)

    async def wander():
        await robot.set_speed(0.5)
        for turn in (0.4, 1.2, -2.0, 0.7, -0.3):
            await robot.turn(turn)
            reckoning.settle()
            await robot.go_forward(30)
            reckoning.settle()

    task = Task(wander())
    while not task.done:
        simulator.tick()
    dx, dy = truth.x - x, truth.y - y
    cos, sin = math.cos(heading), math.sin(heading)
    pose = (cos * dx + sin * dy, cos * dy - sin * dx, truth.heading - heading)
    return reckoning, np.array(pose)


def test_the_true_pose_is_as_near_as_the_covariance_says():
    distances = []
    for seed in range(60):
        reckoning, pose = drive(seed)
        at, heading, covariance = reckoning.pose()
        error = pose - (at.x, at.y, heading)
        distances.append(float(error @ np.linalg.solve(covariance, error)))
    # 7.81 holds 95 % of a chi-squared distribution with three degrees of freedom; sums of
    # intervals are wider than the errors, but not so wide that they say nothing.
    assert np.mean(np.array(distances) < 7.81) >= 0.95
    assert np.median(distances) > 0.02


def test_corrections_are_taken_for_exact():
    reckoning, _ = drive(1)
    before = reckoning.settle()
    reckoning.correct_heading(0.1)
    reckoning.correct_position(Point(3.0, 4.0), math.pi / 2)
    at, heading, covariance = reckoning.pose()
    assert (at, heading) == (Point(3.0, 4.0), 0.1)
    assert covariance[2, 2] == 0.0 and covariance[1, 1] == pytest.approx(0.0, abs=1e-12)
    assert covariance[0, 0] == pytest.approx(before.covariance[0, 0])
