"""Where a robot believes to be: where it is, off by a share of its way, or where its legs lead."""

import cmath
import math
import re

import numpy as np

from walking_robots.geometry.pose import Quaternion, Vector, from_quaternion
from walking_robots.simulation.hexapod.simulated import HexapodState

EXACT, LEGS = 'exact', 'legs'
_DRIFT = re.compile(r'drift:(\d{1,2}(?:\.\d{1,9})?)%')

MOST_DRIFT = 0.2
"""Greatest share of the way by which odometry drifts."""

GYRO_DRIFT = math.radians(1.0) / 60.0
"""Standard deviation of the rate, rad/s, at which the measured heading drifts: guessed."""


class Odometry:
    """Follows where a robot believes to be: off by a share of its way, in a direction of the seed.

    The direction is level: a robot whose feet follow its odometry would sink into the ground, or
    rise. ``measured`` is the state with the body where odometry has it; ``bias``, rad/s, what the
    gyroscope adds to the turning of the body.
    """

    bias = 0.0

    def __init__(self, state: HexapodState, share: float, seed: int) -> None:
        """Begin where the robot is; odometry is exact with a share of 0."""
        direction = np.random.default_rng(seed).uniform(0.0, 2.0 * math.pi)
        self._rate = share * cmath.rect(1.0, direction)
        self.reset(state)

    def reset(self, state: HexapodState) -> None:
        """Begin anew where the robot is."""
        self._way = 0.0
        self._true = self.measured = state

    def add(self, state: HexapodState) -> None:
        """Take in the state a step later."""
        self._way += math.dist(state.position[:2], self._true.position[:2])
        self._true = self.measured = state
        if self._rate:
            x, y, z = state.position
            off = self._rate * self._way
            self.measured = state._replace(position=(x + off.real, y + off.imag, z))


class LegOdometry(Odometry):
    """Follows where legs and a gyroscope lead.

    Roll and pitch are measured without error; the heading drifts at a rate of the seed. The body
    goes as the feet that stand move below it: a slip is an error.
    """

    def __init__(self, state: HexapodState, dt: float, seed: int) -> None:
        """Begin where the robot is; dt: time of a step, s."""
        self.bias = GYRO_DRIFT * float(np.random.default_rng(seed).standard_normal())
        self._dt = dt
        self.reset(state)

    def reset(self, state: HexapodState) -> None:
        """Begin anew where the robot is."""
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


def make_odometry(kind: str, state: HexapodState, dt: float, seed: int) -> Odometry:
    """Return odometry of a kind, as `drift_of` reads it, of a robot that is at a state."""
    share = drift_of(kind)
    return LegOdometry(state, dt, seed) if share is None else Odometry(state, share, seed)


def drift_of(kind: str) -> float | None:
    """Return the share of the way by which odometry of a kind drifts, None for that of legs.

    Raises ValueError, one sentence, for anything but ``exact``, ``legs`` and such as ``drift:1%``.
    """
    if kind == LEGS:
        return None
    found = _DRIFT.fullmatch(kind)
    share = 0.01 * float(found[1]) if found else 0.0
    if share > MOST_DRIFT or (not found and kind != EXACT):
        raise ValueError(
            f'odometry {kind!r} is unknown; use exact, legs, or drift:1% to drift by that share '
            f'of the way, at most {MOST_DRIFT:.0%}'
        )
    return share


def _turned(quaternion: Quaternion, angle: float) -> Quaternion:
    """Return an orientation turned to the left, rad, about the vertical."""
    w, x, y, z = quaternion
    cos, sin = math.cos(0.5 * angle), math.sin(0.5 * angle)
    return (cos * w - sin * z, cos * x - sin * y, cos * y + sin * x, cos * z + sin * w)
