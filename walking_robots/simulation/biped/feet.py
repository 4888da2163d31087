"""Where the feet are and how they move with the seven coordinates of a biped (biped.md §13)."""

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from walking_robots.robots.kwalk import Kwalk


class FootKinematics(NamedTuple):
    """A foot relative to the hip, m, and its rates with hip (or pitch) and knee, m per unit."""

    x: float
    z: float
    x_hip: float
    z_hip: float
    x_knee: float
    z_knee: float


def foot_place(robot: Kwalk) -> Callable[[float, float], tuple[float, float]]:
    """Return the function from thigh, an absolute angle, rad, and knee to x and z from the hip."""
    full, thigh, shank = robot.leg_length, robot.thigh.z, robot.shank.z
    sin, cos = math.sin, math.cos

    def prismatic(angle: float, knee: float) -> tuple[float, float]:
        return (knee - full) * sin(angle), (knee - full) * cos(angle)

    def revolute(angle: float, knee: float) -> tuple[float, float]:
        bent = angle + knee
        return -shank * sin(bent) - thigh * sin(angle), -shank * cos(bent) - thigh * cos(angle)

    return prismatic if robot.knee == 'prismatic' else revolute


def foot_kinematics(robot: Kwalk) -> Callable[[float, float], FootKinematics]:
    """Return the function from the absolute angle of the thigh, rad, and the knee to the foot."""
    shank, place = robot.shank.z, foot_place(robot)

    def prismatic(angle: float, knee: float) -> FootKinematics:
        x, z = place(angle, knee)
        return FootKinematics(x, z, z, -x, math.sin(angle), math.cos(angle))

    def revolute(angle: float, knee: float) -> FootKinematics:
        x, z = place(angle, knee)
        bent = angle + knee
        return FootKinematics(x, z, z, -x, -shank * math.cos(bent), shank * math.sin(bent))

    return prismatic if robot.knee == 'prismatic' else revolute


def drop(robot: Kwalk, joints: Sequence[float], pitch: float = 0.0) -> float:
    """Return how far the lower foot is below the hips, m."""
    foot = foot_place(robot)
    return -min(foot(pitch + joints[0], joints[1])[1], foot(pitch + joints[2], joints[3])[1])
