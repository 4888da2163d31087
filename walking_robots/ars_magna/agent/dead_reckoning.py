"""Estimate where a robot is by its odometer, and how far that may be off."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.ars_magna.agent.robot import Robot
from walking_robots.ars_magna.geometry.interval import Interval
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
    """A pose by an odometer of its own; errors of an interval are taken to be uniform in it.

    Between two calls of `settle` the robot should go straight or turn on the spot: intervals of
    long curved ways have middles that are off.
    """

    def __init__(self, robot: Robot, name: str = 'dead_reckoning') -> None:
        """Begin here; name: of the odometer."""
        self._odometer = robot.new_odometer(name)
        self._last = PoseEstimate(Point(0.0, 0.0), 0.0, np.zeros((3, 3)))

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
        box, turned = self._odometer.position(), self._odometer.angle()
        before = self._last
        cos, sin = math.cos(before.heading), math.sin(before.heading)
        moved = at - before.at
        effect = np.array([[1.0, 0.0, -moved.y], [0.0, 1.0, moved.x], [0.0, 0.0, 1.0]])
        into_frame = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
        noise = np.diag([_variance(box.x), _variance(box.y), _variance(turned)])
        covariance = effect @ before.covariance @ effect.T + into_frame @ noise @ into_frame.T
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


def _variance(interval: Interval) -> float:
    """Return the variance of a uniform distribution."""
    return interval.width**2 / 12.0
