"""Launch a blind biped: controller, servos, and a simulated or a real backend."""

from launch.conditions import IfCondition
from launch.substitutions import (
    AndSubstitution,
    EqualsSubstitution,
    OrSubstitution,
    PythonExpression,
)

from walking_robots.nodes.common.launch_files import (
    BOOLEAN,
    launch_system,
    typed,
    values_of,
    xacro,
)

GROUNDS = ['level', 'rough', 'very_rough', 'up', 'down']

ARGUMENTS = (
    ('robot', 'b', 'a: prismatic knees, b: revolute knees, b3d: in space', ['a', 'b', 'b3d']),
    ('terrain', 'level', 'level, rough, slope:20deg ..., in space cells:2cm, or a file', None),
    ('ground', 'level', 'class of ground for which the controller is set', GROUNDS),
    ('params', 'tuned', 'literal, tuned, or the name of a set', None),
    ('contact', 'native', 'springs of the thesis or contacts of MuJoCo', ['thesis', 'native']),
    ('servo', 'inside', 'servos in the physics, or in joint_servo', ['inside', 'topic']),
    ('backend', 'simulation', 'what answers joint commands', ['simulation', 'real']),
    ('lock_step', 'true', 'simulation waits for the answer to each state', BOOLEAN),
    ('real_time_factor', '1.0', 'simulated time per wall time; 0: as fast as possible', None),
)


def generate_launch_description():
    value = values_of(ARGUMENTS)
    simulated = EqualsSubstitution(value['backend'], 'simulation')
    real = EqualsSubstitution(value['backend'], 'real')
    outside = OrSubstitution(real, EqualsSubstitution(value['servo'], 'topic'))
    lock_step = {'lock_step': typed(AndSubstitution(simulated, value['lock_step']), bool)}
    robot = {'robot': typed(value['robot'], str)}
    params = robot | {'params': typed(value['params'], str)}
    return launch_system(
        'biped',
        ARGUMENTS,
        parameters={
            'biped_gait': params | {'ground': value['ground']},
            'joint_servo': robot | lock_step,
            'biped_sim': params
            | lock_step
            | {
                'terrain': typed(value['terrain'], str),
                'contact': value['contact'],
                'servo': value['servo'],
                'real_time_factor': typed(value['real_time_factor'], float),
            },
        },
        conditions={
            'joint_servo': IfCondition(outside),
            'biped_sim': IfCondition(simulated),
        },
        urdf=xacro(PythonExpression(["'kwalk", value['robot'], ".urdf.xacro'"])),
        sim_time=simulated,
    )
