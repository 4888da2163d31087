"""How a foot goes through the air: share of the way and share of the height, by share of time."""

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple


class FootPath(NamedTuple):
    """The path of a foot; all shares run over 0 ... 1.

    ``way`` leads from 0 to 1, ``rise`` from 0 to 1 in the middle and back to 0.
    """

    name: str
    way: Callable[[float], float]
    rise: Callable[[float], float]

    def share_left(self, before: float, after: float) -> float:
        """Return the share of what is left of the way that a foot goes between two times.

        Taken from where the foot is, it leads to the target however often that moves.
        """
        gone = self.way(before)
        return 1.0 if after >= 1.0 else (self.way(after) - gone) / (1.0 - gone)


RAMP = 0.25
"""Share of the time in which a trapezoid gains speed and height, and in which it loses them."""


def _trapezoid(s: float) -> float:
    """Return the share of a way whose speed is a trapezoid over time."""
    if s > 0.5:
        return 1.0 - _trapezoid(1.0 - s)
    fastest = 1.0 / (1.0 - RAMP)
    return fastest * (0.5 * s * s / RAMP if s < RAMP else s - 0.5 * RAMP)


PATHS: Mapping[str, FootPath] = {
    'trapezoid': FootPath(
        'trapezoid',
        _trapezoid,
        lambda s: _trapezoid(min(1.0, s / RAMP, (1.0 - s) / RAMP)),
    ),
    'ellipse': FootPath(
        'ellipse',
        lambda s: 0.5 - 0.5 * math.cos(math.pi * s),
        lambda s: math.sin(math.pi * s),
    ),
}
"""The trapezoid leaves and meets the ground without speed, the ellipse along the vertical.

A joint has to be as fast as the fastest part of a swing asks. The trapezoid lifts a foot while it
is slow, and carries it at an even speed.
"""
