"""Render the URDF of a robot from its xacro file and the numbers of its module.

``python -m walking_robots.robots.description`` prints config/asv_description.yaml, through which
the plain ``xacro`` command gets the same numbers.
"""

import math
from pathlib import Path
from typing import Any

import xacro  # type: ignore[import-untyped]
import yaml

from walking_robots.robots.asv import ASV
from walking_robots.robots.asv_looks import ASV_LOOKS, Looks
from walking_robots.robots.model import LegModel

__all__ = [
    'description_numbers',
    'numbers_text',
    'robot_description',
    'shared_path',
    'volume_section',
]

_PACKAGE = 'walking_robots'
_ROBOTS = {'asv': (ASV, ASV_LOOKS)}


def shared_path(relative: str) -> Path:
    """Return the path of a file that is installed beside the code, such as 'urdf/asv.urdf.xacro'.

    Looks in the source checkout and in the share directory of every prefix around the code.
    Raises FileNotFoundError with one sentence when neither has it.
    """
    for folder in Path(__file__).resolve().parents:
        for root in (folder, folder / 'share' / _PACKAGE):
            if (root / relative).is_file():
                return root / relative
    raise FileNotFoundError(f'{relative} is missing, install {_PACKAGE} with its data files')


def robot_description(robot: str = 'asv', working_volumes: bool = False) -> str:
    """Return the URDF text of a robot; `working_volumes` adds them as translucent panels.

    Raises ValueError for an unknown robot.
    """
    if robot not in _ROBOTS:
        raise ValueError(f'robot {robot!r} is unknown, choose one of {", ".join(_ROBOTS)}')
    path = shared_path(f'urdf/{robot}.urdf.xacro')
    document = xacro.process_file(
        str(path), mappings={'working_volumes': str(working_volumes).lower()}
    )
    return str(document.toprettyxml(indent='  '))


def description_numbers(robot: str = 'asv') -> dict[str, Any]:
    """Return the numbers that the xacro file of a robot needs, rounded to a micrometre."""
    model, looks = _ROBOTS[robot]
    links = model.pantograph
    numbers = {
        'legs': [_leg(leg, looks) for leg in model.legs],
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
        'lift_range': list(looks.lift_range),
        'drive_limit': looks.drive_limit,
        'thigh_section': list(looks.thigh_section),
        'shank_section': list(looks.shank_section),
        'rod_section': list(looks.rod_section),
        'foot_radius': looks.foot_radius,
    }
    rounded: dict[str, Any] = _rounded(numbers)
    return rounded


def numbers_text(robot: str = 'asv') -> str:
    """Return the text of the file from which the xacro file of a robot takes its numbers."""
    return (
        '# Numbers for urdf/asv.urdf.xacro in m, rad and kg. Written by\n'
        '#   python -m walking_robots.robots.description > config/asv_description.yaml\n'
        '# from walking_robots/robots/asv.py and asv_looks.py; a test keeps them equal.\n'
        + yaml.safe_dump(description_numbers(robot), default_flow_style=None, sort_keys=False)
    )


def _leg(leg: LegModel, looks: Looks) -> dict[str, Any]:
    """Return what the xacro file needs to know about one leg."""
    return {
        'number': leg.number,
        'side': leg.side,
        'hip': list(leg.hip),
        'knee_direction': leg.knee_direction,
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


def _rounded(value: Any) -> Any:
    """Return nested numbers rounded to six digits, so that the file reads well."""
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return round(value, 6) + 0.0 if isinstance(value, float) else value


if __name__ == '__main__':
    print(numbers_text(), end='')
