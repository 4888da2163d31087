"""Feel height, speed and slope with the legs that stand (biped.md §5.1, §15.6)."""

import math

from walking_robots.gaits.biped.virtual_legs import LegRates

__all__ = ['height_over_foot', 'slope_between', 'smoothed', 'velocity_over_foot']


def height_over_foot(leg: LegRates) -> float:
    """Give the height, m, of the hip over a foot."""
    return leg.length * math.cos(leg.angle)


def velocity_over_foot(leg: LegRates) -> tuple[float, float]:
    """Give the forward and vertical speed, m/s, of the hip over a foot that stays in place."""
    length, angle, length_rate, angle_rate = leg
    sine, cosine = math.sin(angle), math.cos(angle)
    return (
        length_rate * sine + length * cosine * angle_rate,
        length_rate * cosine - length * sine * angle_rate,
    )


def smoothed(old: float, measured: float, dt: float, constant: float) -> float:
    """Give a speed after a low-pass of first order; dt and its time constant in s."""
    return old + (measured - old) * dt / (constant + dt)


def slope_between(right: LegRates, left: LegRates) -> float:
    """Give the slope of the ground, rad, positive up, between two feet that stand."""
    front, rear = (right, left) if right.angle < left.angle else (left, right)
    rise = rear.length * math.cos(rear.angle) - front.length * math.cos(front.angle)
    return math.atan2(
        rise, rear.length * math.sin(rear.angle) - front.length * math.sin(front.angle)
    )
