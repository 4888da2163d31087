"""How each command of ARS MAGNA travels: as which action or service, in which fields."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from walking_robots_interfaces.action import (
    ArsAct,
    ArsFind,
    ArsGo,
    ArsGrasp,
    ArsInsert,
    ArsManipulate,
    ArsTrack,
    ArsTurn,
)
from walking_robots_interfaces.srv import ArsGrab, ArsSet

from walking_robots.ars_magna.agent.messages import STARTED, CommandReport, CommandRequest
from walking_robots.ars_magna.codes import Code, code_name, wire_number
from walking_robots.nodes.ars_magna.command_fields import (
    ARGUMENT_DECODERS,
    VALUE_DECODERS,
    VALUE_ENCODERS,
    give_found,
    put_argument,
)
from walking_robots.nodes.ars_magna.conversions import designator_from_msg

REFUSED = -1
"""Code of a command that no robot could be given."""
WORLD_ENDS = 'the simulation ends'
"""Why commands under way end when the world ends."""

SERVICES = (ArsSet, ArsGrab)


@dataclass(frozen=True)
class CommandMessage:
    """How a command travels.

    name: of the action or service, after that of the part; kind: its interface; goal: the fields
    of the arguments, in their order; chosen: fields that distinguish this command from
    others of the same name; values: the fields of what it gives, in their order.
    """

    part: str
    name: str
    kind: Any
    goal: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    chosen: Mapping[str, str] = field(default_factory=dict)

    def topic(self, index: int) -> str:
        """Return the name of the action or service of a part."""
        return self.name if self.part == 'robot' else f'{self.part}_{index}/{self.name}'

    def arguments(self, goal: Any) -> tuple[Any, ...]:
        """Read the arguments of a command."""
        return tuple(
            ARGUMENT_DECODERS[name](getattr(goal, name))
            if name in ARGUMENT_DECODERS
            else getattr(goal, name)
            for name in self.goal
        )

    def fill(self, goal: Any, request: CommandRequest, number: int) -> Any:
        """Fill in a goal and give it; raises ValueError for what it cannot hold."""
        goal.request = number
        if self.kind is ArsManipulate:
            goal.part = request.part
        for name, word in self.chosen.items():
            setattr(goal, name, word)
        if len(request.arguments) != len(self.goal):
            raise ValueError(f'{request.command} takes {len(self.goal)} arguments')
        for name, value in zip(self.goal, request.arguments, strict=True):
            put_argument(goal, name, value)
        return goal


def _parts(name: str, *parts: str) -> dict[str, CommandMessage]:
    return {f'{part}_{name}': CommandMessage(part, name, ArsAct) for part in parts}


_INTO = ('into', 'number')

COMMAND_MESSAGES: Mapping[str, CommandMessage] = {
    'set_speed': CommandMessage('robot', 'set_speed', ArsSet, ('value',), ('value_in_force',)),
    'set_turn_angle': CommandMessage(
        'robot', 'set_turn_angle', ArsSet, ('value',), ('value_in_force',)
    ),
    'turn': CommandMessage('robot', 'turn', ArsTurn, ('angle',), ('angle',)),
    'align_place': CommandMessage('robot', 'align_place', ArsTurn, (), ('angle',)),
    'turn_corner': CommandMessage('robot', 'turn_corner', ArsTurn, (), ('angle',)),
    'go_forward': CommandMessage('robot', 'go_forward', ArsGo, ('ticks',)),
    'goto_wall': CommandMessage('robot', 'goto_wall', ArsGo),
    'follow_wall': CommandMessage('robot', 'follow_wall', ArsGo, ('side', 'ticks')),
    'goto_designator': CommandMessage('robot', 'goto_designator', ArsGo, ('camera',), ('found',)),
    'stop': CommandMessage('robot', 'stop', ArsGo),
    'place': CommandMessage('robot', 'sense_place', ArsAct, (), ('place_type',)),
    'camera_view': CommandMessage('camera', 'view', ArsAct, (), ('view',)),
    'find_object': CommandMessage(
        'camera',
        'find',
        ArsFind,
        ('type', 'specification', 'all'),
        ('designators',),
        {'kind': 'object'},
    ),
    'find_place': CommandMessage(
        'camera', 'find', ArsFind, ('place_type', 'all'), ('designators',), {'kind': 'place'}
    ),
    'camera_track': CommandMessage('camera', 'track', ArsTrack, ('designator',)),
    'camera_untrack': CommandMessage('camera', 'untrack', ArsGrab),
    'camera_turn': CommandMessage(
        'camera', 'turn', ArsTurn, ('angle',), ('angle',), {'mode': 'relative'}
    ),
    'camera_align_robot': CommandMessage(
        'camera', 'turn', ArsTurn, (), ('angle',), {'mode': 'align_robot'}
    ),
    'camera_align_place': CommandMessage(
        'camera', 'turn', ArsTurn, (), ('angle', 'place_type'), {'mode': 'align_place'}
    ),
    'camera_insert': CommandMessage('camera', 'insert', ArsInsert, _INTO, ('inside',)),
    'hand_insert': CommandMessage('hand', 'insert', ArsInsert, _INTO, ('inside',)),
    **_parts('remove', 'camera', 'hand'),
    'hand_grasp': CommandMessage('hand', 'grasp', ArsGrasp, ('camera', 'designator'), ('found',)),
    **_parts('ungrasp', 'hand'),
    **_parts('grasp_check', 'hand'),
    'hand_track': CommandMessage('hand', 'track', ArsTrack),
    **_parts('open', 'bin'),
    'bin_close': CommandMessage('bin', 'close', ArsAct, (), ('part',)),
    'manipulate': CommandMessage(
        'robot',
        'manipulate',
        ArsManipulate,
        ('name', 'designators', 'by', 'arguments'),
        ('value',),
    ),
    **{
        f'{part}_grab': CommandMessage(part, 'grab', ArsGrab, (), ('interrupted',))
        for part in ('robot', 'camera', 'hand', 'bin')
    },
}
"""By the names of `simulation.commands.COMMANDS`."""


def command_of(commands: Sequence[str], goal: Any) -> str:
    """Return which of several commands of one name a goal means; raises ValueError for none."""
    for command in commands:
        chosen = COMMAND_MESSAGES[command].chosen
        if all((getattr(goal, name) or word) == word for name, word in chosen.items()):
            return command
    name = next(iter(COMMAND_MESSAGES[commands[0]].chosen))
    words = ' or '.join(COMMAND_MESSAGES[command].chosen[name] for command in commands)
    raise ValueError(f'{name} {getattr(goal, name)!r} is unknown; use {words}')


def report_to_msg(message: Any, report: CommandReport, sequence: int) -> Any:
    """Fill in a result, a response or, for a command that has started, a feedback; give it."""
    message.tick_issued, message.sequence = report.issued, sequence
    if report.kind == STARTED:
        message.tick = report.tick
        give_found(message, report.values[0] if report.values else None)
        return message
    message.code, message.code_name = wire_number(report.code), report.code
    message.tick_done = report.tick
    for name, value in zip(COMMAND_MESSAGES[report.command].values, report.values, strict=True):
        VALUE_ENCODERS[name](message, value)
    return message


def report_from_msg(message: Any, request: CommandRequest, kind: str) -> CommandReport:
    """Read what became of a request from a result, a response or a feedback."""
    form = COMMAND_MESSAGES[request.command]
    if kind == STARTED:
        code, tick = str(Code.NIL), message.tick
        found = designator_from_msg(message.designator)
        values: tuple[Any, ...] = () if found is None else (found,)
    else:
        code, tick = code_name(message.code, message.code_name), message.tick_done
        values = tuple(VALUE_DECODERS[name](message) for name in form.values)
        if form.kind is ArsFind and values[0] and not request.arguments[-1]:
            values = (values[0][0],)
    return CommandReport(
        request.robot,
        request.number,
        request.command,
        request.part,
        kind,
        code,
        values,
        message.tick_issued,
        tick,
    )
