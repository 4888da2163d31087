"""The robot of the thesis and its moves: one body, six legs, limits that clamp (aquarobot.md §5).

Earth frame with z down; cm and rad.
"""

import math
from collections.abc import Mapping
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.legs.dh import standard_link
from walking_robots.robots.aquarobot import (
    ATTACHMENTS,
    RESET_HEIGHT,
    RESET_HEIGHT_PRINTED,
    RESET_JOINTS,
    STANDARD_LINKS,
)
from walking_robots.simulation.aquarobot.frames import (
    Array,
    attitude_of,
    orthonormal,
    transform,
)
from walking_robots.simulation.aquarobot.moves import NULL_MOVE, Move

LimitMode = Literal['clamp', 'reject']
IncrementFrame = Literal['body', 'earth']
InitialHeight = Literal['literal', 'printed', 'analytic']

_BASE, *_LINKS = STANDARD_LINKS
LOW, HIGH = (np.radians([getattr(row, end) for row in _LINKS]) for end in ('low', 'high'))
"""Limits of the three joints of a leg, rad."""
_RESET = np.tile(np.radians(RESET_JOINTS), (6, 1))
# The imaginary link from the centre of the body to each hip.
_MOUNTS: Array = standard_link(
    np.radians(ATTACHMENTS), math.radians(_BASE.twist), _BASE.length, _BASE.displacement
)


def _link_parts() -> tuple[Array, Array, Array]:
    """Return the matrices of the three links as what goes with cosine, with sine and with neither.

    Each of shape (3, 4, 4). One sum for all legs takes a tenth of the time of a product of
    `standard_link`s, whose matrices these are (aquarobot.md §3.1).
    """
    cosine, sine, fixed = np.zeros((3, len(_LINKS), 4, 4))
    for link, row in enumerate(_LINKS):
        twist = math.radians(row.twist)
        c, s = math.cos(twist), math.sin(twist)
        cosine[link, :2] = (1, 0, 0, row.length), (0, c, -s, 0)
        sine[link, :2] = (0, -c, s, 0), (1, 0, 0, row.length)
        fixed[link, 2:] = (0, s, c, row.displacement), (0, 0, 0, 1)
    return cosine, sine, fixed


_COSINE, _SINE, _FIXED = _link_parts()

INITIAL_HEIGHTS: Mapping[InitialHeight, float] = {
    'literal': RESET_HEIGHT,
    'printed': RESET_HEIGHT_PRINTED,
    'analytic': sum(
        row.length * math.sin(angle)
        for row, angle in zip(_LINKS, np.cumsum(np.radians(RESET_JOINTS)), strict=True)
    ),
}
"""z of the body after a reset, cm: of the Lisp program, of the C++ program, and exact (§2.5)."""


class AquarobotState(NamedTuple):
    """The robot after a move.

    pose: of the body, shape (4, 4); attitude: azimuth, elevation and roll that it stands for;
    joints: shape (6, 3); links: poses of the outer ends of links 0 to 3, shape (6, 4, 4, 4);
    limit_flags: whether a joint was commanded past its limit, shape (6, 3); residual: what of the
    move was not carried out; previous_feet: feet before the move, shape (6, 3).
    """

    pose: Array
    attitude: tuple[float, float, float]
    joints: Array
    links: Array
    limit_flags: NDArray[np.bool_]
    residual: Move
    previous_feet: Array

    @property
    def points(self) -> Array:
        """Return hip, joint 2, knee and foot of each leg, shape (6, 4, 3)."""
        return self.links[..., :3, 3]

    @property
    def feet(self) -> Array:
        """Return the feet, shape (6, 3)."""
        return self.links[:, 3, :3, 3]

    @property
    def position(self) -> Array:
        """Return the centre of the body, shape (3)."""
        return self.pose[:3, 3]

    @property
    def motion_complete(self) -> NDArray[np.bool_]:
        """Return which legs did all that was commanded, shape (6)."""
        complete: NDArray[np.bool_] = (self.residual.joints == 0.0).all(axis=1)
        return complete

    @property
    def answer(self) -> bool:
        """Return what the Lisp prompt shows: whether leg 6 did all that was commanded."""
        return bool(self.motion_complete[5])

    def components(self) -> dict[str, Array]:
        """Return the poses, shape (4, 4), of body, legs and links by name (aquarobot.md §4.3).

        The frame of a leg is that of the body turned to where the leg hangs.
        """
        found = {'body': self.pose}
        for leg, angle in enumerate(np.radians(ATTACHMENTS).tolist()):
            found[f'leg{leg + 1}'] = self.pose @ transform(angle, 0.0, 0.0, 0.0, 0.0, 0.0)
            for link in range(4):
                found[f'leg{leg + 1}_link{link}'] = self.links[leg, link]
        return found


def link_poses(pose: Array, joints: Array) -> Array:
    """Return the poses of all links, shape (6, 4, 4, 4) (aquarobot.md §3.3)."""
    turns = joints[..., None, None]
    steps = np.cos(turns) * _COSINE + np.sin(turns) * _SINE + _FIXED
    links = np.empty((6, 4, 4, 4))
    np.matmul(pose, _MOUNTS, out=links[:, 0])
    for link in range(3):
        np.matmul(links[:, link], steps[:, link], out=links[:, link + 1])
    return links


def reset_state(height: InitialHeight = 'literal') -> AquarobotState:
    """Return the robot as it stands at the beginning, its feet where they have been."""
    pose = transform(0.0, 0.0, 0.0, 0.0, 0.0, INITIAL_HEIGHTS[height])
    links = link_poses(pose, _RESET)
    flags = np.zeros((6, 3), dtype=bool)
    feet = links[:, 3, :3, 3]
    return AquarobotState(pose, (0.0, 0.0, 0.0), _RESET, links, flags, NULL_MOVE, feet)


def moved(
    state: AquarobotState,
    move: Move,
    limit_mode: LimitMode = 'clamp',
    increment_frame: IncrementFrame = 'body',
) -> AquarobotState:
    """Carry out a move: the body first, then the legs (aquarobot.md §5.2).

    limit_mode: ``clamp`` stops a joint at its limit and moves all else; ``reject`` moves nothing
    when a joint would pass its limit. A joint that comes to stand on its limit does not pass it.
    increment_frame: ``body`` shifts and turns the body along and about its own axes; ``earth``
    adds to its position and to its three angles.
    """
    wanted = state.joints + move.joints
    flags = (wanted < LOW) | (wanted > HIGH)
    residual = NULL_MOVE
    if flags.any():
        if limit_mode == 'reject':
            return state._replace(limit_flags=flags, residual=move, previous_feet=state.feet)
        joints = np.clip(wanted, LOW, HIGH)
        residual = Move(NULL_MOVE.body, wanted - joints)
    else:
        joints = wanted
    pose, attitude = state.pose, state.attitude
    if move.body.any():
        pose, attitude = _body_moved(state, move.body.tolist(), increment_frame)
    links = link_poses(pose, joints)
    return AquarobotState(pose, attitude, joints, links, flags, residual, state.feet)


def _body_moved(
    state: AquarobotState, increments: list[float], frame: IncrementFrame
) -> tuple[Array, tuple[float, float, float]]:
    """Return pose and attitude after increments of the body."""
    if frame == 'body':
        pose = orthonormal(state.pose @ transform(*increments))
        return pose, attitude_of(pose)
    a, e, r = (old + add for old, add in zip(state.attitude, increments[:3], strict=True))
    x, y, z = (state.position + increments[3:]).tolist()
    return transform(a, e, r, x, y, z), (a, e, r)
