"""Moves: increments of the body and of all joints, carried out together (aquarobot.md §5.1)."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from walking_robots.simulation.aquarobot.frames import Array


class Move(NamedTuple):
    """Increments of all 24 degrees of freedom.

    ``body`` (6): azimuth, elevation, roll in rad and x, y, z in cm; ``joints`` (6, 3): hip
    azimuth, hip elevation and knee of legs 1 to 6 in rad.
    """

    body: Array
    joints: Array


NULL_MOVE = Move(np.zeros(6), np.zeros((6, 3)))


def move_of(body: ArrayLike = (0.0,) * 6, joints: ArrayLike | None = None) -> Move:
    """Make a move; what is left out rests.

    Raises ValueError for other numbers of increments, and for what is not finite.
    """
    move = Move(
        np.array(body, dtype=float),
        np.zeros((6, 3)) if joints is None else np.array(joints, dtype=float),
    )
    if move.body.shape != (6,) or move.joints.shape != (6, 3):
        raise ValueError('a move has 6 increments of the body and 3 of each of 6 legs')
    if not (np.isfinite(move.body).all() and np.isfinite(move.joints).all()):
        raise ValueError('the increments of a move must be finite numbers')
    return move
