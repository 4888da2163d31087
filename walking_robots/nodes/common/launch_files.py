"""What the launch files share: a system's record in, its launch description out.

Only launch files import this module, since `launch` comes with a ROS 2 distribution alone.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from launch.actions import DeclareLaunchArgument, OpaqueFunction
from launch.conditions import IfCondition
from launch.substitutions import (
    Command,
    LaunchConfiguration,
    PathJoinSubstitution,
    PythonExpression,
)
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import ExecutableInPackage, FindPackageShare

from launch import LaunchContext, LaunchDescription
from walking_robots.systems import NAMESPACED_TOPICS, SYSTEMS

PACKAGE = 'walking_robots'
BOOLEAN = ['true', 'false']
REFUSED = 2
"""Exit code of a node that refuses a parameter or a file."""
KINDS = {int: 'a whole number', float: 'a number', bool: 'true or false'}

Argument = tuple[str, Any, str, list[str] | None]
"""Name, default (a string or a substitution), description, and choices or None."""


def shared(*path: Any) -> PathJoinSubstitution:
    """Return a path below the share folder of this package."""
    return PathJoinSubstitution([FindPackageShare(PACKAGE), *path])


def xacro(file: Any) -> Command:
    """Return the URDF of a xacro file below ``urdf/``."""
    return Command(['xacro ', shared('urdf', file)])


def typed(value: Any, kind: Any) -> ParameterValue:
    """Return a parameter of a Python type, whatever its text looks like."""
    return ParameterValue(value, value_type=kind)


def namespaced_path(path: str) -> PythonExpression:
    """Return a path with the parts of the namespace appended, such as '/tmp/scout_robot1'."""
    names = ["*'", LaunchConfiguration('namespace'), "'.split('/')"]
    return PythonExpression([f"'_'.join(filter(None, ['{path}', ", *names, ']))'])


def check_parameter(
    context: LaunchContext, executable: str, name: str, value: ParameterValue
) -> None:
    """Raise ValueError for a parameter that is not of its type."""
    try:
        value.evaluate(context)
    except (ValueError, TypeError) as error:
        text = ''.join(part.perform(context) for part in value.value)
        kind = KINDS.get(value.value_type, 'a text')
        sentence = f'{executable}: {name!r} must be {kind}, not {text!r}'
        raise ValueError(sentence) from error


def end_where_refused(event: Any, context: LaunchContext) -> None:
    """Raise RuntimeError, which ends the launch, where a node refused what it was given."""
    if event.returncode == REFUSED:
        raise RuntimeError(f'{event.process_name} ended with exit code {REFUSED}; see its message')


def values_of(arguments: Sequence[Argument]) -> dict[str, LaunchConfiguration]:
    """Return the value of each launch argument, by name."""
    return {name: LaunchConfiguration(name) for name, *_ in arguments}


def launch_system(
    name: str,
    arguments: Sequence[Argument] = (),
    *,
    parameters: Mapping[str, Mapping[str, Any]] | None = None,
    conditions: Mapping[str, Any] | None = None,
    parameter_file: Any = None,
    page_port: str = 'port',
    urdf: Any = None,
    sim_time: Any = None,
    rviz: str = '',
    others: Sequence[Node] = (),
) -> LaunchDescription:
    """Return the description that starts every node of a system.

    parameters, conditions: by executable, or 'robot_state_publisher'; the system's more_nodes run
    by their conditions only; parameter_file: in place of
    the system's own; page_port: name of the argument for the port of the page; urdf: published
    by robot_state_publisher where it is given; sim_time: whether time is simulated; rviz: file in
    ``config/rviz`` without its suffix, by default of the system's name; others: nodes of other
    packages.
    """
    system = SYSTEMS[name]
    parameters, conditions = parameters or {}, conditions or {}
    declared: list[Argument] = [
        # First, for the defaults of others.
        ('namespace', '', 'namespace of all nodes, with /tf and /clock', None),
        *arguments,
        ('viewer', 'true', 'serve a page for the browser', BOOLEAN),
        (page_port, '8080', 'port of the page', None),
        ('rviz', 'false', 'open RViz', BOOLEAN),
    ]
    argument = values_of(declared)
    conditions = {'viewer': IfCondition(argument['viewer']), **conditions}
    parameters = {'viewer': {}, **parameters}
    remappings = list(NAMESPACED_TOPICS.items())
    file = parameter_file or shared(*system.parameters.split('/'))
    time = {} if sim_time is None else {'use_sim_time': typed(sim_time, bool)}

    def given(executable: str) -> dict[str, Any]:
        page = {'port': typed(argument[page_port], int)} if executable == 'viewer' else {}
        return {**parameters.get(executable, {}), **page}

    def node(executable: str) -> Node:
        return Node(
            package=PACKAGE,
            executable=executable,
            name=executable,
            # With a namespace, even an empty one, these parameters are written for this very
            # node and win over those of the file; without one they are written for any node.
            namespace=argument['namespace'],
            parameters=[file, given(executable)],
            remappings=remappings,
            condition=conditions.get(executable),
            on_exit=end_where_refused,
            output='screen',
        )

    def publish(description: Any) -> Node:
        return Node(
            package='robot_state_publisher',
            executable='robot_state_publisher',
            namespace=argument['namespace'],
            parameters=[{'robot_description': typed(description, str)} | time],
            remappings=remappings,
            condition=conditions.get('robot_state_publisher'),
        )

    def view() -> Node:
        return Node(
            package='rviz2',
            executable='rviz2',
            namespace=argument['namespace'],
            arguments=['-d', shared('config', 'rviz', f'{rviz or name}.rviz')],
            parameters=[time],
            remappings=remappings,
            condition=IfCondition(argument['rviz']),
        )

    # The description first: it is evaluated as its node starts, and may name no robot.
    asked_for = [name for name in system.more_nodes if name in conditions]
    nodes = [
        *([publish(urdf)] if urdf is not None else []),
        *map(node, (*system.nodes, *asked_for)),
        *others,
        view(),
    ]

    def check(context: LaunchContext) -> None:
        """Raise an error where a node could not be started, before any has been."""
        for each in nodes:
            package, executable = each.node_package, each.node_executable
            if each.condition is None or each.condition.evaluate(context):
                ExecutableInPackage(package=package, executable=executable).perform(context)
                for key, value in given(executable).items():
                    if isinstance(value, ParameterValue):
                        check_parameter(context, executable, key, value)

    return LaunchDescription(
        [
            *(
                DeclareLaunchArgument(
                    key, default_value=default, description=description, choices=choices
                )
                for key, default, description, choices in declared
            ),
            # What fails later leaves the nodes running that were started before.
            OpaqueFunction(function=check),
            *nodes,
        ]
    )
