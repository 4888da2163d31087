"""What the xacro file of a hexapod on articulated legs has to know, from its model alone."""

import math
from typing import Any

from walking_robots.robots.articulated import JOINTS, ArticulatedHexapod, ArticulatedLeg, Masses

_SLENDERNESS = 0.2
"""Guessed thickness of a leg, as a share of the shorter of femur and tibia."""

_GRAVITY = 9.81


def articulated_numbers(robot: ArticulatedHexapod) -> dict[str, Any]:
    """Return the numbers of a hexapod's URDF: m, rad, kg and N m, joints as the robot counts them.

    Where its file says no strength of servos, ``effort`` is the guess that a leg stretched out
    level carries a third of the robot.
    """
    legs = robot.legs
    longest = max(leg.coxa + leg.femur + leg.tibia for leg in legs)
    return {
        'name': robot.name,
        'body': _body(robot),
        'joints': [joint for leg in legs for joint in _joints(leg, robot.masses)],
        'feet': [{'number': leg.number, 'reach': leg.tibia} for leg in legs],
        'foot_radius': robot.foot_radius,
        'joint_speed': robot.joint_speed,
        'effort': robot.servo.torque or robot.masses.total * _GRAVITY / 3 * longest,
    }


def _body(robot: ArticulatedHexapod) -> dict[str, Any]:
    """Return the body: bars along its outline, and the box round them that stands for its mass."""
    corners = robot.outline
    thickness = min(map(_thickness, robot.legs))
    low, high = ([end(part) for part in zip(*corners, strict=True)] for end in (min, max))
    (left, right), (rear, front) = ((low[axis], high[axis]) for axis in (1, 0))
    return {
        'mass': robot.masses.body,
        'size': [front - rear, right - left, thickness],
        'centre': [(front + rear) / 2, (left + right) / 2, 0.0],
        'thickness': thickness,
        'bars': [
            {
                'centre': [(x1 + x2) / 2, (y1 + y2) / 2],
                'length': math.hypot(x2 - x1, y2 - y1),
                'yaw': math.atan2(y2 - y1, x2 - x1),
            }
            for (x1, y1), (x2, y2) in zip(corners, corners[1:] + corners[:1], strict=True)
        ],
    }


def _joints(leg: ArticulatedLeg, masses: Masses) -> list[dict[str, Any]]:
    """Return the joints of a leg, each with the link that it turns.

    With value = direction * q + offset, the turn q about an axis is one of -direction * offset,
    which goes into the joint's origin, and one of the value about direction * axis.
    """
    links = ('coxa', 'femur', 'tibia')
    parents = ('base_link', f'leg{leg.number}_coxa', f'leg{leg.number}_femur')
    places = (leg.mount, (leg.coxa, 0.0, 0.0), (leg.femur, 0.0, 0.0))
    found = []
    for index, name in enumerate(leg.joint_names()):
        direction, offset, limits = leg.directions[index], leg.offsets[index], leg.ranges[index]
        ends = sorted(direction * end + offset for end in (limits.low, limits.high))
        if JOINTS[index] == 'yaw':
            axis, rpy = [0.0, 0.0, direction], [0.0, 0.0, leg.heading - direction * offset]
        else:
            # Legs lift about -y.
            axis, rpy = [0.0, -direction, 0.0], [0.0, direction * offset, 0.0]
        found.append(
            {
                'name': name,
                'parent': parents[index],
                'child': f'leg{leg.number}_{links[index]}',
                'xyz': list(places[index]),
                'rpy': rpy,
                'axis': axis,
                'lower': ends[0],
                'upper': ends[1],
                'home': direction * leg.home[index] + offset,
                'length': getattr(leg, links[index]),
                'thickness': _thickness(leg),
                'mass': getattr(masses, links[index]),
            }
        )
    return found


def _thickness(leg: ArticulatedLeg) -> float:
    return _SLENDERNESS * min(leg.femur, leg.tibia)
