"""What the xacro file of a biped has to know, from its model alone."""

from typing import Any

from walking_robots.robots.kwalk import BodyBox, Kwalk
from walking_robots.robots.kwalk_spatial import SpatialKwalk

FOOT_RADIUS = 0.015
"""Radius, m, of the ball that is drawn for a foot, which is a point (biped.md §2.1)."""

HIP_SPEED = 10.0
KNEE_SPEEDS = {'prismatic': 5.0, 'revolute': 30.0}
"""Greatest speeds, rad/s and m/s; the thesis has none. About twice those of a walk."""


def biped_numbers(robot: Kwalk) -> dict[str, Any]:
    """Return the numbers of the URDF of a biped: m, rad, kg, N m and N."""
    return {
        'body': _box(robot.body),
        'thigh': _box(robot.thigh),
        'shank': _box(robot.shank),
        'half_width': robot.body.y / 2.0,
        'foot_radius': FOOT_RADIUS,
        'knee': robot.knee,
        'hip_range': list(robot.hip_range),
        'hip_effort': robot.hip_effort,
        'hip_speed': HIP_SPEED,
        'knee_range': list(robot.knee_range),
        'knee_effort': robot.knee_effort,
        'knee_speed': KNEE_SPEEDS[robot.knee],
    }


def spatial_biped_numbers(robot: SpatialKwalk) -> dict[str, Any]:
    """Return the numbers of the URDF of a biped in space: m, rad, kg and N m."""
    return {
        **biped_numbers(robot.planar),
        'body': _box(robot.body),
        'half_width': robot.hip_spacing / 2.0,
        'foot_radius': robot.foot_radius,
        'link': _box(robot.link),
        'yaw_range': list(robot.yaw_range),
        'yaw_effort': robot.yaw_effort,
        'roll_range': list(robot.roll_range),
        'roll_effort': robot.roll_effort,
    }


def _box(box: BodyBox) -> dict[str, Any]:
    """Return the sides and the mass of a solid box."""
    return {'size': [box.x, box.y, box.z], 'mass': box.mass}
