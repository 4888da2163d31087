"""All commands of a robot: what each takes and gives, and how it travels (ars_magna.md §2).

The handles of programs, the simulator, the messages and the command line read this table.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

BIN, DESIGNATOR = 'bin', 'designator'
"""Into what a camera or hand is put."""

PARTS = ('robot', 'camera', 'hand', 'bin')


@dataclass(frozen=True)
class CommandInfo:
    """A command for a kind of part; its resource is the part.

    message: its action or service, without the prefix Ars; topic: of it, below the part;
    arguments: names, which say how each is read; values: fields of what it gives; chosen: fields
    that distinguish commands on one topic; grabs: whether it only ends others; ends_track: whether
    it turns the camera away from what it tracks; senses: whether it leaves the robot's motion
    alone (ars_magna.md §1.6, §12.1).
    """

    part: str
    message: str
    topic: str
    arguments: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    chosen: Mapping[str, str] = field(default_factory=dict)
    grabs: bool = False
    ends_track: bool = False
    senses: bool = False


def _camera_turn(mode: str, *arguments: str, values: tuple[str, ...] = ('angle',)) -> CommandInfo:
    """Return a command that turns a camera."""
    return CommandInfo(
        'camera', 'Turn', 'turn', arguments, values, {'mode': mode}, ends_track=True
    )


def _camera_search(kind: str, *arguments: str) -> CommandInfo:
    return CommandInfo('camera', 'Find', 'find', arguments, ('designators',), {'kind': kind})


_INTO = ('into', 'number')

COMMANDS: Mapping[str, CommandInfo] = {
    'set_speed': CommandInfo('robot', 'Set', 'set_speed', ('speed',), ('value_in_force',)),
    'set_turn_angle': CommandInfo(
        'robot', 'Set', 'set_turn_angle', ('rate',), ('value_in_force',)
    ),
    'turn': CommandInfo('robot', 'Turn', 'turn', ('angle',), ('angle',)),
    'align_place': CommandInfo('robot', 'Turn', 'align_place', (), ('angle',)),
    'turn_corner': CommandInfo('robot', 'Turn', 'turn_corner', (), ('angle',)),
    'go_forward': CommandInfo('robot', 'Go', 'go_forward', ('ticks',)),
    'goto_wall': CommandInfo('robot', 'Go', 'goto_wall'),
    'follow_wall': CommandInfo('robot', 'Go', 'follow_wall', ('side', 'ticks')),
    'goto_designator': CommandInfo('robot', 'Go', 'goto_designator', ('camera',), ('found',)),
    'stop': CommandInfo('robot', 'Go', 'stop'),
    'place': CommandInfo('robot', 'Act', 'sense_place', (), ('place_type',), senses=True),
    'camera_view': CommandInfo('camera', 'Act', 'view', (), ('view',)),
    'find_object': _camera_search('object', 'type', 'specification', 'all'),
    'find_place': _camera_search('place', 'place', 'all'),
    'camera_track': CommandInfo('camera', 'Track', 'track', ('designator',)),
    'camera_untrack': CommandInfo('camera', 'Grab', 'untrack'),
    'camera_turn': _camera_turn('relative', 'angle'),
    'camera_align_robot': _camera_turn('align_robot'),
    'camera_align_place': _camera_turn('align_place', values=('angle', 'place_type')),
    'camera_insert': CommandInfo('camera', 'Insert', 'insert', _INTO, ('inside',)),
    'camera_remove': CommandInfo('camera', 'Act', 'remove'),
    'hand_grasp': CommandInfo('hand', 'Grasp', 'grasp', ('camera', 'designator'), ('found',)),
    'hand_ungrasp': CommandInfo('hand', 'Act', 'ungrasp'),
    'hand_grasp_check': CommandInfo('hand', 'Act', 'grasp_check'),
    'hand_track': CommandInfo('hand', 'Track', 'track'),
    'hand_insert': CommandInfo('hand', 'Insert', 'insert', _INTO, ('inside',)),
    'hand_remove': CommandInfo('hand', 'Act', 'remove'),
    'bin_open': CommandInfo('bin', 'Act', 'open'),
    'bin_close': CommandInfo('bin', 'Act', 'close', (), ('part',)),
    'manipulate': CommandInfo(
        'robot', 'Manipulate', 'manipulate', ('name', 'designators', 'by', 'arguments'), ('value',)
    ),
    **{
        f'{part}_grab': CommandInfo(part, 'Grab', 'grab', (), ('interrupted',), grabs=True)
        for part in PARTS
    },
}
