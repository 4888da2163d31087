"""Chains of links by both Denavit-Hartenberg conventions, many postures at once.

Angles rad; lengths in any unit, the same throughout. Never read a row of the one convention with
the matrix of the other (aquarobot.md §2.3).
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from walking_robots.geometry.homogeneous import stacked

Array = NDArray[np.float64]
Link = tuple[float, float, float]
"""Twist (rad), length and displacement of a link."""


def standard_link(
    angle: ArrayLike, twist: float, length: float, displacement: float = 0.0
) -> Array:
    """Return Rz(angle) Tz(displacement) Tx(length) Rx(twist) (aquarobot.md §3.1, eq. 4.4).

    Shape (..., 4, 4) for angles of shape (...).
    """
    ct, st = np.cos(angle), np.sin(angle)
    ca, sa = np.cos(twist), np.sin(twist)
    return stacked(
        (
            (ct, -ca * st, sa * st, length * ct),
            (st, ca * ct, -sa * ct, length * st),
            (0.0, sa, ca, displacement),
            (0.0, 0.0, 0.0, 1.0),
        )
    )


def modified_link(
    angle: ArrayLike, twist: float, length: float, displacement: float = 0.0
) -> Array:
    """Return Rx(twist) Tx(length) Rz(angle) Tz(displacement) (aquarobot.md §3.1, eq. 4.1).

    Shape (..., 4, 4) for angles of shape (...).
    """
    ct, st = np.cos(angle), np.sin(angle)
    ca, sa = np.cos(twist), np.sin(twist)
    return stacked(
        (
            (ct, -st, 0.0, length),
            (st * ca, ct * ca, -sa, -sa * displacement),
            (st * sa, ct * sa, ca, ca * displacement),
            (0.0, 0.0, 0.0, 1.0),
        )
    )


def standard_chain(base: Array, angles: ArrayLike, links: Sequence[Link]) -> Array:
    """Return the frames at the outer ends of links by the standard convention, (..., n, 4, 4).

    base: the frame the chain hangs on, (..., 4, 4); angles: rad, (..., n), n as many as links.
    """
    return _chain(standard_link, base, angles, links)


def modified_chain(base: Array, angles: ArrayLike, links: Sequence[Link]) -> Array:
    """Return the frames of the joints by the modified (Craig's) convention, (..., n, 4, 4).

    base: the frame the chain hangs on, (..., 4, 4); angles: rad, (..., n), n as many as links.
    """
    return _chain(modified_link, base, angles, links)


def _chain(
    matrix: Callable[..., Array], base: Array, angles: ArrayLike, links: Sequence[Link]
) -> Array:
    """Multiply the matrices of links one after the other and keep every product."""
    turns = np.asarray(angles, dtype=float)
    if turns.shape[-1] != len(links):
        raise ValueError(f'{turns.shape[-1]} angles for {len(links)} links; give one for each')
    frames = []
    frame = base
    for place, link in enumerate(links):
        frame = frame @ matrix(turns[..., place], *link)
        frames.append(frame)
    return np.stack(frames, axis=-3)
