"""Estimate where a robot is by its odometer, and how far that may be off."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.ars_magna.agent.messages import DONE, CommandReport
from walking_robots.ars_magna.agent.robot import Robot
from walking_robots.ars_magna.commands import COMMANDS
from walking_robots.ars_magna.geometry.point import Point

Floats = NDArray[np.float64]


class PoseEstimate(NamedTuple):
    """A pose: position, cells, heading, rad, clockwise, covariance of x, y and heading, (3, 3).

    The frame is that of the pose in which the estimate began: x along the heading there, y to the
    right.
    """

    at: Point
    heading: float
    covariance: Floats


class DeadReckoning:
    """A pose by a separate odometer, and the sum of the errors that single ticks make.

    Each command of the robot is taken for a turn and then a straight way, and those of ticks are
    independent. The share of a tick's variance is by the interval's form (ars_magna.md §7.5): if
    random, its middle is off by half the difference of two numbers uniform in 0 ... slack, and if
    sound, by a number uniform in -slack ... slack.
    """

    def __init__(self, robot: Robot, name: str = 'dead_reckoning') -> None:
        """Begin here; name: of the odometer."""
        self._robot, self._odometer = robot, robot.new_odometer(name)
        parameters = robot.sensor_model().parameters
        share = 1.0 / 24.0 if parameters.odometry_interval_mode == 'random' else 1.0 / 3.0
        self._way_variance = share * parameters.motion_noise**2
        self._turn_variance = share * parameters.robot_turn_max_error**2
        self._last = PoseEstimate(Point(0.0, 0.0), 0.0, np.zeros((3, 3)))
        robot.listeners.append(self._hear)

    def _hear(self, report: CommandReport) -> None:
        """Take the pose where a motion has ended for the start of what comes."""
        info = COMMANDS[report.command]
        if report.kind == DONE and info.part == 'robot' and not info.senses:
            self.settle()

    def position(self) -> tuple[Point, float]:
        """Return the estimated position and heading by now."""
        step, turned = self._odometer.position().nominal, self._odometer.angle().nominal
        at, heading, _ = self._last
        cos, sin = math.cos(heading), math.sin(heading)
        moved = Point(cos * step.x - sin * step.y, sin * step.x + cos * step.y)
        return at + moved, heading + turned

    def pose(self) -> PoseEstimate:
        """Return the estimated pose by now, with its covariance (first order)."""
        at, heading = self.position()
        before = self._last
        if at == before.at and heading == before.heading:
            return before
        moved, turned = at - before.at, abs(heading - before.heading)
        way = math.hypot(moved.x, moved.y)
        effect = np.array([[1.0, 0.0, -moved.y], [0.0, 1.0, moved.x], [0.0, 0.0, 1.0]])
        covariance = effect @ before.covariance @ effect.T
        # An error of the turn leads aside on all of the way, and one of the way along it. Of n
        # ticks with a step s each, the variance is n s^2 = (n s) s times that of a unit.
        turn = effect[:, 2]
        covariance += self._turn_variance * turned * self._robot.turn_angle * np.outer(turn, turn)
        if way > 0.0:
            along = np.array([moved.x / way, moved.y / way, 0.0])
            covariance += self._way_variance * way * self._robot.speed * np.outer(along, along)
        return PoseEstimate(at, heading, covariance)

    def settle(self) -> PoseEstimate:
        """Take the pose by now for the start of what comes, and return it."""
        self._last = self.pose()
        self._odometer.reset()
        return self._last

    def correct_heading(self, heading: float) -> None:
        """Take a heading for exact."""
        at, _, covariance = self.settle()
        known = np.diag([1.0, 1.0, 0.0])
        self._last = PoseEstimate(at, heading, known @ covariance @ known)

    def correct_position(self, at: Point, along: float) -> None:
        """Take a position for exact in one direction, rad, and keep what is known across."""
        _, heading, covariance = self.settle()
        axis = np.array([math.cos(along), math.sin(along), 0.0])
        across = np.eye(3) - np.outer(axis, axis)
        self._last = PoseEstimate(at, heading, across @ covariance @ across)
