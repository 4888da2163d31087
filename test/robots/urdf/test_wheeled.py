"""Test the URDF of the Super Scout against its numbers."""

import io
import math

import numpy as np
import pytest

from walking_robots.robots.super_scout import SUPER_SCOUT
from walking_robots.robots.urdf.description import robot_description

yourdfpy = pytest.importorskip('yourdfpy')

SONAR = SUPER_SCOUT.sonar


def load(**arguments: float) -> yourdfpy.URDF:
    return yourdfpy.URDF.load(
        io.BytesIO(robot_description(SUPER_SCOUT.name, **arguments).encode()),
        load_meshes=False,
        build_scene_graph=True,
        load_collision_meshes=False,
    )


def test_wheels_stand_on_the_floor_beside_base_link() -> None:
    robot = load()
    for name, side in (('left', 1.0), ('right', -1.0)):
        joint = robot.joint_map[f'{name}_wheel_joint']
        assert joint.type == 'continuous'
        assert joint.axis == pytest.approx((0.0, 1.0, 0.0)), 'positive is ahead'
        place = robot.get_transform(f'{name}_wheel', 'base_link')[:3, 3]
        expected = (0.0, side * SUPER_SCOUT.wheel_separation / 2.0, SUPER_SCOUT.wheel_radius)
        assert place == pytest.approx(expected, abs=1e-6)


def test_sonars_look_outwards_from_their_ring() -> None:
    robot = load()
    for number in range(SONAR.count):
        frame = robot.get_transform(f'sonar_{number}', 'base_link')
        bearing = SONAR.bearing(number)
        way = np.array((math.cos(bearing), math.sin(bearing), 0.0))
        assert frame[:3, 0] == pytest.approx(way, abs=1e-5)
        assert frame[:3, 3] == pytest.approx(SONAR.radius * way + (0, 0, SONAR.height), abs=1e-5)


def test_what_is_measured_on_a_robot_can_be_given() -> None:
    robot = load(
        wheel_separation=0.4, wheel_radius=0.07, sonar_ring_radius=0.19, sonar_ring_height=0.3
    )
    wheel = robot.get_transform('left_wheel', 'base_link')[:3, 3]
    assert wheel == pytest.approx((0.0, 0.2, 0.07))
    assert robot.get_transform('sonar_4', 'base_link')[:3, 3] == pytest.approx(
        (0.0, 0.19, 0.3), abs=1e-6
    )


def test_the_body_keeps_to_the_known_outline() -> None:
    robot = load()
    drums = [
        visual
        for link in ('base_link', 'bumper')
        for visual in robot.link_map[link].visuals
        if visual.geometry.cylinder is not None
    ]
    tops = [visual.origin[2, 3] + visual.geometry.cylinder.length / 2.0 for visual in drums]
    assert max(tops) == pytest.approx(SUPER_SCOUT.height)
    radii = [visual.geometry.cylinder.radius for visual in drums]
    assert max(radii) == pytest.approx(SUPER_SCOUT.radius)


def test_masses_add_up() -> None:
    masses = [link.inertial.mass for link in load().link_map.values() if link.inertial is not None]
    assert sum(masses) == pytest.approx(SUPER_SCOUT.mass)
