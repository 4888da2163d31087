"""What the xacro file of a hexapod has to know, from its model and its looks."""

import math
from typing import Any

from walking_robots.robots.model import HexapodModel, LegModel, PantographModel
from walking_robots.robots.urdf.asv_visuals import Looks

_GRAVITY = 9.81


def pantograph_length(links: PantographModel, looks: Looks) -> float:
    """Return how far below its hip a foot is at most, m."""
    return links.slider_reference + links.vertical_gain * looks.lift_range[1]


def foot_strengths(links: PantographModel, looks: Looks) -> tuple[float, float, float]:
    """Return the greatest torque of abduction, N m, and forces of lift and drive at the foot, N.

    They are guesses: a foot lifts one and a half robots, and pushes with half of the weight aside
    and ahead, because the middle leg of a tripod carries half of it.
    """
    weight = _GRAVITY * (looks.body_mass + 6 * 3 * looks.leg_link_mass)
    return weight * pantograph_length(links, looks) / 2, 1.5 * weight, weight / 2


def hexapod_numbers(model: HexapodModel, links: PantographModel, looks: Looks) -> dict[str, Any]:
    """Return the numbers of the URDF of a hexapod on pantograph legs: m, rad and kg."""
    abduction, lift, drive = foot_strengths(links, looks)
    return {
        'legs': [
            _leg(leg, knee, looks)
            for leg, knee in zip(model.legs, links.knee_directions, strict=True)
        ],
        'hinge_offset': links.hinge_offset,
        'slider_reference': links.slider_reference,
        'thigh': links.thigh,
        'shank': links.shank,
        'rod_pivot': links.s1,
        'rod': links.s2,
        'body': [
            {'size': list(box.size), 'centre': list(box.centre), 'material': box.material}
            for box in looks.body
        ],
        'body_mass': looks.body_mass,
        'leg_link_mass': looks.leg_link_mass,
        'abduction_limit': looks.abduction_limit,
        'abduction_effort': abduction,
        'lift_range': list(looks.lift_range),
        'lift_effort': links.vertical_gain * lift,
        'drive_limit': looks.drive_limit,
        'drive_effort': links.horizontal_gain * drive,
        'thigh_section': list(looks.thigh_section),
        'shank_section': list(looks.shank_section),
        'rod_section': list(looks.rod_section),
        'foot_radius': looks.foot_radius,
    }


def _leg(leg: LegModel, knee_direction: int, looks: Looks) -> dict[str, Any]:
    """Return what the xacro file needs to know about one leg."""
    return {
        'number': leg.number,
        'side': leg.side,
        'hip': list(leg.hip),
        'knee_direction': knee_direction,
        'volume': _volume_panels(leg, looks.panel),
    }


def volume_section(leg: LegModel) -> tuple[float, float, list[tuple[float, float]]]:
    """Return the working volume of a leg as x_min, x_max and its section, m, body frame.

    The section lists (y, z) of the corners: top left, top right, bottom right, bottom left
    (asv.md §3.2).
    """
    planes = {plane.name: plane for plane in leg.volume}
    x_min, x_max = -planes['rear'].offset, -planes['front'].offset
    corners = []
    for level, sides in (('up', ('left', 'right')), ('bottom', ('right', 'left'))):
        z = -planes[level].offset
        for name in sides:
            _, y_part, z_part = planes[name].normal
            corners.append((-(planes[name].offset + z_part * z) / y_part, z))
    return x_min, x_max, corners


def _volume_panels(leg: LegModel, thickness: float) -> list[dict[str, Any]]:
    """Return the long faces of a working volume as thin boxes; a wedge is no URDF primitive."""
    x_min, x_max, corners = volume_section(leg)
    panels = []
    for (y1, z1), (y2, z2) in zip(corners, corners[1:] + corners[:1], strict=True):
        panels.append(
            {
                'size': [x_max - x_min, math.hypot(y2 - y1, z2 - z1), thickness],
                'centre': [(x_min + x_max) / 2, (y1 + y2) / 2, (z1 + z2) / 2],
                'roll': math.atan2(z2 - z1, y2 - y1),
            }
        )
    return panels
