"""Velocity commands that lead to a pose or slow down in time for it."""

import math

from walking_robots.body.motion import Command
from walking_robots.geometry.pose import Pose
from walking_robots.robots.model import CommandLimits, VelocityFilter

__all__ = ['coasting', 'heading_error', 'limit', 'steer']

Target = tuple[float, float, float]

APPROACH = 1.0
"""Time, s, in which the rest of the way would be walked when slowing down."""

LOWEST = 6.0
"""Slowest approach, in dead zones of the velocity filter: slower, a body at rest stays there."""

NEAR, ALIGNED = 0.01, 0.02
"""Distance, m, and turn, rad, below which nothing is asked for."""


def limit(command: Command, limits: CommandLimits) -> Command:
    """Bring a command (vx, vy, wz), m/s and rad/s, into the operator's limits."""
    vx, vy, wz = command
    return (
        max(-limits.forward, min(limits.forward, vx)),
        max(-limits.lateral, min(limits.lateral, vy)),
        max(-limits.turn, min(limits.turn, wz)),
    )


def coasting(speed: float, velocity: VelocityFilter, dt: float) -> float:
    """Give the way, m, that a body goes on after a command of zero."""
    return max(abs(speed) * (velocity.time_constant - dt), 0.0)


def heading_error(pose: Pose, heading: float) -> float:
    """Give the turn, rad, in -pi ... pi, from the heading of a pose to another."""
    return math.remainder(heading - pose.yaw(), math.tau)


def steer(
    pose: Pose, target: Target, speed: float, turn: float, velocity: VelocityFilter
) -> Command:
    """Give the command (vx, vy, wz) that leads straight to a target and turns on the way.

    ``target`` is (x, y, heading), m and rad, odometry frame; ``speed`` (m/s) and ``turn``
    (rad/s) bound the command, which slows down before the target.
    """
    dx, dy = target[0] - pose.position[0], target[1] - pose.position[1]
    distance = math.hypot(dx, dy)
    heading = pose.yaw()
    cos, sin = math.cos(heading), math.sin(heading)
    speed = _approach(distance, speed, velocity.dead_zone) if distance > NEAR else 0.0
    share = speed / distance if speed else 0.0
    error = heading_error(pose, target[2])
    rate = _approach(abs(error), turn, velocity.angular_dead_zone) if abs(error) > ALIGNED else 0.0
    return (
        share * (cos * dx + sin * dy),
        share * (cos * dy - sin * dx),
        math.copysign(rate, error),
    )


def _approach(rest: float, fastest: float, dead_zone: float) -> float:
    """Give a speed that falls with the rest of the way but stays above the dead zone."""
    return min(fastest, max(rest / APPROACH, LOWEST * dead_zone))
