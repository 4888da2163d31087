"""Test the URDF of hexapods on articulated legs against their kinematics."""

import dataclasses
import io
import math
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest
import yaml

from walking_robots.legs.articulated import ArticulatedLegs
from walking_robots.robots.aquarobot import AQUAROBOT
from walking_robots.robots.hexapod_files import load_hexapod
from walking_robots.robots.urdf.articulated import articulated_numbers
from walking_robots.robots.urdf.description import HARDWARE, articulated_description

yourdfpy = pytest.importorskip('yourdfpy')

ROOT = Path(__file__).parents[3]
ROBOTS = {file.stem: load_hexapod(file) for file in (ROOT / 'config/robots').glob('*.yaml')}
POSTURES = 200
every_robot = pytest.mark.parametrize('robot', ROBOTS.values(), ids=ROBOTS)


def load(robot, **arguments):
    text = articulated_description(robot, **arguments)
    return yourdfpy.URDF.load(
        io.BytesIO(text.encode()), load_meshes=False, load_collision_meshes=False
    )


def feet(urdf, robot, values):
    """Return the feet of own joint values (6, 3) by the URDF, (6, 3)."""
    urdf.update_cfg(dict(zip(robot.joint_names(), values.ravel(), strict=True)))
    return np.array(
        [urdf.get_transform(f'leg{number}_foot', 'base_link')[:3, 3] for number in range(1, 7)]
    )


@every_robot
def test_feet_are_where_the_kinematics_put_them(robot):
    legs, urdf = ArticulatedLegs(robot), load(robot)
    postures = np.random.default_rng(7).uniform(legs.low, legs.high, (POSTURES, 6, 3))
    found = np.array([feet(urdf, robot, values) for values in legs.values(postures)])
    assert np.abs(found - legs.forward(postures)).max() < 1e-9


def test_legs_that_differ_from_each_other_are_described_as_they_are():
    odd = dataclasses.replace(
        AQUAROBOT.legs[2], coxa=0.0, heading=-1.3, directions=(1, -1, -1), offsets=(0.3, -0.7, 2.2)
    )
    robot = dataclasses.replace(
        AQUAROBOT, legs=(*AQUAROBOT.legs[:2], odd, *AQUAROBOT.legs[3:]), name='odd'
    )
    legs, urdf = ArticulatedLegs(robot), load(robot)
    assert feet(urdf, robot, legs.values(legs.home)) == pytest.approx(
        legs.forward(legs.home), abs=1e-12
    )


@every_robot
def test_limits_are_those_of_the_robot_in_its_own_values(robot):
    legs, joints = ArticulatedLegs(robot), load(robot).joint_map
    limits = [joints[name].limit for name in robot.joint_names()]
    found = np.array([(limit.lower, limit.upper) for limit in limits]).reshape(6, 3, 2)
    ends = np.stack([legs.values(legs.low), legs.values(legs.high)], axis=-1)
    assert np.array_equal(found, np.sort(ends))
    assert {limit.velocity for limit in limits} == {robot.joint_speed}


def test_aquarobot_has_the_joints_of_the_specification():
    # aquarobot.md §13.
    joints = load(AQUAROBOT).joint_map
    for number in range(1, 7):
        phi = math.radians(60 * (number - 1))
        yaw, lift, knee = (joints[f'leg{number}_{name}'] for name in ('yaw', 'lift', 'knee'))
        cos, sin = math.cos(phi), math.sin(phi)
        hip = [[cos, sin, 0, 0.375 * cos], [-sin, cos, 0, -0.375 * sin], [0, 0, 1, 0]]
        assert yaw.origin[:3] == pytest.approx(np.array(hip), abs=1e-13)
        assert yaw.axis.tolist() == [0, 0, -1]
        for joint, out in ((lift, 0.2), (knee, 0.5), (joints[f'leg{number}_tip'], 1.0)):
            along = np.eye(4)
            along[0, 3] = out
            assert joint.origin == pytest.approx(along, abs=1e-13)
        assert lift.axis.tolist() == knee.axis.tolist() == [0, -1, 0]
        for joint, low, high in (
            (yaw, -1.047198, 1.047198),
            (lift, -1.860521, 1.281072),
            (knee, -2.729695, 0.411898),
        ):
            assert (joint.limit.lower, joint.limit.upper) == pytest.approx((low, high), abs=5e-7)


@every_robot
def test_links_weigh_what_the_robot_does(robot):
    links = load(robot).link_map.values()
    masses = [link.inertial.mass for link in links if link.inertial]
    assert sum(masses) == pytest.approx(robot.masses.total)
    for inertia in (link.inertial.inertia for link in links if link.inertial):
        x, y, z = np.diag(inertia)
        assert min(x, y, z) > 0 and x + y > z and y + z > x and z + x > y


def test_links_without_mass_have_no_inertia():
    masses = dataclasses.replace(AQUAROBOT.masses, coxa=0.0)
    links = load(dataclasses.replace(AQUAROBOT, masses=masses)).link_map
    assert links['leg1_coxa'].inertial is None and links['leg1_femur'].inertial is not None


def test_ros2_control_has_every_joint_with_its_position():
    robot = ROBOTS['insect18']
    legs = ArticulatedLegs(robot)
    for hardware, plugin in zip(HARDWARE, ('mock_components', 'joint_state_topic'), strict=True):
        tree = ElementTree.fromstring(articulated_description(robot, hardware))
        [block] = tree.findall('ros2_control')
        assert block.findtext('hardware/plugin').startswith(plugin)
        joints = block.findall('joint')
        assert [joint.get('name') for joint in joints] == list(robot.joint_names())
        for kind in ('command_interface', 'state_interface'):
            assert [[part.get('name') for part in joint.findall(kind)] for joint in joints] == [
                ['position']
            ] * 18
        rest = [float(joint.findtext('state_interface/param')) for joint in joints]
        assert rest == legs.values(legs.home).ravel().tolist()
    assert '<ros2_control' not in articulated_description(robot)


def test_plain_xacro_command_renders_the_same(tmp_path):
    numbers = tmp_path / 'numbers.yaml'
    numbers.write_text(yaml.safe_dump(articulated_numbers(AQUAROBOT)))
    command = shutil.which('xacro', path=str(Path(sys.executable).parent)) or 'xacro'
    done = subprocess.run(
        [command, str(ROOT / 'urdf/hexapod.urdf.xacro'), f'numbers:={numbers}'],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ''
    assert (
        done.stdout.split('<robot')[1] == (articulated_description(AQUAROBOT).split('<robot')[1])
    )


def test_unknown_hardware_is_refused():
    with pytest.raises(ValueError, match=r"hardware 'arduino' is unknown, choose one of mock, t"):
        articulated_description(AQUAROBOT, 'arduino')
