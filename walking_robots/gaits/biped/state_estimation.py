"""Feel height, speed and slope with the legs that stand (biped.md §5.1, §15.6)."""

import math
from typing import NamedTuple

from walking_robots.gaits.biped.memory import Legs, WalkMemory
from walking_robots.gaits.biped.parameters import WalkParameters
from walking_robots.gaits.biped.senses import Senses
from walking_robots.gaits.biped.servos import within
from walking_robots.gaits.biped.virtual_legs import LegRates
from walking_robots.robots.kwalk import LEFT


class BodyEstimate(NamedTuple):
    """Height of the hips over the ground, m, and their velocity, forward and upward, m/s.

    ahead: speed forward, m/s, over the foot that carries, as it is measured; NaN in the air.
    """

    height: float
    velocity: tuple[float, float]
    ahead: float


def feel_body(
    memory: WalkMemory, senses: Senses, legs: Legs, carrying: int, parameters: WalkParameters
) -> BodyEstimate:
    """Return the body as it is felt by a leg that stands, or as the thesis has it.

    By the carrying leg where its foot stands, else by the other; without a foot on the ground the
    velocity stays.
    """
    right, left = senses.contacts
    in_the_air = not (right or left)
    foot = legs[carrying if in_the_air or (right, left)[carrying] else LEFT - carrying]
    height = height_over_foot(foot)
    forward, vertical = velocity_over_foot(foot)
    ahead = math.nan if in_the_air else forward
    if senses.body is not None:
        given, forward, vertical = senses.body
        return BodyEstimate(height if given is None else given, (forward, vertical), ahead)
    if in_the_air:
        return BodyEstimate(height, memory.velocity, ahead)
    old_forward, old_vertical = memory.velocity
    constant = parameters.smoothing
    most = (parameters.most_acceleration or math.inf) * senses.dt
    return BodyEstimate(
        height,
        (
            within(smoothed(old_forward, forward, senses.dt, constant), old_forward, most),
            smoothed(old_vertical, vertical, senses.dt, constant),
        ),
        ahead,
    )


def height_over_foot(leg: LegRates) -> float:
    """Return the height, m, of the hip over a foot."""
    return leg.length * math.cos(leg.angle)


def velocity_over_foot(leg: LegRates) -> tuple[float, float]:
    """Return the forward and vertical speed, m/s, of the hip over a foot that stays in place."""
    length, angle, length_rate, angle_rate = leg
    sine, cosine = math.sin(angle), math.cos(angle)
    return (
        length_rate * sine + length * cosine * angle_rate,
        length_rate * cosine - length * sine * angle_rate,
    )


def smoothed(old: float, measured: float, dt: float, constant: float) -> float:
    """Return a speed after a low-pass of first order; dt and its time constant in s."""
    return old + (measured - old) * dt / (constant + dt)


def slope_between(right: LegRates, left: LegRates) -> float:
    """Return the slope of the ground, rad, positive up, between two feet that stand."""
    front, rear = (right, left) if right.angle < left.angle else (left, right)
    rise = rear.length * math.cos(rear.angle) - front.length * math.cos(front.angle)
    return math.atan2(
        rise, rear.length * math.sin(rear.angle) - front.length * math.sin(front.angle)
    )
