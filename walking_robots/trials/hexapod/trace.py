"""A fingerprint of a walk: one record a step, hashed bit for bit."""

import hashlib
import math
import struct
from collections.abc import Sequence

from walking_robots.gaits.gait_step import GaitStep
from walking_robots.geometry.pose import Vector


class Trace:
    """Hashes what a coordinator did in every step.

    Two walks have the same fingerprint exactly when every mode, rule, margin, foothold and
    pose of every step agrees to the last bit.
    """

    def __init__(self) -> None:
        """Begin an empty trace."""
        self._hash = hashlib.sha256()
        self.steps = 0

    def add(self, gait: GaitStep) -> None:
        """Append a step."""
        pose, rates = gait.motion
        words = (gait.mode, gait.state, *(firing.rule for firing in gait.fired))
        numbers = [gait.margin, gait.planned_margin, *pose.position, *rates]
        numbers += [math.nan if margin is None else margin for margin in gait.kinematic_margins]
        for foothold in gait.footholds:
            numbers += _coordinates(foothold)
        self._hash.update(
            bytes((gait.cycle, gait.deceleration)) + bytes(gait.support) + b'|'
            + bytes(gait.planned_support) + '|'.join(words).encode()
        )  # fmt: skip
        self._hash.update(struct.pack(f'<{len(numbers)}d', *numbers))
        self.steps += 1

    def hexdigest(self) -> str:
        """Return the fingerprint so far."""
        return self._hash.hexdigest()


def _coordinates(point: Vector | None) -> Sequence[float]:
    return (math.nan, math.nan, math.nan) if point is None else point
