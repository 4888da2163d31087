"""Launch the ASV as processes: terrain, gait, leg servo, and a simulated or a real backend."""

from launch.conditions import IfCondition, UnlessCondition
from launch.substitutions import AndSubstitution, EqualsSubstitution, IfElseSubstitution

from walking_robots.nodes.common.launch_files import (
    BOOLEAN,
    launch_system,
    typed,
    values_of,
    xacro,
)

ARGUMENTS = (
    ('terrain', '', 'terrain file in YAML; empty: the terrain of config/asv.yaml', None),
    ('coordinator', 'auto', 'what decides on legs and body', ['auto', 'rules', 'planned']),
    ('rules', 'repaired', 'rule set of the gait', ['original', 'faithful', 'repaired']),
    ('backend', 'simulation', 'what answers joint commands', ['simulation', 'real']),
    ('physics', 'kinematic', 'what is simulated: joints, or forces too', ['kinematic', 'mujoco']),
    ('sensor', '', 'depth sensor by which it sees the terrain; empty: it knows it', None),
    ('lock_step', 'true', 'simulation waits for the answer to each state', BOOLEAN),
    ('real_time_factor', '1.0', 'simulated time per wall time; 0: as fast as possible', None),
)


def generate_launch_description():
    value = values_of(ARGUMENTS)
    simulated = EqualsSubstitution(value['backend'], 'simulation')
    # Only simulated legs without forces do not give way under load.
    rigid = AndSubstitution(simulated, EqualsSubstitution(value['physics'], 'kinematic'))
    careful = {'lift_margin': typed(IfElseSubstitution(rigid, '1.0', '1.6'), float)}
    lock_step = {'lock_step': typed(AndSubstitution(simulated, value['lock_step']), bool)}
    rules = {'rules': value['rules']}
    knows = EqualsSubstitution(value['sensor'], '')
    sensor = {'sensor': typed(value['sensor'], str)}
    return launch_system(
        'asv',
        ARGUMENTS,
        parameters={
            'terrain': {
                'terrain_file': typed(value['terrain'], str),
                'topics': IfElseSubstitution(knows, 'terrain', 'ground'),
            },
            'elevation_map': sensor,
            'terrain_classifier': {},
            'free_gait': rules | lock_step | careful | {'coordinator': value['coordinator']},
            'leg_servo': rules,
            'viewer': sensor,
            'hexapod_sim': lock_step
            | sensor
            | {
                'physics': value['physics'],
                'real_time_factor': typed(value['real_time_factor'], float),
            },
        },
        conditions={
            'hexapod_sim': IfCondition(simulated),
            'elevation_map': UnlessCondition(knows),
            'terrain_classifier': UnlessCondition(knows),
        },
        urdf=xacro('asv.urdf.xacro'),
        sim_time=simulated,
    )
