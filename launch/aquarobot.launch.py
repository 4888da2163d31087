"""Launch Aquarobot: hexapod.launch.py with this robot and its parameters."""

from launch.actions import DeclareLaunchArgument, IncludeLaunchDescription
from launch.launch_description_sources import PythonLaunchDescriptionSource

from launch import LaunchDescription
from walking_robots.nodes.common.launch_files import shared


def generate_launch_description():
    hexapod = PythonLaunchDescriptionSource(shared('launch', 'hexapod.launch.py'))
    parameters = shared('config', 'aquarobot.yaml')
    return LaunchDescription(
        [
            DeclareLaunchArgument(
                'robot',
                default_value='aquarobot',
                description='this one; for others: hexapod.launch.py',
                choices=['aquarobot'],
            ),
            DeclareLaunchArgument(
                'parameters', default_value=parameters, description='parameter file of all nodes'
            ),
            IncludeLaunchDescription(hexapod),
        ]
    )
