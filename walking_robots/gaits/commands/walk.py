"""A walk: a velocity for a distance, for a time, or to a pose, until the body rests again."""

import math
from dataclasses import dataclass

from walking_robots.body.motion import Command
from walking_robots.gaits.commands.stall_detector import StallDetector
from walking_robots.gaits.commands.steering import Mobility, Target, heading_error, steer
from walking_robots.gaits.gait_step import GaitStep
from walking_robots.geometry.pose import Pose

LEAST_TOLERANCE = 0.02
"""Greatest distance of a walk, m."""

HEADING_TOLERANCE = 0.05
"""Largest heading error, rad, at a target."""

REST: Command = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class WalkGoal:
    """A goal: velocity (vx, vy, wz), m/s and rad/s, and the condition that ends the walk.

    ``distance`` (m along the path) and ``max_time`` (s) of zero are no limit; ``target`` is
    (x, y, heading), m and rad in the odometry frame, reached within ``tolerance`` m.
    """

    velocity: Command
    distance: float = 0.0
    target: Target | None = None
    tolerance: float = 0.05
    max_time: float = 0.0

    def fault(self) -> str:
        """Say in words what cannot be done; empty when all is well."""
        numbers = (*self.velocity, self.distance, self.tolerance, self.max_time)
        if not all(map(math.isfinite, (*numbers, *(self.target or ())))):
            return 'a number of the goal is not finite'
        if self.distance < 0.0 or self.tolerance < 0.0 or self.max_time < 0.0:
            return 'distance, tolerance and time must not be negative'
        if not any(self.velocity):
            return 'the velocity is zero'
        return ''


class Walk:
    """Commands a walk step by step and determines how it ends.

    ``ending`` is why the walk stops, empty while it goes on; ``ended`` says that the body
    rests and the walk is over.
    """

    def __init__(self, goal: WalkGoal, mobility: Mobility) -> None:
        """Begin a walk."""
        self.goal = goal
        self.ending = ''
        self.ended = False
        self.distance = 0.0
        self.steps = 0
        self.min_margin = math.inf
        self.remaining = math.nan
        self._mobility = mobility
        self._position: tuple[float, float] | None = None
        self._stillness = StallDetector(round(mobility.halt_time / mobility.dt))
        self._stopping = 0

    @property
    def duration(self) -> float:
        """Return the walk's own time, s."""
        return self.steps * self._mobility.dt

    def command(self, pose: Pose) -> Command:
        """Return the command of the next step for a body at ``pose``."""
        if self._position is None:
            self._position = (pose.position[0], pose.position[1])
        if self.ending:
            return REST
        if self.goal.target is None:
            return self.goal.velocity
        vx, vy, wz = self.goal.velocity
        turn = abs(wz) or 0.5 * self._mobility.limits.turn
        return steer(pose, self.goal.target, math.hypot(vx, vy), turn, self._mobility.lowest)

    def stop(self, reason: str) -> None:
        """Bring the body to rest, then end for ``reason``."""
        self.ending = self.ending or reason

    def add(self, gait: GaitStep) -> None:
        """Take in what came of a step."""
        x, y, _ = gait.motion.pose.position
        if self._position is not None:
            self.distance += math.hypot(x - self._position[0], y - self._position[1])
        self._position = (x, y)
        self.steps += 1
        self.min_margin = min(self.min_margin, gait.margin)
        self._measure(gait.motion.pose)
        halted = self._stillness.add(gait)
        if self.ending:
            self._stopping += 1
            waited = self._stopping * self._mobility.dt >= self._mobility.rest_time - 1e-9
            self.ended = gait.motion.rates.at_rest or waited
        elif self._reached(gait):
            self.ending = 'reached'
        elif halted:
            self.ending = 'unstable' if gait.margin < 0.0 else 'halted'
        elif self.goal.max_time and self.duration >= self.goal.max_time - 1e-9:
            self.ending = 'timeout'

    def _measure(self, pose: Pose) -> None:
        if self.goal.target is not None:
            self.remaining = math.dist(pose.position[:2], self.goal.target[:2])
        elif self.goal.distance:
            self.remaining = max(self.goal.distance - self.distance, 0.0)

    def _reached(self, gait: GaitStep) -> bool:
        if self.goal.target is not None:
            error = heading_error(gait.motion.pose, self.goal.target[2])
            return (
                self.remaining <= max(self.goal.tolerance, LEAST_TOLERANCE)
                and abs(error) <= HEADING_TOLERANCE
            )
        rates = gait.motion.rates
        coast = self._mobility.coasting(math.hypot(rates.vx, rates.vy))
        return bool(self.goal.distance) and self.distance + coast >= self.goal.distance
