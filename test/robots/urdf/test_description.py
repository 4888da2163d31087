"""Test the URDF of the Adaptive Suspension Vehicle against its kinematics."""

import io
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from walking_robots.documents.shared import shared_path
from walking_robots.legs.kinematics import leg_kinematics
from walking_robots.robots.asv import ASV, PANTOGRAPH
from walking_robots.robots.urdf.description import (
    ROBOTS,
    numbers_text,
    robot_description,
)
from walking_robots.robots.urdf.hexapod import volume_section

yourdfpy = pytest.importorskip('yourdfpy')

ROOT = Path(__file__).parents[3]


def load(text: str) -> yourdfpy.URDF:
    return yourdfpy.URDF.load(
        io.BytesIO(text.encode()),
        load_meshes=False,
        build_scene_graph=True,
        load_collision_meshes=False,
    )


@pytest.mark.parametrize('robot', ROBOTS)
def test_numbers_file_equals_the_robot_module(robot: str) -> None:
    file = f'config/{robot}_description.yaml'
    text = (ROOT / file).read_text()
    assert text == numbers_text(robot), (
        f'run: python -m walking_robots.robots.urdf.description {robot} > {file}'
    )


@pytest.mark.parametrize('robot', ROBOTS)
def test_plain_xacro_command_renders_the_same(robot: str) -> None:
    command = shutil.which('xacro', path=str(Path(sys.executable).parent)) or 'xacro'
    done = subprocess.run(
        [command, str(ROOT / 'urdf' / f'{robot}.urdf.xacro')],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ''
    assert _links(done.stdout) == _links(robot_description(robot))


def _links(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if '<!--' not in line and line.strip()]


def test_joints_are_named_as_the_model_names_them() -> None:
    joints = load(robot_description()).joint_map
    for name in (*ASV.joint_names(), *ASV.passive_joint_names()):
        assert name in joints
    assert joints['leg3_drive'].type == joints['leg3_lift'].type == 'prismatic'
    assert joints['leg3_rod'].mimic.joint == 'leg3_knee'


@pytest.mark.parametrize('shift', [(0.0, 0.0, 0.0), (0.3, 0.1, 0.2), (-0.4, -0.2, 0.35)])
def test_feet_are_where_the_kinematics_put_them(shift: tuple[float, float, float]) -> None:
    legs = leg_kinematics(ASV)
    feet = np.array([leg.start_foot for leg in ASV.legs]) + shift
    joints = legs.inverse(feet)
    names = (*ASV.joint_names(), *ASV.passive_joint_names())
    values = (*joints.ravel(), *legs.passive(joints).ravel())
    robot = load(robot_description())
    robot.update_cfg(
        {
            name: float(value)
            for name, value in zip(names, values, strict=True)
            if robot.joint_map[name].mimic is None
        }
    )
    for leg, foot in zip(ASV.legs, feet, strict=True):
        prefix = f'leg{leg.number}'
        found = robot.get_transform(f'{prefix}_foot', 'base_link')[:3, 3]
        # The printed thigh and the repaired short link close the linkage to a tenth of a mm.
        assert found == pytest.approx(foot, abs=2e-4)
        carriage = robot.get_transform(f'{prefix}_carriage', 'base_link')[:3, 3]
        rod = robot.get_transform(f'{prefix}_short', 'base_link')
        end = rod @ np.array([0.0, 0.0, -PANTOGRAPH.s2, 1.0])
        assert end[:3] == pytest.approx(carriage, abs=2e-4), 'the rod drives the linkage'


def test_working_volumes_are_a_toggle() -> None:
    assert 'leg1_volume' not in robot_description()
    robot = load(robot_description(working_volumes=True))
    assert len(robot.link_map['leg6_volume'].visuals) == 4


def test_volume_section_has_the_corners_of_the_wedge() -> None:
    for leg in ASV.legs:
        _, _, corners = volume_section(leg)
        for y, z in corners:
            borders = [np.dot(p.normal, (leg.start_foot[0], y, z)) + p.offset for p in leg.volume]
            assert sorted(abs(border) for border in borders)[:2] == pytest.approx([0, 0], abs=1e-9)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ValueError, match='unknown, choose one of asv'):
        robot_description('asw')
    with pytest.raises(FileNotFoundError, match=r'urdf/none.xacro is missing'):
        shared_path('urdf/none.xacro')
