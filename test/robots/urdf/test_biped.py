"""Test the URDF of the bipeds against their numbers and their kinematics."""

import io

import numpy as np
import pytest

from walking_robots.gaits.biped.virtual_legs import virtual_leg
from walking_robots.robots.kwalk import JOINTS, KWALKA, KWALKB, LEFT, RIGHT, Kwalk
from walking_robots.robots.kwalk_spatial import KWALKB3D, SPATIAL_JOINTS, SpatialKwalk
from walking_robots.robots.urdf.description import robot_description
from walking_robots.simulation.biped.feet import foot_kinematics
from walking_robots.simulation.biped.spatial_simulation import SpatialSimulation
from walking_robots.simulation.biped.state import SimulationSettings
from walking_robots.terrain.profile import LEVEL

yourdfpy = pytest.importorskip('yourdfpy')

BOTH = pytest.mark.parametrize('robot', [KWALKA, KWALKB], ids=lambda robot: robot.name)


def load(robot: Kwalk | SpatialKwalk) -> yourdfpy.URDF:
    return yourdfpy.URDF.load(
        io.BytesIO(robot_description(robot.name).encode()),
        load_meshes=False,
        build_scene_graph=True,
        load_collision_meshes=False,
        build_collision_scene_graph=False,
    )


@BOTH
def test_joints_have_the_limits_and_efforts_of_the_robot(robot: Kwalk) -> None:
    joints = load(robot).joint_map
    moving = [name for name, joint in joints.items() if joint.type != 'fixed']
    assert moving == list(JOINTS)
    ranges = (robot.hip_range, robot.knee_range) * 2
    for name, ends, effort in zip(JOINTS, ranges, robot.efforts, strict=True):
        limit = joints[name].limit
        assert (limit.lower, limit.upper) == pytest.approx(ends, abs=1e-6)
        assert limit.effort == effort
    assert joints['rhip'].type == joints['lhip'].type == 'revolute'
    assert joints['rknee'].type == joints['lknee'].type == robot.knee


@BOTH
def test_links_weigh_and_resist_turning_as_their_boxes_do(robot: Kwalk) -> None:
    links = load(robot).link_map
    boxes = {'body': robot.body, 'rthigh': robot.thigh, 'lshank': robot.shank}
    for name, box in boxes.items():
        inertial = links[name].inertial
        assert inertial.mass == pytest.approx(box.mass, abs=1e-6)
        assert np.diag(inertial.inertia) == pytest.approx(box.inertia, abs=1e-6)
    masses = [link.inertial.mass for link in links.values() if link.inertial is not None]
    assert sum(masses) == pytest.approx(robot.mass, abs=1e-5)
    assert links['base_link'].inertial is None


@BOTH
def test_feet_are_where_simulation_and_virtual_legs_have_them(robot: Kwalk) -> None:
    urdf, place, leg = load(robot), foot_kinematics(robot), virtual_leg(robot)
    generator = np.random.default_rng(6)
    ranges = np.array((robot.hip_range, robot.knee_range) * 2)
    for joints in generator.uniform(*ranges.T, size=(20, 4)):
        urdf.update_cfg(dict(zip(JOINTS, joints, strict=True)))
        for side, name, y in ((RIGHT, 'rfoot', -0.15), (LEFT, 'lfoot', 0.15)):
            thigh, knee = joints[2 * side : 2 * side + 2]
            foot = urdf.get_transform(name, 'base_link')[:3, 3]
            expected = place(thigh, knee)
            assert foot == pytest.approx((expected.x, y, expected.z), abs=1e-6)
            length, angle, _, _ = leg.forward(thigh, knee, 0.0, 0.0)
            drawn = -length * np.array((np.sin(angle), np.cos(angle)))
            assert foot[[0, 2]] == pytest.approx(drawn, abs=1e-6)


def test_the_robot_in_space_is_described_as_it_is_simulated() -> None:
    settings = SimulationSettings('native')
    generator = np.random.default_rng(7)
    urdf = load(KWALKB3D)
    moving = [name for name, joint in urdf.joint_map.items() if joint.type != 'fixed']
    assert moving == list(SPATIAL_JOINTS)
    masses = [link.inertial.mass for link in urdf.link_map.values() if link.inertial is not None]
    assert sum(masses) == pytest.approx(KWALKB3D.mass, abs=1e-5)
    for name, most in zip(SPATIAL_JOINTS, KWALKB3D.efforts, strict=True):
        assert urdf.joint_map[name].limit.effort == most
    for _ in range(10):
        joints = generator.uniform(-0.5, 0.5, size=8)
        joints[[3, 7]] = generator.uniform(0.2, 1.5, size=2)
        urdf.update_cfg(dict(zip(SPATIAL_JOINTS, joints, strict=True)))
        found = SpatialSimulation.standing(KWALKB3D, LEVEL, settings, tuple(joints)).state
        for name, foot in zip(('rfoot', 'lfoot'), found.feet, strict=True):
            # The frame is at the end of the shank, the sphere that touches above it.
            frame = urdf.get_transform(name, 'base_link')
            centre = frame[:3, 3] + KWALKB3D.foot_radius * frame[:3, 2]
            assert centre == pytest.approx(np.array(foot.place) - found.place, abs=1e-6)
