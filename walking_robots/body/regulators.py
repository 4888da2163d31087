"""From a velocity command to body rates: lag, limits, and regulation of posture."""

import math
from typing import NamedTuple

from walking_robots.geometry.plane import Plane
from walking_robots.geometry.pose import Pose, Vector
from walking_robots.robots.model import PostureRegulator, VelocityFilter


def lag(
    value: float, command: float, limit: float, dt: float, tau: float, most: float = math.inf
) -> float:
    """Follow a command by a first-order lag of limited acceleration, up to ``most`` either way.

    Source: asv.md §6.2.
    """
    acceleration = (command - value) / tau
    if acceleration > limit:
        acceleration = limit
    elif acceleration < -limit:
        acceleration = -limit
    value += dt * acceleration
    if value > most:
        return most
    return -most if value < -most else value


def speed_factor(deceleration: int, limits: VelocityFilter) -> float:
    """Return the share of the commanded speed at a deceleration factor: 1, 1/2, 1/4, 1/6 …."""
    return 1.0 if deceleration <= 0 else limits.slow_down_share / deceleration


def follow_command(
    rates: tuple[float, float, float],
    command: tuple[float, float, float],
    deceleration: int,
    limits: VelocityFilter,
    dt: float,
) -> tuple[float, float, float]:
    """Return the next (vx, vy, wz) in m/s and rad/s; speeds inside the dead zone become zero."""
    factor, tau = speed_factor(deceleration, limits), limits.time_constant
    vx = lag(rates[0], factor * command[0], limits.max_acceleration, dt, tau)
    vy = lag(rates[1], factor * command[1], limits.max_acceleration, dt, tau)
    wz = lag(rates[2], factor * command[2], limits.max_angular_acceleration, dt, tau)
    return (
        0.0 if abs(vx) < limits.dead_zone else vx,
        0.0 if abs(vy) < limits.dead_zone else vy,
        0.0 if abs(wz) < limits.angular_dead_zone else wz,
    )


class PostureTarget(NamedTuple):
    """The posture for a support plane, both planes in the odometry frame.

    The body is to stand ``height`` m over ``plane`` with its z axis along ``normal``. A None
    normal is the level one of the original: it commands no turn, whatever the body's tilt.
    With ``vertical`` a tilted body keeps its height while it travels.
    """

    plane: Plane
    normal: Vector | None
    height: float
    vertical: bool = False


def commanded_posture(plane: Plane, yaw: float, pitch: float, height: float) -> PostureTarget:
    """Return the posture at a yaw and pitch, rad, nose down, ``height`` m over a level plane."""
    sin = math.sin(pitch)
    normal = (sin * math.cos(yaw), sin * math.sin(yaw), math.cos(pitch))
    return PostureTarget(plane, normal, height, vertical=True)


def posture_target(
    plane: Plane, limits: PostureRegulator, *, level_in_body: bool
) -> PostureTarget:
    """Return the posture over a support plane of the odometry frame (asv.md §6.4).

    The body takes over a share of the slope and sinks on steep ground. ``level_in_body``
    repairs DEF-6: on level ground the original measures the plane in the odometry frame, so
    that a tilted body never levels itself.
    """
    a, b, c = plane.normal
    slope = math.acos(max(-1.0, min(1.0, c)))
    if slope < limits.slope_flat:
        return PostureTarget(plane, (0.0, 0.0, 1.0) if level_in_body else None, limits.height_max)
    if slope < limits.slope_full:
        share = (slope - limits.slope_flat) / (limits.slope_full - limits.slope_flat)
    else:
        share = 1.0
    wanted = limits.slope_flat + share * (limits.pitch_max - limits.slope_flat)
    height = limits.height_max - share * (limits.height_max - limits.height_min)
    m = math.hypot(a, b)
    s = math.sin(wanted) / m if m > 0.0 else 0.0
    return PostureTarget(plane, (a * s, b * s, math.cos(wanted)), height)


def posture_error(target: PostureTarget, pose: Pose) -> tuple[float, float, float]:
    """Return the wanted turn about x and y (rad) and the wanted rise (m), in body axes."""
    (nx, ny, nz), offset = target.plane
    x, y, z = pose.position
    rise = target.height - (nx * x + ny * y + nz * z + offset)
    normal = target.plane.normal if target.normal is None else pose.rotate_to_body(target.normal)
    return (*_turn(*normal), rise)


def _turn(a: float, b: float, c: float) -> tuple[float, float]:
    """Return the rotation about x and y that brings the z axis onto the unit vector (a, b, c)."""
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
    """Return the next (wx, wy, vz), rad/s and m/s, from the error of :func:`posture_error`."""
    turn, rise = posture.max_rotation_rate, posture.max_vertical_rate
    gain, tau = posture.gain, velocity.time_constant
    angular, linear = velocity.max_angular_acceleration, velocity.max_acceleration
    return (
        lag(rates[0], gain * error[0], angular, dt, tau, turn),
        lag(rates[1], gain * error[1], angular, dt, tau, turn),
        lag(rates[2], gain * error[2], linear, dt, tau, rise),
    )
