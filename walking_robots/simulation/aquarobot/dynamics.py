"""The rigid-body dynamics that lie dormant in the CLOS program (aquarobot.md §6).

Body axes, z down; any coherent units, with gravity in the same.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from walking_robots.simulation.aquarobot.frames import Array, transform

PRINTED_GRAVITY = 32.2185
"""Gravity of both listings, evidently ft/s²; 32.174 is the standard value (aquarobot.md U23)."""


class RigidBody(NamedTuple):
    """Mass, principal moments of inertia (x, y, z), and gravity."""

    mass: float
    inertia: tuple[float, float, float]
    gravity: float


class RigidBodyState(NamedTuple):
    """Pose, shape (4, 4), and twist (6) in body axes: u, v, w along, p, q, r about x, y, z."""

    pose: Array
    twist: Array


def acceleration(body: RigidBody, state: RigidBodyState, wrench: Sequence[float]) -> Array:
    """Return the rate of the twist, shape (6); ``wrench``: three forces, three moments, body axes.

    The rate of r has Ix - Iy where the print shows a plus (aquarobot.md U10).
    """
    u, v, w, p, q, r = state.twist.tolist()
    fx, fy, fz, mx, my, mz = wrench
    ix, iy, iz = body.inertia
    down_x, down_y, down_z = state.pose[2, :3].tolist()
    m, g = body.mass, body.gravity
    return np.array(
        [
            v * r - w * q + fx / m + g * down_x,
            w * p - u * r + fy / m + g * down_y,
            u * q - v * p + fz / m + g * down_z,
            ((iy - iz) * q * r + mx) / ix,
            ((iz - ix) * r * p + my) / iy,
            ((ix - iy) * p * q + mz) / iz,
        ]
    )


def advance(
    body: RigidBody, state: RigidBodyState, wrench: Sequence[float], dt: float
) -> RigidBodyState:
    """Return the state after ``dt``: the pose follows the old twist, then the twist its rate.

    This is the order of the thesis, whose dt is the wall clock's; here the caller chooses it.
    """
    u, v, w, p, q, r = (dt * state.twist).tolist()
    return RigidBodyState(
        state.pose @ transform(r, q, p, u, v, w),
        state.twist + dt * acceleration(body, state, wrench),
    )
