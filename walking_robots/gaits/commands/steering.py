"""Velocity commands that lead to a pose or slow down in time for it."""

import math
from typing import NamedTuple

from walking_robots.body.motion import Command
from walking_robots.gaits.commands.stall_detector import HALT_TIME
from walking_robots.geometry.pose import Pose
from walking_robots.robots.model import CommandLimits, HexapodModel

Target = tuple[float, float, float]

APPROACH = 1.0
"""Time, s, in which the rest of the way would be walked when slowing down."""

LOWEST = 6.0
"""Slowest approach, in dead zones of the velocity filter: slower, a body at rest stays there."""

NEAR, ALIGNED = 0.01, 0.02
"""Distance, m, and turn, rad, below which the command is zero."""


class Mobility(NamedTuple):
    """What a walk has to know of how a robot moves.

    ``dt``: time of a step, s; ``lowest``: slowest speed (m/s) and turn (rad/s) that moves a body
    at rest; ``lag`` (s) and ``deceleration`` (m/s^2): how a body goes on after a command of zero;
    ``rest_time``: within which it then rests, s; ``halt_time``: without any change after which a
    walk counts as halted, s.
    """

    limits: CommandLimits
    dt: float
    lowest: tuple[float, float] = (0.0, 0.0)
    lag: float = 0.0
    deceleration: float = math.inf
    rest_time: float = 10.0
    halt_time: float = HALT_TIME

    @classmethod
    def of(cls, model: HexapodModel) -> 'Mobility':
        """Return that of a robot whose velocity is filtered (asv.md §6.2)."""
        smooth, dt = model.velocity, model.timing.dt
        return cls(
            model.command,
            dt,
            (LOWEST * smooth.dead_zone, LOWEST * smooth.angular_dead_zone),
            smooth.time_constant - dt,
        )

    def coasting(self, speed: float) -> float:
        """Return the way, m, that a body goes on after a command of zero."""
        return max(abs(speed) * self.lag, 0.0) + speed * speed / (2.0 * self.deceleration)


def limit(command: Command, limits: CommandLimits) -> Command:
    """Bring a command (vx, vy, wz), m/s and rad/s, into the operator's limits."""
    vx, vy, wz = command
    return (
        max(-limits.forward, min(limits.forward, vx)),
        max(-limits.lateral, min(limits.lateral, vy)),
        max(-limits.turn, min(limits.turn, wz)),
    )


def heading_error(pose: Pose, heading: float) -> float:
    """Return the turn, rad, in -pi ... pi, from the heading of a pose to another."""
    return math.remainder(heading - pose.yaw(), math.tau)


def steer(
    pose: Pose, target: Target, speed: float, turn: float, lowest: tuple[float, float]
) -> Command:
    """Return the command (vx, vy, wz) that leads straight to a target and turns on the way.

    ``target`` is (x, y, heading), m and rad, odometry frame; ``speed`` (m/s) and ``turn``
    (rad/s) bound the command, which slows down before the target, to the ``lowest`` at least.
    """
    dx, dy = target[0] - pose.position[0], target[1] - pose.position[1]
    distance = math.hypot(dx, dy)
    heading = pose.yaw()
    cos, sin = math.cos(heading), math.sin(heading)
    speed = _approach(distance, speed, lowest[0]) if distance > NEAR else 0.0
    share = speed / distance if speed else 0.0
    error = heading_error(pose, target[2])
    rate = _approach(abs(error), turn, lowest[1]) if abs(error) > ALIGNED else 0.0
    return (
        share * (cos * dx + sin * dy),
        share * (cos * dy - sin * dx),
        math.copysign(rate, error),
    )


def _approach(rest: float, fastest: float, lowest: float) -> float:
    """Return a speed that falls with the rest of the way, but not below the lowest that moves."""
    return min(fastest, max(rest / APPROACH, lowest))
