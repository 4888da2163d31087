"""Trajectories of joints that follow set points with times evenly."""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class JointWay(NamedTuple):
    """Joints on their way from ``begin`` to ``end``, rad, from ``since`` on for ``time``, s.

    ``soft_until`` is when they are first expected to be where they were sent, however far it is.
    """

    begin: Array
    end: Array
    since: float
    time: float
    soft_until: float

    @classmethod
    def resting(cls, joints: Array, now: float, soft: float) -> 'JointWay':
        """Return that of joints at rest, which have ``soft`` seconds for their first way."""
        return cls(joints, joints, now, 0.0, now + soft)

    def at(self, now: float) -> Array:
        """Return where the joints are."""
        share = 1.0 if now >= self.since + self.time else (now - self.since) / self.time
        return self.begin + share * (self.end - self.begin)

    def toward(self, end: Array, now: float, least: float, speed: float = math.inf) -> 'JointWay':
        """Return the way to another end in ``least`` seconds or more, no faster than ``speed``.

        Joints are on their way to what was ordered last, or there; from neither may they turn
        faster, rad/s, however far a simulation has jumped that a robot follows.
        """
        here = self.at(now)
        far = max(float(np.abs(end - place).max()) for place in (here, self.end))
        time = max(least, self.soft_until - now, far / speed)
        return JointWay(here, end, now, time, self.soft_until)
