"""The ground of the thesis: a spring and a damper where a foot touched down (biped.md §3.1)."""

from collections.abc import Callable

from walking_robots.simulation.biped.state import BipedFootState

STIFFNESS_X = 1000.0
"""N/m."""
DAMPING_X = DAMPING_Z = 500.0
"""N s/m."""
FORCE_Z = 1000.0
"""N; over the room that is left before the ground is rigid it is the hardening spring."""
LEAST_ROOM = 0.002
"""m; the room counts as no less."""


class SpringGround:
    """The force of the ground on feet; holds the ground, remembers nothing.

    It never pulls a foot down, and no friction limits it along x.
    """

    def __init__(self, height: Callable[[float], float], penetration: float) -> None:
        """Take the height of the ground, m, at x, m, and the depth at which it is rigid, m."""
        self._height, self._penetration = height, penetration

    def touch(
        self, foot: BipedFootState, x: float, z: float, x_rate: float, z_rate: float
    ) -> BipedFootState:
        """Return a foot at x and z, m, that moves at these rates, m/s; ``foot`` is its past."""
        depth = self._height(x) - z
        if not depth > 0.0:
            return BipedFootState(x=x, z=z)
        anchor = x if foot.anchor is None else foot.anchor
        force_x = STIFFNESS_X * (anchor - x) - DAMPING_X * x_rate
        room = max(self._penetration - depth, LEAST_ROOM)
        force_z = FORCE_Z * depth / room - DAMPING_Z * z_rate
        return BipedFootState(True, force_x, max(force_z, 0.0), x, z, anchor)
