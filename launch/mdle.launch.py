"""Launch the executor of MDLe programs as processes, with a Scout: emulated, or a real one.

`port:=/dev/ttyUSB0` is all it takes to run programs on a real one, and `robot:=twist` runs them on
any robot that takes `cmd_vel` and gives `odom`, whose driver runs elsewhere.
"""

from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition
from launch.substitutions import (
    AndSubstitution,
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
    ('object', '', "place of a thing in the emulator's world, such as '3.6 3.5'", None),
    ('robot', 'scout', 'scout, or any robot on cmd_vel and odom', ['scout', 'twist']),
    ('plan', '', 'program to run from the start, such as follow', None),
    ('library', '', 'folder of programs and modules of your own', None),
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
    scout = EqualsSubstitution(argument['robot'], 'scout')
    emulated = AndSubstitution(scout, EqualsSubstitution(argument['backend'], 'emulator'))

    def node(executable, parameters, **options):
        return Node(
            package=PACKAGE,
            executable=executable,
            name=executable,
            # With a namespace, even an empty one, the parameters given here are written for this
            # very node; without, for any node, and those of the file would win.
            namespace=argument['namespace'],
            parameters=[shared('config', 'mdle.yaml'), parameters],
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
                {
                    'link': text(argument['port']),
                    'world': text(argument['world']),
                    'object': text(argument['object']),
                },
                condition=IfCondition(emulated),
            ),
            node('scout_driver', {'port': text(argument['port'])}, condition=IfCondition(scout)),
            node(
                'mdle_executor',
                {
                    'robot': text(argument['robot']),
                    'autostart': text(argument['plan']),
                    'library_paths': ParameterValue(
                        ["['", argument['library'], "']"], value_type=list[str]
                    ),
                },
            ),
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
                condition=IfCondition(scout),
            ),
            Node(
                package='rviz2',
                executable='rviz2',
                arguments=['-d', shared('config', 'rviz', 'scout.rviz')],
                condition=IfCondition(argument['rviz']),
            ),
        ]
    )
