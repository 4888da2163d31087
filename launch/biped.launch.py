"""Launch a blind biped: controller, servos, and a simulated or a real backend."""

from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition
from launch.substitutions import (
    AndSubstitution,
    Command,
    EqualsSubstitution,
    LaunchConfiguration,
    OrSubstitution,
    PathJoinSubstitution,
    PythonExpression,
)
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare

from launch import LaunchDescription

PACKAGE = 'walking_robots'
GROUNDS = ['level', 'rough', 'very_rough', 'up', 'down']

ARGUMENTS = (
    ('robot', 'b', 'a: prismatic knees, b: revolute knees', ['a', 'b']),
    ('terrain', 'level', 'ground of the simulation: level, rough, slope:20deg ..., a file', None),
    ('ground', 'level', 'class of ground for which the controller is set', GROUNDS),
    ('params', 'tuned', 'literal, tuned, or the name of a set', None),
    ('contact', 'native', 'springs of the thesis or contacts of MuJoCo', ['thesis', 'native']),
    ('servo', 'inside', 'servos in the physics, or in joint_servo', ['inside', 'topic']),
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


def text(substitution):
    return ParameterValue(substitution, value_type=str)


def generate_launch_description():
    argument = {name: LaunchConfiguration(name) for name, *_ in ARGUMENTS}
    simulated = EqualsSubstitution(argument['backend'], 'simulation')
    real = EqualsSubstitution(argument['backend'], 'real')
    outside = OrSubstitution(real, EqualsSubstitution(argument['servo'], 'topic'))
    lock_step = {'lock_step': boolean(AndSubstitution(simulated, argument['lock_step']))}
    robot = {'robot': text(argument['robot'])}
    params = robot | {'params': text(argument['params'])}
    sim_time = {'use_sim_time': boolean(simulated)}

    def node(executable, parameters, **options):
        return Node(
            package=PACKAGE,
            executable=executable,
            name=executable,
            # With a namespace, even an empty one, the parameters given here are written for this
            # very node; without, for any node, and those of the file would win.
            namespace=argument['namespace'],
            parameters=[shared('config', 'biped.yaml'), parameters],
            output='screen',
            **options,
        )

    xacro = PythonExpression(["'kwalk", argument['robot'], ".urdf.xacro'"])
    description = Command(['xacro ', shared('urdf', xacro)])
    return LaunchDescription(
        [
            *(
                DeclareLaunchArgument(
                    name, default_value=default, description=what, choices=choices
                )
                for name, default, what, choices in ARGUMENTS
            ),
            node('biped_gait', params | {'ground': argument['ground']}),
            node('joint_servo', robot | lock_step, condition=IfCondition(outside)),
            node(
                'biped_sim',
                params
                | lock_step
                | {
                    'terrain': text(argument['terrain']),
                    'contact': argument['contact'],
                    'servo': argument['servo'],
                    'real_time_factor': ParameterValue(
                        argument['real_time_factor'], value_type=float
                    ),
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
                parameters=[{'robot_description': text(description)} | sim_time],
            ),
            Node(
                package='rviz2',
                executable='rviz2',
                arguments=['-d', shared('config', 'rviz', 'biped.rviz')],
                parameters=[sim_time],
                condition=IfCondition(argument['rviz']),
            ),
        ]
    )
