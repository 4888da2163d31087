"""Put what a robot on wheels does into words."""

import math

from walking_robots.geometry.se2 import Twist2, wrap

SLOWEST = 0.005
"""Speed, m/s, below which a robot is said to stand."""
SLOWEST_TURN = 0.02
"""Turning rate, rad/s, below which a robot is said to go straight."""

_DIRECTIONS = (
    'ahead', 'ahead on the left', 'on the left', 'behind on the left', 'behind',
    'behind on the right', 'on the right', 'ahead on the right',
)  # fmt: skip


def direction(bearing: float) -> str:
    """Return where a bearing (rad, counter-clockwise from ahead) lies, seen from the robot."""
    return _DIRECTIONS[round(wrap(bearing) / (math.pi / 4.0)) % len(_DIRECTIONS)]


def motion_words(velocity: Twist2 | None) -> str:
    """Return what a robot does at a velocity, None where it is unknown."""
    if velocity is None:
        return 'Waiting for the robot'
    ahead = abs(velocity.v) >= SLOWEST
    side = 'left' if velocity.w > 0.0 else 'right'
    if abs(velocity.w) < SLOWEST_TURN:
        return ('Drives ahead' if velocity.v > 0.0 else 'Backs up') if ahead else 'Stands still'
    if not ahead:
        return f'Turns {side} on the spot'
    return f'{"Drives ahead" if velocity.v > 0.0 else "Backs up"}, turning {side}'
