"""Foot trajectories in body coordinates (asv.md §7.4)."""

import math
from typing import NamedTuple

from walking_robots.geometry.pose import Pose, Rates, Vector
from walking_robots.legs.states import ControlState
from walking_robots.robots.model import TransferTiming

CLEARANCE = 0.5
"""Least height of a foot in the air over the ground that it left, in heights of a lift."""


class FootState(NamedTuple):
    """A foot and what its path remembers.

    ``foot`` and ``ready`` are in the body frame; ``foothold`` (target), ``stance`` (where the
    foot stands) and ``ground`` (height it left, if known) in the odometry frame. All in m.
    """

    foot: Vector
    ready: Vector
    foothold: Vector | None = None
    stance: Vector | None = None
    ground: float = -math.inf


def toward(foot: Vector, target: Vector, steps_left: int) -> Vector:
    """Move a foot toward a target so that it arrives when no step is left."""
    if steps_left <= 1:
        return target
    x, y, z = foot
    return (
        x + (target[0] - x) / steps_left,
        y + (target[1] - y) / steps_left,
        z + (target[2] - z) / steps_left,
    )


def above(point: Vector, height: float) -> Vector:
    """Return the point ``height`` m above another."""
    return (point[0], point[1], point[2] + height)


def clear(state: FootState, pose: Pose, height: float) -> Vector:
    """Return where a foot waits, m, body frame: so high over the ground that it left, or higher.

    A body that sinks or pitches takes its feet in the air with it.
    """
    missing = state.ground + height - pose.apply(state.ready)[2]
    return above(state.ready, missing / pose.rotation[8]) if missing > 0.0 else state.ready


def carry(state: FootState, pose: Pose, rates: Rates, dt: float, *, pinned: bool) -> FootState:
    """Keep a supporting foot where it stands while the body moves.

    The original integrates the foot's velocity to first order, which lets it drift when the
    body turns; ``pinned`` recomputes it from the point where it stands.
    """
    if pinned and state.stance is not None:
        return state._replace(foot=pose.to_body(state.stance))
    ux, uy, uz = rates.velocity_at(state.foot)
    x, y, z = state.foot
    foot = (x - dt * ux, y - dt * uy, z - dt * uz)
    return state._replace(foot=foot, stance=pose.apply(foot) if pinned else None)


def move(
    state: FootState,
    control: ControlState,
    steps: int,
    pose: Pose,
    rates: Rates,
    timing: TransferTiming,
    *,
    pinned: bool,
) -> FootState:
    """Move a foot through one step of its control state.

    ``steps`` were spent in the state before this one; ``pose`` and ``rates`` are the body's
    motion of this step. A leg commanded to advance without a foothold stays where it is.
    """
    if control.carries:
        return carry(state, pose, rates, timing.dt, pinned=pinned)
    if control is ControlState.READY:
        foot = clear(state, pose, CLEARANCE * timing.lift_height)
        return state._replace(foot=foot, stance=None)
    if control is ControlState.RETURN:
        ready = clear(state, pose, CLEARANCE * timing.lift_height)
        foot = toward(state.foot, ready, timing.swing_back - steps)
        return state._replace(foot=foot, stance=None)
    if control is ControlState.LIFT:
        x, y, z = pose.apply(state.foot)
        ground = z if steps == 0 else state.ground
        target = pose.to_body((x, y, ground + timing.lift_height))
        foot = toward(state.foot, target, timing.lift - steps)
        ready = (state.ready[0], state.ready[1], target[2])
        return state._replace(foot=foot, ready=ready, stance=None, ground=ground)
    if state.foothold is None:
        return state
    if control is ControlState.ADVANCE:
        target = pose.to_body(above(state.foothold, timing.lift_height))
        return state._replace(foot=toward(state.foot, target, timing.advance - steps))
    target = pose.to_body(state.foothold)
    return state._replace(foot=toward(state.foot, target, timing.descent - steps))
