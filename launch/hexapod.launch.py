"""Launch any hexapod of a YAML file: terrain, gait, leg servo, a simulated or a real backend."""

import sys

from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition, UnlessCondition
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
OUTPUTS = ['joint_command', 'joint_trajectory', 'both']

ARGUMENTS = (
    ('robot', 'insect18', 'a shipped hexapod, or the file of one in YAML', None),
    ('gait', 'tripod', 'how it walks', ['tripod', 'ripple', 'wave', 'free']),
    ('terrain', '', 'terrain file in YAML; empty: the terrain of the parameters', None),
    ('forbidden', '0.0', 'share of forbidden cells where no file is given', None),
    ('output', 'joint_command', 'messages that drive the joints', OUTPUTS),
    ('trajectory_topic', 'joint_trajectory', 'where a joint_trajectory goes', None),
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


def number(substitution):
    return ParameterValue(substitution, value_type=float)


def text(substitution):
    return ParameterValue(substitution, value_type=str)


def generate_launch_description():
    argument = {name: LaunchConfiguration(name) for name, *_ in ARGUMENTS}
    simulated = EqualsSubstitution(argument['backend'], 'simulation')
    free = EqualsSubstitution(argument['gait'], 'free')
    lock_step = {'lock_step': boolean(AndSubstitution(simulated, argument['lock_step']))}
    robot = {'robot': text(argument['robot'])}
    walks = robot | {'gait': argument['gait']}
    sim_time = {'use_sim_time': boolean(simulated)}

    def node(executable, parameters, **options):
        return Node(
            package=PACKAGE,
            executable=executable,
            name=executable,
            # With a namespace, even an empty one, the parameters given here are written for this
            # very node; without, for any node, and those of the file would win.
            namespace=argument['namespace'],
            parameters=[LaunchConfiguration('parameters'), parameters],
            output='screen',
            **options,
        )

    # The line is split as a shell would: paths may have spaces.
    described = ['"', sys.executable, '" -m ', PACKAGE, ' robot urdf "', argument['robot'], '"']
    return LaunchDescription(
        [
            *(
                DeclareLaunchArgument(
                    name, default_value=default, description=what, choices=choices
                )
                for name, default, what, choices in ARGUMENTS
            ),
            DeclareLaunchArgument(
                'parameters',
                default_value=shared('config', 'hexapod.yaml'),
                description='parameter file of all nodes',
            ),
            # First, so that nothing has been started yet where there is no such robot.
            Node(
                package='robot_state_publisher',
                executable='robot_state_publisher',
                namespace=argument['namespace'],
                parameters=[{'robot_description': text(Command(described))} | sim_time],
            ),
            node(
                'terrain',
                robot
                | {
                    'terrain_file': text(argument['terrain']),
                    'forbidden_share': number(argument['forbidden']),
                },
            ),
            node('periodic_gait', walks, condition=UnlessCondition(free)),
            node('free_gait', walks | lock_step, condition=IfCondition(free)),
            node(
                'leg_servo',
                walks
                | {
                    'output': argument['output'],
                    'trajectory_topic': text(argument['trajectory_topic']),
                },
            ),
            node(
                'hexapod_sim',
                walks | lock_step | {'real_time_factor': number(argument['real_time_factor'])},
                condition=IfCondition(simulated),
            ),
            node(
                'viewer',
                walks | {'port': ParameterValue(argument['port'], value_type=int)},
                condition=IfCondition(argument['viewer']),
            ),
            Node(
                package='rviz2',
                executable='rviz2',
                arguments=['-d', shared('config', 'rviz', 'hexapod.rviz')],
                parameters=[sim_time],
                condition=IfCondition(argument['rviz']),
            ),
        ]
    )
