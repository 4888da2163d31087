"""The friction that a foot needs so that it does not slip (biped.md §3.2)."""

import math

from walking_robots.simulation.biped.state import BipedFootState

LEAST_LOAD = 10.0
"""Vertical force, N, below which the figure says nothing: it peaks as a foot lifts off."""


def needed_friction(foot: BipedFootState, slope: float) -> float | None:
    """Return the coefficient on ground of a slope, rad; none for a foot that hardly stands."""
    if not foot.contact or foot.force_z <= LEAST_LOAD:
        return None
    sine, cosine = math.sin(slope), math.cos(slope)
    across = foot.force_z * cosine - foot.force_x * sine
    return abs((foot.force_z * sine + foot.force_x * cosine) / across) if across else None
