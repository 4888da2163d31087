"""Launch a world of ARS MAGNA, whose robots take commands as actions.

`world:=mine.yaml` takes another one, `program:=persistent` lets its robot fetch something; with
`mode:=lock-step` time passes only as programs ask.
"""

from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition
from launch.substitutions import LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription

PACKAGE = 'walking_robots'

ARGUMENTS = (
    ('world', '', 'world file, or the name of a shipped one; empty: big_room', None),
    ('seed', '0', 'of all noise', None),
    ('mode', 'free-running', 'how time passes', ['free-running', 'lock-step']),
    ('real_time_factor', '1.0', 'of time while free-running, 0: as fast as possible', None),
    ('robot', 'robbie', 'whom the program is for', None),
    ('program', '', 'program to run from the start, such as persistent', None),
    ('thing', 'color=lightblue', 'what it is to fetch', None),
    ('viewer', 'true', 'serve a page for the browser', ['true', 'false']),
    ('viewer_port', '8080', 'port of the page', None),
    ('namespace', '', 'namespace of all nodes', None),
    ('rviz', 'false', 'open RViz', ['true', 'false']),
)


def shared(*path):
    return PathJoinSubstitution([FindPackageShare(PACKAGE), *path])


def typed(argument, kind):
    return ParameterValue(argument, value_type=kind)


def generate_launch_description():
    argument = {name: LaunchConfiguration(name) for name, *_ in ARGUMENTS}

    def node(executable, parameters, **options):
        return Node(
            package=PACKAGE,
            executable=executable,
            name=executable,
            # With a namespace, even an empty one, the parameters given here are written for this
            # very node; without, for any node, and those of the file would win.
            namespace=argument['namespace'],
            parameters=[shared('config', 'ars_magna.yaml'), parameters],
            output='screen',
            **options,
        )

    return LaunchDescription(
        [
            *(
                DeclareLaunchArgument(
                    name, default_value=default, description=words, choices=choices
                )
                for name, default, words, choices in ARGUMENTS
            ),
            node(
                'ars_magna',
                {
                    'world': typed(argument['world'], str),
                    'seed': typed(argument['seed'], int),
                    'mode': typed(argument['mode'], str),
                    'real_time_factor': typed(argument['real_time_factor'], float),
                },
            ),
            node(
                'ars_program',
                {
                    'robot': typed(argument['robot'], str),
                    'autostart': typed(argument['program'], str),
                    'thing': typed(argument['thing'], str),
                },
            ),
            node(
                'viewer',
                {'port': typed(argument['viewer_port'], int)},
                condition=IfCondition(argument['viewer']),
            ),
            Node(
                package='rviz2',
                executable='rviz2',
                arguments=['-d', shared('config', 'rviz', 'ars_magna.rviz')],
                condition=IfCondition(argument['rviz']),
            ),
        ]
    )
