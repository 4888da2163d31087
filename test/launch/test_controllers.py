"""The controllers of ros2_control agree with the URDF, the launch file and the servo bus."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
import yaml

from walking_robots.robots.hexapod_files import find_hexapod
from walking_robots.robots.urdf.description import articulated_description

ROOT = Path(__file__).parents[2]
FILE = yaml.safe_load((ROOT / 'config/ros2_control/hexapod_controllers.yaml').read_text())
LAUNCH = (ROOT / 'launch/hexapod.launch.py').read_text()


@pytest.mark.parametrize('robot', ['insect18', 'aquarobot', 'rectangular'])
def test_they_command_what_the_hardware_of_a_robot_offers(robot: str) -> None:
    found = find_hexapod(robot)
    tree = ElementTree.fromstring(articulated_description(found, 'topic'))
    given = FILE['joint_trajectory_controller']['ros__parameters']
    assert given['joints'] == list(found.joint_names())
    for joint in tree.findall('ros2_control/joint'):
        for kind in ('command', 'state'):
            offered = [part.get('name') for part in joint.findall(f'{kind}_interface')]
            assert given[f'{kind}_interfaces'] == offered


def test_the_launch_file_spawns_them_and_the_servo_bus_is_their_hardware() -> None:
    tree = ElementTree.fromstring(articulated_description(find_hexapod('insect18'), 'topic'))
    topics = {part.get('name'): part.text for part in tree.findall('ros2_control/hardware/param')}
    bus = (ROOT / 'walking_robots/nodes/hexapod/servo_bus.py').read_text()
    assert f"'{topics['joint_commands_topic']}'" in bus
    assert f"'{topics['joint_states_topic']}'" in LAUNCH
    manager = FILE['controller_manager']['ros__parameters']
    spawned = set(manager) - {'update_rate'}
    assert spawned == {name for name in FILE if name != 'controller_manager'}
    assert all(f"'{name}'" in LAUNCH for name in spawned)
