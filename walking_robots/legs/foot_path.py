"""Foot trajectories in body coordinates (asv.md §7.4)."""

import math
from typing import NamedTuple

from walking_robots.geometry.pose import Pose, Rates, Vector
from walking_robots.legs.states import ControlState
from walking_robots.robots.model import TransferTiming

SAME, GIVE = 1e-3, 0.25
"""Distances of a foot from where it should be that are none, and aside that are no slip, in
heights of a lift: a leg gives way. Led after that, it would push its foot on, which creeps."""

FOLLOWING = 8
"""A foot is taken to stand nearer to where it is measured by one part of so many in a step."""

SLOW = 0.05
"""How far a foot is lowered in a step that finds no ground where it should be, in heights of a
lift."""

PRESS = 0.01
"""How far a standing foot that has lost the ground is lowered in a step, in heights of a lift."""

DEEPEST = 1.25
"""How far below its foothold a foot looks for ground, in heights of a lift."""

ASIDE, SLIPPED = 0.02, 0.5
"""Distances beside its place at which a foot is not corrected, and from which it has slipped, in
heights of a lift."""

LEARNING = 0.5
"""Share of the distance beside its foothold at which a foot came down that counts next time."""

RIM = 0.5
"""How high above its foothold a foot is raised at least, in heights of a lift."""


class FootState(NamedTuple):
    """A foot and what its path remembers.

    ``foot`` and ``ready`` are in the body frame; ``foothold`` (target), ``stance`` (where the
    foot stands) and ``ground`` (height it left) in the odometry frame; ``miss`` is how far beside
    its foothold the leg brings its foot down, as it gives way, in the body frame. All in m.
    """

    foot: Vector
    ready: Vector
    foothold: Vector | None = None
    stance: Vector | None = None
    ground: float = 0.0
    miss: tuple[float, float] = (0.0, 0.0)


class Touch(NamedTuple):
    """What is measured of a foot: its switch, and where it is, m, odometry frame, if known."""

    contact: bool
    place: Vector | None


UNKNOWN = Touch(contact=True, place=None)


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


def carry(
    state: FootState,
    pose: Pose,
    rates: Rates,
    timing: TransferTiming,
    *,
    pinned: bool,
    touch: Touch,
) -> FootState:
    """Keep a supporting foot where it stands while the body moves.

    The original integrates the foot's velocity to first order, which lets it drift when the
    body turns; ``pinned`` recomputes it from the point where it stands: where it touched the
    ground, or has slipped to.
    """
    stance = state.stance
    place = touch.place if touch.contact else None
    if pinned and place is not None:
        beside = math.dist(stance or pose.apply(state.foot), place)
        if beside > SLIPPED * timing.lift_height:
            return state._replace(foot=pose.to_body(place), stance=place)
    if not pinned or stance is None:
        ux, uy, uz = rates.velocity_at(state.foot)
        x, y, z = state.foot
        dt = timing.dt
        foot = (x - dt * ux, y - dt * uy, z - dt * uz)
        if not pinned:
            return state._replace(foot=foot, stance=None)
        stance = pose.apply(foot)
        # A foot that was sent below the ground it has found would press itself off, and tilt a
        # body whose legs do not give way.
        if place is not None and place[2] - stance[2] > SAME * timing.lift_height:
            stance = (stance[0], stance[1], place[2])
            foot = pose.to_body(stance)
        return state._replace(foot=foot, stance=stance)
    if place is not None and math.dist(stance, place) > SAME * timing.lift_height:
        slips = math.dist(stance[:2], place[:2]) > GIVE * timing.lift_height
        x, y = place[:2] if slips else stance[:2]
        stance = toward(stance, (x, y, place[2]), FOLLOWING)
    if touch.place is not None and not touch.contact and state.foothold is not None:
        # Unloaded legs stretch, and others wait for this foot to stand.
        lowest = state.foothold[2] - DEEPEST * timing.lift_height
        x, y, z = stance
        stance = (x, y, max(z - PRESS * timing.lift_height, min(lowest, z)))
    return state._replace(foot=pose.to_body(stance), stance=stance)


def move(
    state: FootState,
    control: ControlState,
    steps: int,
    pose: Pose,
    rates: Rates,
    timing: TransferTiming,
    *,
    pinned: bool,
    touch: Touch = UNKNOWN,
    clear: float = -math.inf,
) -> FootState:
    """Move a foot through one step of its control state.

    ``steps`` were spent in the state before this one; ``pose`` and ``rates`` are the body's
    motion of this step. A leg commanded to advance without a foothold stays where it is.
    ``clear`` is the height (m, odometry frame) that a foot in the air has to keep; it rises
    towards that as fast as it is lifted, and goes nowhere else while it is far too low.
    """
    if control.carries:
        if control is ControlState.CONTACT and steps == 1:
            state = _learn(state, pose, timing, touch.place)
        return carry(state, pose, rates, timing, pinned=pinned, touch=touch)
    if is_too_low(state, control, pose, timing, clear):
        return _raised(state._replace(stance=None), state, pose, timing, clear)
    if control is ControlState.READY:
        return _raised(state._replace(foot=state.ready, stance=None), state, pose, timing, clear)
    if control is ControlState.RETURN:
        foot = toward(state.foot, state.ready, timing.swing_back - steps)
        return _raised(state._replace(foot=foot, stance=None), state, pose, timing, clear)
    if control is ControlState.LIFT:
        x, y, z = pose.apply(state.foot)
        place = touch.place if touch.contact else None
        if place is not None and math.dist((x, y), place[:2]) > ASIDE * timing.lift_height:
            # A foot that presses against a wall is held by it.
            x, y = place[:2]
            state = state._replace(foot=pose.to_body((x, y, z)))
        ground = z if steps == 0 else state.ground
        # A foot that has sunk, or slipped into a hole, is raised out of it.
        rim = clear if state.foothold is None else state.foothold[2] + RIM * timing.lift_height
        target = pose.to_body((x, y, max(ground + timing.lift_height, clear, rim)))
        foot = toward(state.foot, target, timing.lift - steps)
        ready = (state.ready[0], state.ready[1], target[2])
        return state._replace(foot=foot, ready=ready, stance=None, ground=ground)
    if state.foothold is None:
        return state
    if control is ControlState.ADVANCE:
        target = pose.to_body(above(state.foothold, timing.lift_height))
        moved = state._replace(foot=toward(state.foot, target, timing.advance - steps))
        return _raised(moved, state, pose, timing, clear)
    late = max(0, steps + 1 - timing.descent)
    below = min(late * SLOW, DEEPEST) * timing.lift_height
    foothold = state.foothold
    if math.hypot(*state.miss) > ASIDE * timing.lift_height:
        x, y, z = pose.to_body(foothold)
        foothold = pose.apply((x - state.miss[0], y - state.miss[1], z))
    x, y, z = foothold
    off_x, off_y = _astray(state.foot, pose, rates, timing, touch.place)
    target = pose.to_body((x - off_x, y - off_y, z - below))
    return state._replace(foot=toward(state.foot, target, timing.descent - steps))


def _learn(
    state: FootState, pose: Pose, timing: TransferTiming, place: Vector | None
) -> FootState:
    """Take in where a foot has come down, but for one that has slipped."""
    if place is None or state.foothold is None:
        return state
    x, y, _ = (
        a - b for a, b in zip(pose.to_body(place), pose.to_body(state.foothold), strict=True)
    )
    if not ASIDE < math.hypot(x, y) / timing.lift_height < SLIPPED:
        return state
    return state._replace(miss=(state.miss[0] + LEARNING * x, state.miss[1] + LEARNING * y))


def _astray(
    foot: Vector, pose: Pose, rates: Rates, timing: TransferTiming, place: Vector | None
) -> tuple[float, float]:
    """Return how far, m, odometry frame, a foot is measured beside where it was sent last.

    Servos lag, and the body is not quite where it was sent.
    """
    if place is None:
        return (0.0, 0.0)
    ux, uy, uz = rates.velocity_at(foot)
    dt = timing.dt
    x, y, _ = pose.apply((foot[0] - dt * ux, foot[1] - dt * uy, foot[2] - dt * uz))
    off = (place[0] - x, place[1] - y)
    beside = math.hypot(*off) / timing.lift_height
    return off if ASIDE < beside < SLIPPED else (0.0, 0.0)


def is_too_low(
    state: FootState, control: ControlState, pose: Pose, timing: TransferTiming, clear: float
) -> bool:
    """Return whether a foot has to rise before it goes on its way."""
    moves = control in (ControlState.RETURN, ControlState.ADVANCE)
    return moves and pose.apply(state.foot)[2] + timing.lift_height / timing.lift < clear


def _raised(
    moved: FootState, before: FootState, pose: Pose, timing: TransferTiming, clear: float
) -> FootState:
    """Raise a foot that is too low for the ground on its way."""
    x, y, z = pose.apply(moved.foot)
    if z >= clear:
        return moved
    most = pose.apply(before.foot)[2] + timing.lift_height / timing.lift
    return moved._replace(foot=pose.to_body((x, y, max(z, min(clear, most)))))
