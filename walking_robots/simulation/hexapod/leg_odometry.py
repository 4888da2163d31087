"""Odometry by legs and an inertial measurement unit, which drifts."""

import math

import numpy as np

from walking_robots.geometry.pose import Quaternion, Vector, from_quaternion
from walking_robots.simulation.hexapod.simulated import HexapodState

GYRO_DRIFT = math.radians(1.0) / 60.0
"""Standard deviation of the rate, rad/s, at which the measured heading drifts: guessed."""


class LegOdometry:
    """Follows where a robot believes to be.

    Roll and pitch are measured without error; the heading drifts at a rate of the seed, the
    ``bias``, rad/s. The body goes as the feet that stand move below it: a slip is an error.
    """

    def __init__(self, state: HexapodState, dt: float, seed: int) -> None:
        """Begin where the robot is; dt: time of a step, s."""
        self.bias = GYRO_DRIFT * float(np.random.default_rng(seed).standard_normal())
        self._dt = dt
        self.reset(state)

    def reset(self, state: HexapodState) -> None:
        """Forget the way so far."""
        self._turned = 0.0
        self._true = self.measured = state

    def add(self, state: HexapodState) -> None:
        """Take in the state a step later."""
        before, last = self._true, self.measured
        self._turned += self.bias * self._dt
        quaternion = _turned(state.quaternion, self._turned)
        old, new = last.pose, from_quaternion((0.0, 0.0, 0.0), quaternion)
        stands = [
            leg for leg in range(len(state.feet)) if before.contacts[leg] and state.contacts[leg]
        ]
        position: Vector = last.position
        if stands:
            places = [(old.apply(before.feet[leg]), new.apply(state.feet[leg])) for leg in stands]
            x, y, z = (
                sum(was[axis] - now[axis] for was, now in places) / len(places)
                for axis in range(3)
            )
            position = (x, y, z)
        self._true = state
        self.measured = state._replace(position=position, quaternion=quaternion)


def _turned(quaternion: Quaternion, angle: float) -> Quaternion:
    """Return an orientation turned to the left, rad, about the vertical."""
    w, x, y, z = quaternion
    cos, sin = math.cos(0.5 * angle), math.sin(0.5 * angle)
    return (cos * w - sin * z, cos * x - sin * y, cos * y + sin * x, cos * z + sin * w)
