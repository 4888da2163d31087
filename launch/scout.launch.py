"""Launch the Super Scout as processes: driver, page, and an emulated robot or a real one.

`port:=/dev/ttyUSB0` is all it takes to drive a real one.
"""

from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition
from launch.substitutions import (
    Command,
    EqualsSubstitution,
    IfElseSubstitution,
    LaunchConfiguration,
    PathJoinSubstitution,
)
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription

PACKAGE = 'walking_robots'

# An argument without a default gets it from those before it.
ARGUMENTS = (
    ('port', '/tmp/walking_robots_scout', 'serial port of the robot', None),
    ('backend', None, 'emulator unless port was given', ['emulator', 'serial']),
    ('world', '', 'world file of the emulator; empty: two rooms', None),
    ('wander', 'false', 'the robot roams by itself from the start', ['true', 'false']),
    ('viewer', 'true', 'serve a page for the browser', ['true', 'false']),
    ('viewer_port', '8080', 'port of the page', None),
    ('namespace', '', 'namespace of all nodes', None),
    ('rviz', 'false', 'open RViz', ['true', 'false']),
)


OWN_PORT = ARGUMENTS[0][1]


def shared(*path):
    return PathJoinSubstitution([FindPackageShare(PACKAGE), *path])


def text(substitution):
    return ParameterValue(substitution, value_type=str)


def generate_launch_description():
    argument = {name: LaunchConfiguration(name) for name, *_ in ARGUMENTS}
    unchanged = EqualsSubstitution(argument['port'], OWN_PORT)
    defaults = {'backend': IfElseSubstitution(unchanged, 'emulator', 'serial')}
    emulated = EqualsSubstitution(argument['backend'], 'emulator')

    def node(executable, parameters, **options):
        return Node(
            package=PACKAGE,
            executable=executable,
            name=executable,
            # With a namespace, even an empty one, the parameters given here are written for this
            # very node; without, for any node, and those of the file would win.
            namespace=argument['namespace'],
            parameters=[shared('config', 'scout.yaml'), parameters],
            output='screen',
            **options,
        )

    description = Command(['xacro ', shared('urdf', 'super_scout.urdf.xacro')])
    return LaunchDescription(
        [
            *(
                DeclareLaunchArgument(
                    name,
                    default_value=default if default is not None else defaults[name],
                    description=words,
                    choices=choices,
                )
                for name, default, words, choices in ARGUMENTS
            ),
            node(
                'scout_emulator',
                {'link': text(argument['port']), 'world': text(argument['world'])},
                condition=IfCondition(emulated),
            ),
            node('scout_driver', {'port': text(argument['port'])}),
            node('scout_wander', {'enabled': ParameterValue(argument['wander'], value_type=bool)}),
            node(
                'viewer',
                {'port': ParameterValue(argument['viewer_port'], value_type=int)},
                condition=IfCondition(argument['viewer']),
            ),
            Node(
                package='robot_state_publisher',
                executable='robot_state_publisher',
                namespace=argument['namespace'],
                parameters=[{'robot_description': text(description)}],
            ),
            Node(
                package='rviz2',
                executable='rviz2',
                arguments=['-d', shared('config', 'rviz', 'scout.rviz')],
                condition=IfCondition(argument['rviz']),
            ),
        ]
    )
