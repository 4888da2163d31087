"""A fingerprint of a biped's walk: one record a tick, hashed bit for bit."""

import hashlib
import struct
from collections.abc import Sequence

from walking_robots.gaits.biped.memory import GaitTick


class BipedTrace:
    """Hashes what a controller felt and did in every tick.

    Two walks have the same fingerprint exactly when the state of the controller, the height and
    speed that it feels, the force that it wants, and length, angle and force of both virtual legs
    agree to the last bit in all ticks.
    """

    def __init__(self) -> None:
        """Begin an empty trace."""
        self._hash = hashlib.sha256()
        self._record = struct.Struct('<B10d')
        self.ticks = 0

    def add(self, gait: GaitTick) -> None:
        """Append a tick."""
        legs = gait.legs
        self.append(
            gait.memory.state,
            (gait.height, gait.speed, gait.forward, gait.upward),
            [leg.length for leg in legs],
            [leg.angle for leg in legs],
            gait.forces,
        )

    def append(
        self,
        state: int,
        body: Sequence[float],
        lengths: Sequence[float],
        angles: Sequence[float],
        forces: Sequence[float],
    ) -> None:
        """Append a tick by its numbers; body: height, speed, and force ahead and up."""
        self._hash.update(self._record.pack(state, *body, *lengths, *angles, *forces))
        self.ticks += 1

    def hexdigest(self) -> str:
        """Return the fingerprint so far."""
        return self._hash.hexdigest()
