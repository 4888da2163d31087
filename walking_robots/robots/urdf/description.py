"""Render the URDF of a robot from its xacro file and the numbers of its module.

``python -m walking_robots.robots.urdf.description asv`` prints config/asv_description.yaml, from
which the plain ``xacro`` command gets the same numbers; likewise for every robot.
"""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from xml.etree import ElementTree

import xacro  # type: ignore[import-untyped]
import yaml

from walking_robots.documents.shared import shared_path
from walking_robots.robots.articulated import ArticulatedHexapod
from walking_robots.robots.asv import ASV, PANTOGRAPH
from walking_robots.robots.kwalk import KWALKA, KWALKB
from walking_robots.robots.kwalk_spatial import KWALKB3D
from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.robots.urdf.articulated import articulated_numbers
from walking_robots.robots.urdf.asv_visuals import ASV_VISUALS
from walking_robots.robots.urdf.biped import biped_numbers, spatial_biped_numbers
from walking_robots.robots.urdf.hexapod import hexapod_numbers
from walking_robots.robots.urdf.super_scout_visuals import SUPER_SCOUT_VISUALS
from walking_robots.robots.urdf.urdf_tree import BASE, read_urdf
from walking_robots.robots.urdf.wheeled import wheeled_numbers


class Described(NamedTuple):
    """A robot that has a description: the numbers of its xacro file, and what they come from."""

    numbers: Callable[[], dict[str, Any]]
    sources: str


ROBOTS: Mapping[str, Described] = {
    ASV.name: Described(
        lambda: hexapod_numbers(ASV, PANTOGRAPH, ASV_VISUALS), 'asv.py and asv_visuals.py'
    ),
    SUPER_SCOUT.name: Described(
        lambda: wheeled_numbers(SUPER_SCOUT, SUPER_SCOUT_VISUALS),
        'super_scout.py and super_scout_visuals.py',
    ),
    KWALKA.name: Described(lambda: biped_numbers(KWALKA), 'kwalk.py'),
    KWALKB.name: Described(lambda: biped_numbers(KWALKB), 'kwalk.py'),
    KWALKB3D.name: Described(lambda: spatial_biped_numbers(KWALKB3D), 'kwalk_spatial.py'),
}
"""The robots that have a description, by their names."""

HARDWARE = ('mock', 'topic')
"""What moves the joints of an articulated hexapod under ros2_control."""


def robot_description(robot: str = ASV.name, **arguments: bool | float) -> str:
    """Return the URDF text of a robot; `arguments` are those of its xacro file.

    Raises ValueError for an unknown robot.
    """
    _check(robot)
    words = {name: str(value).lower() for name, value in arguments.items()}
    document = xacro.process_file(str(shared_path(f'urdf/{robot}.urdf.xacro')), mappings=words)
    return str(document.toprettyxml(indent='  '))


def articulated_description(robot: ArticulatedHexapod, ros2_control: str | None = None) -> str:
    """Return the URDF text of a hexapod on articulated legs, its numbers to the last digit.

    It is that of the robot's ``description``, if there is one. ros2_control: one of `HARDWARE`
    writes one with its block instead. Raises ValueError, one sentence, for any other, and for a
    description that is not of the robot.
    """
    if robot.description is not None and ros2_control is None:
        return _own_description(robot, robot.description)
    if ros2_control not in (None, *HARDWARE):
        known = ', '.join(HARDWARE)
        raise ValueError(f'hardware {ros2_control!r} is unknown, choose one of {known}')
    with TemporaryDirectory() as folder:
        numbers = Path(folder) / 'numbers.yaml'
        numbers.write_text(yaml.safe_dump(articulated_numbers(robot)))
        document = xacro.process_file(
            str(shared_path('urdf/hexapod.urdf.xacro')),
            mappings={'numbers': str(numbers), 'ros2_control': ros2_control or 'none'},
        )
    # What xacro and its file say before the robot is about files that are not this one.
    return '<?xml version="1.0"?>\n' + str(document.documentElement.toprettyxml(indent='  '))


def _own_description(robot: ArticulatedHexapod, path: Path) -> str:
    """Return the text of a robot's URDF, with its meshes by path."""
    tree = read_urdf(path)
    missing = set(robot.joint_names()) - {joint.name for joint in tree.joints.values()}
    if missing or tree.root != BASE:
        what = f'has no joint {min(missing)}' if missing else f'begins with {tree.root}'
        raise ValueError(
            f"{path}: {what}; write it by 'walking_robots robot import FILE --urdf', or leave "
            f'description out of the file of {robot.name}'
        )
    return ElementTree.tostring(tree.with_mesh_paths(), 'unicode', xml_declaration=True)


def description_numbers(robot: str = ASV.name) -> dict[str, Any]:
    """Return the numbers that the xacro file of a robot needs, rounded to a micrometre.

    Raises ValueError for an unknown robot.
    """
    _check(robot)
    rounded: dict[str, Any] = _rounded(ROBOTS[robot].numbers())
    return rounded


def numbers_text(robot: str = ASV.name) -> str:
    """Return the text of the file from which the xacro file of a robot takes its numbers.

    Raises ValueError for an unknown robot.
    """
    numbers = description_numbers(robot)
    return (
        f'# Numbers for urdf/{robot}.urdf.xacro in m, rad and kg. Written by\n'
        f'#   python -m walking_robots.robots.urdf.description {robot}'
        f' > config/{robot}_description.yaml\n'
        f'# from walking_robots/robots/{ROBOTS[robot].sources}; a test keeps them equal.\n'
        + yaml.safe_dump(numbers, default_flow_style=None, sort_keys=False)
    )


def _check(robot: str) -> None:
    """Raise ValueError for a robot without a description."""
    if robot not in ROBOTS:
        raise ValueError(f'robot {robot!r} is unknown, choose one of {", ".join(ROBOTS)}')


def _rounded(value: Any) -> Any:
    """Return nested numbers rounded to six digits, so that the file reads well."""
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return round(value, 6) + 0.0 if isinstance(value, float) else value


if __name__ == '__main__':
    print(numbers_text(*sys.argv[1:]), end='')
