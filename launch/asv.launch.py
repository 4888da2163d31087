"""Launch the ASV as processes: terrain, gait, leg servo, and a simulated or a real backend."""

from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition
from launch.substitutions import (
    AndSubstitution,
    Command,
    EqualsSubstitution,
    LaunchConfiguration,
    PathJoinSubstitution,
)
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription

PACKAGE = 'walking_robots'

ARGUMENTS = (
    ('terrain', '', 'terrain file in YAML; empty: the terrain of config/asv.yaml', None),
    ('rules', 'repaired', 'rule set of the gait', ['original', 'faithful', 'repaired']),
    ('backend', 'simulation', 'what answers joint commands', ['simulation', 'real']),
    ('lock_step', 'true', 'simulation waits for the answer to each state', ['true', 'false']),
    ('real_time_factor', '1.0', 'simulated time per wall time; 0: as fast as possible', None),
    ('viewer', 'true', 'serve a page for the browser', ['true', 'false']),
    ('port', '8080', 'port of the page', None),
    ('namespace', '', 'namespace of all nodes', None),
    ('rviz', 'false', 'open RViz', ['true', 'false']),
)


def shared(*path):
    return PathJoinSubstitution([FindPackageShare(PACKAGE), *path])


def boolean(substitution):
    return ParameterValue(substitution, value_type=bool)


def generate_launch_description():
    argument = {name: LaunchConfiguration(name) for name, *_ in ARGUMENTS}
    simulated = EqualsSubstitution(argument['backend'], 'simulation')
    lock_step = {'lock_step': boolean(AndSubstitution(simulated, argument['lock_step']))}
    rules = {'rules': argument['rules']}
    sim_time = {'use_sim_time': boolean(simulated)}

    def node(executable, parameters, **options):
        return Node(
            package=PACKAGE,
            executable=executable,
            name=executable,
            # With a namespace, even an empty one, the parameters given here are written for this
            # very node; without, for any node, and those of the file would win.
            namespace=argument['namespace'],
            parameters=[shared('config', 'asv.yaml'), parameters],
            output='screen',
            **options,
        )

    description = Command(['xacro ', shared('urdf', 'asv.urdf.xacro')])
    return LaunchDescription(
        [
            *(
                DeclareLaunchArgument(
                    name, default_value=default, description=text, choices=choices
                )
                for name, default, text, choices in ARGUMENTS
            ),
            node('terrain', {'terrain_file': ParameterValue(argument['terrain'], value_type=str)}),
            node('free_gait', rules | lock_step),
            node('leg_servo', rules),
            node(
                'hexapod_sim',
                lock_step
                | {
                    'real_time_factor': ParameterValue(
                        argument['real_time_factor'], value_type=float
                    )
                },
                condition=IfCondition(simulated),
            ),
            node(
                'viewer',
                {'port': ParameterValue(argument['port'], value_type=int)},
                condition=IfCondition(argument['viewer']),
            ),
            Node(
                package='robot_state_publisher',
                executable='robot_state_publisher',
                namespace=argument['namespace'],
                parameters=[
                    {'robot_description': ParameterValue(description, value_type=str)} | sim_time
                ],
            ),
            Node(
                package='rviz2',
                executable='rviz2',
                arguments=['-d', shared('config', 'rviz', 'asv.rviz')],
                parameters=[sim_time],
                condition=IfCondition(argument['rviz']),
            ),
        ]
    )
