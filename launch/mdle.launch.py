"""Launch the executor of MDLe programs as processes, with a Scout: emulated, or a real one.

`port:=/dev/ttyUSB0` is all it takes to run programs on a real one. Any other `robot:=` takes
`cmd_vel` and gives `odom`, and its nodes run elsewhere: twist, a hexapod or a biped.
`plan:=explore` starts cartographer and planner, too, and an emulated Scout explores an office.
"""

from launch.conditions import IfCondition
from launch.substitutions import (
    AndSubstitution,
    EqualsSubstitution,
    IfElseSubstitution,
    LaunchConfiguration,
    NotSubstitution,
    OrSubstitution,
)

from walking_robots.nodes.common.launch_files import (
    launch_system,
    namespaced_path,
    typed,
    values_of,
    xacro,
)

OWN_PORT = '/tmp/walking_robots_scout'
NAMESPACED_PORT = namespaced_path(OWN_PORT)
UNCHANGED = EqualsSubstitution(LaunchConfiguration('port'), NAMESPACED_PORT)
EXPLORE = 'explore'
EXPLORES = EqualsSubstitution(LaunchConfiguration('plan'), EXPLORE)
OFFICE, OFFICE_START = 'office60', '[1.0, 3.25, 0.0]'

ARGUMENTS = (
    ('port', NAMESPACED_PORT, 'serial port of the robot', None),
    (
        'backend',
        IfElseSubstitution(UNCHANGED, 'emulator', 'serial'),
        'emulator unless port was given',
        ['emulator', 'serial'],
    ),
    ('plan', '', 'program to run from the start, such as follow; explore: by the planner', None),
    (
        'world',
        IfElseSubstitution(EXPLORES, OFFICE, ''),
        'world of the emulator, a file or a name; empty: two rooms',
        None,
    ),
    ('object', '', "place of an object in the emulator's world, such as '3.6 3.5'", None),
    ('robot', 'scout', 'scout; twist, a hexapod or a biped, which runs elsewhere', None),
    ('map', 'false', 'run cartographer and planner', ['true', 'false']),
    ('map_file', '', 'map to go on with and to save, .yaml; empty: none', None),
    (
        'start',
        IfElseSubstitution(EXPLORES, OFFICE_START, '[0.0, 0.0, 0.0]'),
        'x, y and heading in a map that is drawn, m and rad',
        None,
    ),
    (
        'area',
        '[0.0, 0.0, 0.0, 0.0]',
        'that the planner may not leave: x and y of two corners in the map, m; all 0: no bounds',
        None,
    ),
    ('library', '', 'folder of your own programs and modules', None),
)


def generate_launch_description():
    value = values_of(ARGUMENTS)
    scout = EqualsSubstitution(value['robot'], 'scout')
    maps = OrSubstitution(value['map'], EXPLORES)
    emulated = AndSubstitution(scout, EqualsSubstitution(value['backend'], 'emulator'))
    return launch_system(
        'mdle',
        ARGUMENTS,
        parameters={
            'scout_emulator': {
                'link': typed(value['port'], str),
                'world': typed(value['world'], str),
                'echo_angle': typed(IfElseSubstitution(EXPLORES, '1.047198', '0.436332'), float),
                'object': typed(value['object'], str),
                'map_frame': typed(NotSubstitution(maps), bool),
            },
            'mdle_cartographer': {
                'robot': typed(value['robot'], str),
                'map_file': typed(value['map_file'], str),
                'start': typed(value['start'], list[float]),
            },
            'mdle_planner': {
                'robot': typed(value['robot'], str),
                'autostart': typed(IfElseSubstitution(EXPLORES, EXPLORE, ''), str),
                'area': typed(value['area'], list[float]),
            },
            'scout_driver': {'port': typed(value['port'], str)},
            'mdle_executor': {
                'robot': typed(value['robot'], str),
                'autostart': typed(IfElseSubstitution(EXPLORES, '', value['plan']), str),
                'library_paths': typed(["['", value['library'], "']"], list[str]),
            },
        },
        conditions={
            'scout_emulator': IfCondition(emulated),
            'scout_driver': IfCondition(scout),
            'mdle_cartographer': IfCondition(maps),
            'mdle_planner': IfCondition(maps),
            'robot_state_publisher': IfCondition(scout),
        },
        page_port='viewer_port',
        urdf=xacro('super_scout.urdf.xacro'),
        rviz='scout',
    )
