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


def foot_kinematics(robot: Kwalk) -> Callable[[float, float], FootKinematics]:
    """Return the function from the absolute angle of the thigh, rad, and the knee to the foot."""
    full, thigh, shank = robot.leg_length, robot.thigh.z, robot.shank.z

    def prismatic(angle: float, knee: float) -> FootKinematics:
        sine, cosine = math.sin(angle), math.cos(angle)
        x, z = (knee - full) * sine, (knee - full) * cosine
        return FootKinematics(x, z, z, -x, sine, cosine)

    def revolute(angle: float, knee: float) -> FootKinematics:
        x_shank, z_shank = -shank * math.sin(angle + knee), -shank * math.cos(angle + knee)
        x, z = x_shank - thigh * math.sin(angle), z_shank - thigh * math.cos(angle)
        return FootKinematics(x, z, z, -x, z_shank, -x_shank)

    return prismatic if robot.knee == 'prismatic' else revolute


def drop(robot: Kwalk, joints: Sequence[float], pitch: float = 0.0) -> float:
    """Return how far the lower foot is below the hips, m."""
    foot = foot_kinematics(robot)
    return -min(foot(pitch + joints[0], joints[1]).z, foot(pitch + joints[2], joints[3]).z)
