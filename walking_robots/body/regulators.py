"""From a velocity command to body rates: lag, limits, and regulation of posture."""

import math

from walking_robots.geometry.plane import Plane
from walking_robots.geometry.pose import Pose
from walking_robots.robots.model import PostureRegulator, VelocityFilter


def lag(value: float, command: float, factor: float, limit: float, dt: float, tau: float) -> float:
    """Follow a command by a first-order lag of limited acceleration (asv.md §6.2)."""
    acceleration = (factor * command - value) / tau
    if acceleration > limit:
        acceleration = limit
    elif acceleration < -limit:
        acceleration = -limit
    return value + dt * acceleration


def speed_factor(deceleration: int, limits: VelocityFilter) -> float:
    """Give the share of the commanded speed at a deceleration factor n: 1, 1/2, 1/4, 1/6 and so on."""
    return 1.0 if deceleration <= 0 else limits.slow_down_share / deceleration


def follow_command(
    rates: tuple[float, float, float],
    command: tuple[float, float, float],
    deceleration: int,
    limits: VelocityFilter,
    dt: float,
) -> tuple[float, float, float]:
    """Give the next (vx, vy, wz) in m/s and rad/s; speeds inside the dead zone become zero."""
    factor, tau = speed_factor(deceleration, limits), limits.time_constant
    vx = lag(rates[0], command[0], factor, limits.max_acceleration, dt, tau)
    vy = lag(rates[1], command[1], factor, limits.max_acceleration, dt, tau)
    wz = lag(rates[2], command[2], factor, limits.max_angular_acceleration, dt, tau)
    return (
        0.0 if abs(vx) < limits.dead_zone else vx,
        0.0 if abs(vy) < limits.dead_zone else vy,
        0.0 if abs(wz) < limits.angular_dead_zone else wz,
    )


def posture_error(
    plane: Plane, pose: Pose, limits: PostureRegulator, *, level_in_body: bool
) -> tuple[float, float, float]:
    """Give the wanted turn about x and y (rad) and the wanted rise (m), in body axes.

    ``plane`` is the support plane in the odometry frame. The body takes over a share of the
    slope and sinks on steep ground (asv.md §6.4). ``level_in_body`` repairs DEF-6: on level
    ground the original measures the plane in the odometry frame, so that a tilted body never
    levels itself.
    """
    a, b, c = plane.normal
    slope = math.acos(max(-1.0, min(1.0, c)))
    height = plane.in_body(pose).offset
    if slope < limits.slope_flat:
        rise = limits.height_max - height
        if not level_in_body:
            return (*_turn(a, b, c), rise)
        return (*_turn(*pose.rotate_to_body((0.0, 0.0, 1.0))), rise)
    if slope < limits.slope_full:
        share = (slope - limits.slope_flat) / (limits.slope_full - limits.slope_flat)
    else:
        share = 1.0
    wanted_slope = limits.slope_flat + share * (limits.pitch_max - limits.slope_flat)
    wanted_height = limits.height_max - share * (limits.height_max - limits.height_min)
    m = math.hypot(a, b)
    s = math.sin(wanted_slope) / m if m > 0.0 else 0.0
    normal = pose.rotate_to_body((a * s, b * s, math.cos(wanted_slope)))
    return (*_turn(*normal), wanted_height - height)


def _turn(a: float, b: float, c: float) -> tuple[float, float]:
    """Give the rotation about x and y that brings the z axis onto the unit vector (a, b, c)."""
    m = math.hypot(a, b)
    if m == 0.0:
        return (0.0, 0.0)
    angle = math.acos(max(-1.0, min(1.0, c)))
    return (-b / m * angle, a / m * angle)


def follow_posture(
    rates: tuple[float, float, float],
    error: tuple[float, float, float],
    posture: PostureRegulator,
    velocity: VelocityFilter,
    dt: float,
) -> tuple[float, float, float]:
    """Give the next (wx, wy, vz), rad/s and m/s, from the error of :func:`posture_error`."""
    turn, rise = posture.max_rotation_rate, posture.max_vertical_rate
    gain, tau = posture.gain, velocity.time_constant
    angular, linear = velocity.max_angular_acceleration, velocity.max_acceleration
    wx = lag(rates[0], gain * error[0], 1.0, angular, dt, tau)
    wy = lag(rates[1], gain * error[1], 1.0, angular, dt, tau)
    vz = lag(rates[2], gain * error[2], 1.0, linear, dt, tau)
    return (
        max(-turn, min(turn, wx)),
        max(-turn, min(turn, wy)),
        max(-rise, min(rise, vz)),
    )
