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


PATHS: Mapping[str, FootPath] = {
    'cycloid': FootPath(
        'cycloid',
        lambda s: s - math.sin(math.tau * s) / math.tau,
        lambda s: 0.5 - 0.5 * math.cos(math.tau * s),
    ),
    'ellipse': FootPath(
        'ellipse',
        lambda s: 0.5 - 0.5 * math.cos(math.pi * s),
        lambda s: math.sin(math.pi * s),
    ),
}
"""The cycloid leaves and meets the ground without speed, the ellipse along the vertical."""
