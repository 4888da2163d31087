"""What the xacro file of a round robot on wheels has to know, from its model and its looks."""

from dataclasses import astuple
from typing import Any

from walking_robots.robots.urdf.super_scout_visuals import Drum, WheeledLooks
from walking_robots.robots.wheeled import WheeledModel


def wheeled_numbers(model: WheeledModel, looks: WheeledLooks) -> dict[str, Any]:
    """Return the numbers of a wheeled robot's URDF: m, rad and kg."""
    sonar = model.sonar
    return {
        'radius': model.radius,
        'height': model.height,
        'mass': model.mass,
        'wheel_separation': model.wheel_separation,
        'wheel_radius': model.wheel_radius,
        'wheel_width': model.wheel_width,
        'wheel_mass': looks.wheel_mass,
        'sonar_ring_radius': sonar.radius,
        'sonar_ring_height': sonar.height,
        'sonars': [
            {'number': number, 'yaw': sonar.bearing(number)} for number in range(sonar.count)
        ],
        'sensor': list(looks.sensor),
        'body': [_drum(drum) for drum in looks.body],
        'bumper': _drum(looks.bumper),
        'caster_radius': looks.caster_radius,
        'caster_place': list(looks.caster_place),
        'mark': [list(part) for part in looks.mark],
    }


def _drum(drum: Drum) -> dict[str, Any]:
    """Return an upright cylinder as URDF takes it: by its middle."""
    radius, bottom, top, material = astuple(drum)
    return {
        'radius': radius,
        'length': top - bottom,
        'middle': (bottom + top) / 2.0,
        'material': material,
    }
