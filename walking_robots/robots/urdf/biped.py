"""What the xacro file of a planar biped has to know, from its model alone."""

from typing import Any

from walking_robots.robots.kwalk import BodyBox, Kwalk

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


def _box(box: BodyBox) -> dict[str, Any]:
    """Return the sides and the mass of a solid box."""
    return {'size': [box.x, box.y, box.z], 'mass': box.mass}
