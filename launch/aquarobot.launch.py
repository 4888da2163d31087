"""Launch Aquarobot: what hexapod.launch.py launches, with this robot and its parameters."""

from launch.actions import IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import PathJoinSubstitution
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription

PACKAGE = 'walking_robots'


def shared(*path):
    return PathJoinSubstitution([FindPackageShare(PACKAGE), *path])


def generate_launch_description():
    hexapod = PythonLaunchDescriptionSource(shared('launch', 'hexapod.launch.py'))
    given = {'robot': 'aquarobot', 'parameters': shared('config', 'aquarobot.yaml')}
    return LaunchDescription([IncludeLaunchDescription(hexapod, launch_arguments=given.items())])
