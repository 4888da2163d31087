"""What the Adaptive Suspension Vehicle makes of its size, as shares that other robots can take."""

import math

from walking_robots.geometry.polygon import convex_hull, depth
from walking_robots.geometry.pose import Rates, Vector
from walking_robots.legs.working_volume import VolumeBounds, WorkingVolume
from walking_robots.robots.asv import ASV
from walking_robots.robots.model import TransferTiming


def firmness(feet: list[Vector]) -> float:
    """Return how far the body's centre is inside the support of some feet, m; 0 outside."""
    inside = depth(convex_hull((x, y) for x, y, _ in feet), (0.0, 0.0))
    return 0.0 if inside is None else inside.distance


def transfer_time(timing: TransferTiming) -> float:
    """Return the time of a leg from lifting to where it may lift again, s."""
    steps = timing.lift + timing.swing_back + timing.advance + timing.descent + timing.contact
    return steps * timing.dt


def way_of_foot(volume: VolumeBounds, foot: Vector, *, aside: bool) -> float:
    """Return how far a foot can go through a place in its volume, m: along x, or along y."""
    bounds = WorkingVolume(volume)
    speed = Rates(vy=1.0) if aside else Rates(vx=1.0)
    back = Rates(*(-part for part in speed))
    there, here = (
        bounds.kinematic_margin(foot, rates, ASV.kinematic_margin) for rates in (speed, back)
    )
    return (there or 0.0) + (here or 0.0)


_FRONT = ASV.legs[0]

STEADY = 0.5
"""Share of its greatest speed up to which its margin is always positive (asv.md §19.2 I8)."""

FORWARD, LATERAL = (
    STEADY * speed * transfer_time(ASV.timing) / way_of_foot(_FRONT, _FRONT.start_foot, aside=side)
    for speed, side in ((ASV.command.forward, False), (ASV.command.lateral, True))
)
"""Shares of its way below the body that a foot goes at a steady speed while another transfers."""

TURN = ASV.command.turn * math.hypot(*_FRONT.start_foot[:2]) / ASV.command.forward
"""Speed of a front foot in the fastest turn as a share of the greatest speed."""

STICK = ASV.command.forward_step / ASV.command.forward
"""Increment of a key as a share of the greatest speed."""

LIFT_OF_HEIGHT = ASV.timing.lift_height / ASV.posture.height_max
"""Height of a lift as a share of that of the body."""

LIFT_OF_ROOM = ASV.timing.lift_height / (
    ASV.posture.height_max - next(p.offset for p in _FRONT.volume if p.name == 'up')
)
"""Height of a lift as a share of the room that a foot has above its place."""

ASV_FIRMNESS = firmness([leg.start_foot for leg in ASV.legs if leg.starts_supporting])
"""How far its centre is inside the support of the feet that it starts on, m."""
