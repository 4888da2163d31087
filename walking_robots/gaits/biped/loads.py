"""What force the body shall feel and what the legs shall push, phase by phase (biped.md §8)."""

import math
from typing import NamedTuple

from walking_robots.gaits.biped.laws import distribute, single_support, vertical_force
from walking_robots.gaits.biped.machine import WalkMoment
from walking_robots.gaits.biped.parameters import WalkParameters
from walking_robots.gaits.biped.servos import within
from walking_robots.gaits.biped.states import BALANCE, DOUBLE, LOWER, WalkPhase
from walking_robots.robots.kwalk import GRAVITY, Kwalk


class Load(NamedTuple):
    """The desired force on the body, forward and upward, and the forces of legs s and w, N."""

    forward: float
    upward: float
    support: float
    other: float


class Loads:
    """Loads the legs of a robot; holds constants, remembers nothing."""

    def __init__(self, robot: Kwalk, parameters: WalkParameters) -> None:
        """Derive masses and damping."""
        self._parameters = parameters
        self._masses = parameters.masses(robot)
        self._damping = parameters.damping(robot).height
        self._shank = robot.shank.mass * GRAVITY
        start = 0.0
        if parameters.ways.start_effort:
            angle, weight = parameters.start_angle, self._masses.double * GRAVITY
            start, _ = distribute(0.0, weight, -angle, angle, parameters.least_push)
        self._start = Load(0.0, 0.0, start, start)

    def load(self, phase: WalkPhase, now: WalkMoment, rising: float) -> Load:
        """Return the forces of a phase; rising: vertical speed of the body, m/s."""
        if phase < BALANCE:
            return self._start
        parameters = self._parameters
        double = phase <= DOUBLE
        upward = vertical_force(
            self._masses.double if double else self._masses.single,
            parameters.height_stiffness,
            self._damping,
            parameters.height - now.height,
            rising,
        )
        least = parameters.least_push
        if not double:
            support = single_support(upward, now.angle_s, least)
            lowers = phase == LOWER
            return Load(
                0.0, upward, support, parameters.lowering_force if lowers else self.shank(now)
            )
        forward = 0.0
        if phase == DOUBLE:
            forward = parameters.speed_gain * (now.desired_speed - now.speed)
            if not now.desired_speed:
                forward += parameters.standing_stiffness * _ahead_of_feet(now)
            forward = within(forward, 0.0, parameters.most_forward or math.inf)
        support, other = distribute(forward, upward, now.angle_s, now.angle_w, least)
        return Load(forward, upward, support, other)

    def shank(self, now: WalkMoment) -> float:
        """Return the force of leg w that holds the weight of its shank, N (§8.4)."""
        return -self._shank * math.cos(now.angle_w)


def _ahead_of_feet(now: WalkMoment) -> float:
    """Return how far the middle between the feet is ahead of the hips, m."""
    return -0.5 * (now.length_s * math.sin(now.angle_s) + now.length_w * math.sin(now.angle_w))
