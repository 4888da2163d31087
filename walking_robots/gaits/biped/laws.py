"""The control laws of the biped: forces on the body, forces of legs, lift-off (biped.md §8)."""

import math

from walking_robots.robots.kwalk import GRAVITY

SMALLEST_SINE = 1e-4
"""Of the angle between the legs below which they count as parallel (§8.3)."""


def vertical_force(
    mass: float, stiffness: float, damping: float, below: float, rising: float
) -> float:
    """Return the vertical force, N, on a body ``below`` its height, m, that rises, m/s."""
    return mass * GRAVITY + stiffness * below - damping * rising


def distribute(
    forward: float, upward: float, right: float, left: float, least: float
) -> tuple[float, float]:
    """Return the forces, N, of the legs at angles right and left, rad, for a force on the body.

    A leg that would have to pull pushes with the ``least`` force and the other one carries the
    rest of the weight; the forward force is then dropped (§8.3).
    """
    sine = math.sin(left - right)
    if abs(sine) < SMALLEST_SINE:
        sine = math.copysign(SMALLEST_SINE, sine)
    sin_right, cos_right = math.sin(right), math.cos(right)
    sin_left, cos_left = math.sin(left), math.cos(left)
    force_right = (upward * sin_left - forward * cos_left) / sine
    force_left = (forward * cos_right - upward * sin_right) / sine
    if force_right < least:
        force_right, force_left = least, (upward - least * cos_right) / cos_left
    if force_left < least:
        force_left = least
        force_right = max(least, (upward - least * cos_left) / cos_right)
    return force_right, force_left


def single_support(upward: float, angle: float, least: float) -> float:
    """Return the force, N, of a leg that carries alone at an angle, rad (§8.4)."""
    return max(upward / math.cos(angle), least)


def capture_point(speed: float, height: float) -> float:
    """Return how far ahead of the hips, m, a foot must stand for the body to stop over it.

    Of an inverted pendulum of constant height, m (Pratt et al., Humanoids 2006); speed: m/s.
    """
    return speed * math.sqrt(max(0.0, height) / GRAVITY)


def enough_energy(speed: float, height: float, angle: float, least_speed: float) -> bool:
    """Return whether the body passes over the front foot at the least speed, m/s (§8.6).

    An inverted pendulum of constant height, m; angle: of the front leg, rad.
    """
    if angle > 0.0:
        return True
    return least_speed**2 <= speed * speed - height * GRAVITY * math.tan(angle) ** 2
