"""Launch any hexapod of a YAML file: terrain, gait, leg servo, a simulated or a real backend."""

import sys

from launch.conditions import IfCondition, UnlessCondition
from launch.substitutions import (
    AndSubstitution,
    Command,
    EqualsSubstitution,
    IfElseSubstitution,
    NotSubstitution,
    OrSubstitution,
)
from launch_ros.actions import Node

from walking_robots.nodes.common.launch_files import (
    BOOLEAN,
    PACKAGE,
    launch_system,
    shared,
    typed,
    values_of,
)

CONTROLLER, BROADCASTER = 'joint_trajectory_controller', 'joint_state_broadcaster'
OUTPUTS = ['joint_command', 'joint_trajectory', 'both']

ARGUMENTS = (
    ('robot', 'insect18', 'a shipped hexapod, or the file of one in YAML', None),
    ('gait', 'tripod', 'how it walks', ['tripod', 'ripple', 'wave', 'free']),
    ('terrain', '', 'terrain file in YAML; empty: the terrain of the parameters', None),
    ('world', '', 'world of walls and steps, a file or a name; empty: none', None),
    ('plan', '', 'motion program to run, such as patrol; empty: none', None),
    ('map', 'false', 'in a world: a lidar, cartographer and planner', BOOLEAN),
    ('start', '[0.0, 0.0, 0.0]', 'x, y and heading in the map that is drawn, m and rad', None),
    ('forbidden', '0.0', 'share of forbidden cells where no file is given', None),
    ('output', 'joint_command', 'messages that drive the joints', OUTPUTS),
    ('trajectory_topic', 'joint_trajectory', 'where a joint_trajectory goes', None),
    ('backend', 'simulation', 'what answers joint commands', ['simulation', 'real']),
    ('servos', '', 'serial port of a bus of servos that move a real robot; empty: none', None),
    ('ros2_control', 'false', 'a joint_trajectory_controller drives the joints', BOOLEAN),
    ('contact_load', '0.0', 'load of its lift servos on the ground; 0: it has switches', None),
    ('physics', 'kinematic', 'what is simulated: joints, or forces too', ['kinematic', 'mujoco']),
    ('sensor', '', 'depth sensor of the gait free; empty: it knows the terrain', None),
    ('lock_step', 'true', 'simulation waits for the answer to each state', BOOLEAN),
    ('real_time_factor', '1.0', 'simulated time per wall time; 0: as fast as possible', None),
    ('parameters', shared('config', 'hexapod.yaml'), 'parameter file of all nodes', None),
)


def generate_launch_description():
    value = values_of((*ARGUMENTS, ('namespace', '', '', None)))
    simulated = EqualsSubstitution(value['backend'], 'simulation')
    free = EqualsSubstitution(value['gait'], 'free')
    # Only simulated legs without forces do not give way under load.
    rigid = AndSubstitution(simulated, EqualsSubstitution(value['physics'], 'kinematic'))
    careful = {'lift_margin': typed(IfElseSubstitution(rigid, '1.0', '1.6'), float)}
    lock_step = {'lock_step': typed(AndSubstitution(simulated, value['lock_step']), bool)}
    robot = {'robot': typed(value['robot'], str)}
    knows = EqualsSubstitution(value['sensor'], '')
    sensor = {'sensor': typed(value['sensor'], str)}
    walks = robot | {'gait': value['gait']}
    timed = {'use_sim_time': typed(simulated, bool)}
    world = {'world': typed(value['world'], str)}
    # The line is split as a shell would: paths may have spaces.
    controlled = value['ros2_control']
    hardware = IfElseSubstitution(controlled, ' --ros2-control topic', '')
    urdf = Command(
        ['"', sys.executable, '" -m ', PACKAGE, ' robot urdf "', value['robot'], '"', hardware]
    )
    output = IfElseSubstitution(simulated, 'both', 'joint_trajectory')
    return launch_system(
        'hexapod',
        ARGUMENTS,
        parameters={
            'terrain': robot
            | world
            | {
                'terrain_file': typed(value['terrain'], str),
                'forbidden_share': typed(value['forbidden'], float),
                'topics': IfElseSubstitution(knows, 'terrain', 'ground'),
            },
            'periodic_gait': walks
            | {'hold_path': typed(EqualsSubstitution(value['physics'], 'mujoco'), bool)},
            'elevation_map': walks | sensor,
            'terrain_classifier': walks,
            'free_gait': walks | lock_step | careful,
            'leg_servo': walks
            | {
                'output': IfElseSubstitution(controlled, output, value['output']),
                'trajectory_topic': typed(
                    IfElseSubstitution(
                        controlled, f'{CONTROLLER}/joint_trajectory', value['trajectory_topic']
                    ),
                    str,
                ),
            },
            'hexapod_sim': walks
            | world
            | lock_step
            | sensor
            | {
                'physics': value['physics'],
                'real_time_factor': typed(value['real_time_factor'], float),
                'lidar': typed(value['map'], bool),
            },
            'mdle_cartographer': walks
            | timed
            | {'start': typed(value['start'], list[float]), 'sonars': 0, 'slip': 0.0},
            'mdle_planner': walks | timed,
            'mdle_executor': walks | timed | {'autostart': typed(value['plan'], str)},
            'servo_bus': robot
            | {
                'port': typed(value['servos'], str),
                'contact_load': typed(value['contact_load'], float),
                'input': IfElseSubstitution(controlled, 'ros2_control', 'joint_command'),
                # Beside a simulation that the robot follows, its states are for people only.
                'states_topic': IfElseSubstitution(
                    controlled,
                    '/robot_joint_states',
                    IfElseSubstitution(simulated, 'servos/joint_states', 'joint_states'),
                ),
            },
            'viewer': walks | sensor,
        },
        conditions={
            'periodic_gait': UnlessCondition(free),
            'free_gait': IfCondition(free),
            'hexapod_sim': IfCondition(simulated),
            'elevation_map': UnlessCondition(knows),
            'terrain_classifier': UnlessCondition(knows),
            'mdle_executor': IfCondition(
                OrSubstitution(
                    NotSubstitution(EqualsSubstitution(value['plan'], '')), value['map']
                )
            ),
            'servo_bus': IfCondition(NotSubstitution(EqualsSubstitution(value['servos'], ''))),
            'mdle_cartographer': IfCondition(value['map']),
            'mdle_planner': IfCondition(value['map']),
        },
        parameter_file=value['parameters'],
        urdf=urdf,
        sim_time=simulated,
        others=_controllers(controlled, value['namespace']),
    )


def _controllers(condition, namespace):
    """Return the nodes of ros2_control: its hardware obeys and publishes topics."""
    file = shared('config', 'ros2_control', 'hexapod_controllers.yaml')

    def node(executable, **options):
        return Node(
            package='controller_manager',
            executable=executable,
            namespace=namespace,
            condition=IfCondition(condition),
            output='screen',
            **options,
        )

    return (
        node('ros2_control_node', parameters=[file]),
        node('spawner', arguments=[BROADCASTER, CONTROLLER, '--param-file', file]),
    )
