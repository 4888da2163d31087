"""Launch the executor of MDLe programs as processes, with a Scout: emulated, or a real one.

`port:=/dev/ttyUSB0` is all it takes to run programs on a real one. Any other `robot:=` takes
`cmd_vel` and gives `odom`, and its nodes run elsewhere: twist, a hexapod or a biped.
"""

from launch.conditions import IfCondition
from launch.substitutions import (
    AndSubstitution,
    EqualsSubstitution,
    IfElseSubstitution,
    LaunchConfiguration,
    NotSubstitution,
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

ARGUMENTS = (
    ('port', NAMESPACED_PORT, 'serial port of the robot', None),
    (
        'backend',
        IfElseSubstitution(UNCHANGED, 'emulator', 'serial'),
        'emulator unless port was given',
        ['emulator', 'serial'],
    ),
    ('world', '', 'world file of the emulator; empty: two rooms', None),
    ('object', '', "place of an object in the emulator's world, such as '3.6 3.5'", None),
    ('robot', 'scout', 'scout; twist, a hexapod or a biped, which runs elsewhere', None),
    ('map', 'false', 'draw a map, or find the robot in a saved one', ['true', 'false']),
    ('map_file', '', 'map to go on with and to save, .yaml; empty: none', None),
    ('plan', '', 'program to run from the start, such as follow', None),
    ('library', '', 'folder of your own programs and modules', None),
)


def generate_launch_description():
    value = values_of(ARGUMENTS)
    scout = EqualsSubstitution(value['robot'], 'scout')
    emulated = AndSubstitution(scout, EqualsSubstitution(value['backend'], 'emulator'))
    return launch_system(
        'mdle',
        ARGUMENTS,
        parameters={
            'scout_emulator': {
                'link': typed(value['port'], str),
                'world': typed(value['world'], str),
                'object': typed(value['object'], str),
                'map_frame': typed(NotSubstitution(value['map']), bool),
            },
            'mdle_cartographer': {'map_file': typed(value['map_file'], str)},
            'scout_driver': {'port': typed(value['port'], str)},
            'mdle_executor': {
                'robot': typed(value['robot'], str),
                'autostart': typed(value['plan'], str),
                'library_paths': typed(["['", value['library'], "']"], list[str]),
            },
        },
        conditions={
            'scout_emulator': IfCondition(emulated),
            'scout_driver': IfCondition(scout),
            'mdle_cartographer': IfCondition(value['map']),
            'robot_state_publisher': IfCondition(scout),
        },
        page_port='viewer_port',
        urdf=xacro('super_scout.urdf.xacro'),
        rviz='scout',
    )
