"""Launch the Super Scout as processes: driver, page, and an emulated robot or a real one.

`port:=/dev/ttyUSB0` is all it takes to drive a real one.
"""

from launch.conditions import IfCondition
from launch.substitutions import EqualsSubstitution, IfElseSubstitution, LaunchConfiguration

from walking_robots.nodes.common.launch_files import (
    BOOLEAN,
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
    ('wander', 'false', 'the robot wanders from the start', BOOLEAN),
)


def generate_launch_description():
    value = values_of(ARGUMENTS)
    emulated = EqualsSubstitution(value['backend'], 'emulator')
    return launch_system(
        'scout',
        ARGUMENTS,
        parameters={
            'scout_emulator': {
                'link': typed(value['port'], str),
                'world': typed(value['world'], str),
            },
            'scout_driver': {'port': typed(value['port'], str)},
            'scout_wander': {'enabled': typed(value['wander'], bool)},
        },
        conditions={'scout_emulator': IfCondition(emulated)},
        page_port='viewer_port',
        urdf=xacro('super_scout.urdf.xacro'),
    )
