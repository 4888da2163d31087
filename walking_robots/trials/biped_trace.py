"""A fingerprint of a biped's walk: one record a tick, hashed bit for bit."""

import hashlib
import struct

from walking_robots.gaits.biped.memory import GaitTick
from walking_robots.simulation.biped.state import BipedState

__all__ = ['BipedTrace']


class BipedTrace:
    """Hashes what a controller met and did in every tick.

    Two walks have the same fingerprint exactly when the robot's coordinates, rates and foot
    switches, the state of the controller and its orders agree to the last bit in all ticks.
    """

    def __init__(self) -> None:
        """Begin an empty trace."""
        self._hash = hashlib.sha256()
        self._record = struct.Struct('<3B34d')

    def add(self, state: BipedState, gait: GaitTick) -> None:
        """Append a tick."""
        a, b, c, d = gait.orders
        self._hash.update(
            self._record.pack(
                gait.memory.state, *state.contacts,
                state.x, state.z, state.pitch, *state.joints, *state.velocity, *a, *b, *c, *d,
            )
        )  # fmt: skip

    def hexdigest(self) -> str:
        """Give the fingerprint so far."""
        return self._hash.hexdigest()
