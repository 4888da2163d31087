"""Launch Aquarobot: hexapod.launch.py with this robot and its parameters."""

from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource

from launch import LaunchDescription
from walking_robots.nodes.common.launch_files import shared


def generate_launch_description():
    hexapod = PythonLaunchDescriptionSource(shared('launch', 'hexapod.launch.py'))
    given = {'robot': 'aquarobot', 'parameters': shared('config', 'aquarobot.yaml')}
    return LaunchDescription([IncludeLaunchDescription(hexapod, launch_arguments=given.items())])
