"""How each command of ARS MAGNA travels: as which action or service, and in which fields."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from walking_robots_interfaces import action, srv

from walking_robots.ars_magna.agent.messages import (
    STARTED,
    CommandReport,
    CommandRequest,
    DesignatorReport,
    PartName,
)
from walking_robots.ars_magna.codes import Code, code_name, wire_number
from walking_robots.ars_magna.commands import BIN, COMMANDS, CommandInfo
from walking_robots.nodes.ars_magna.conversions import (
    NOTHING,
    attribute_to_msg,
    designator_from_msg,
    designator_to_msg,
    number,
    specification_from_msg,
    specification_to_msg,
    value_from_msg,
)

# Arguments

ARGUMENT_DECODERS: Mapping[str, Callable[[Any], Any]] = {
    'specification': specification_from_msg,
    'designators': tuple,
    'arguments': lambda messages: tuple(map(value_from_msg, messages)),
}
ARGUMENT_ENCODERS: Mapping[str, Callable[[Any], Any]] = {
    'specification': specification_to_msg,
    'designators': lambda numbers: [_whole(number, 64) for number in numbers],
    'arguments': lambda values: [attribute_to_msg('', value) for value in values],
}

REFUSED = -1
"""Code of a command that no robot could be given."""
WORLD_ENDS = 'the simulation ends'
"""Why commands under way end when the world ends."""
SERVICES = (srv.ArsSet, srv.ArsGrab)
_FIELDS = {'speed': 'value', 'rate': 'value', 'place': 'place_type'}
"""Fields of arguments that have another name in messages."""


def put_argument(goal: Any, name: str, value: Any) -> None:
    """Set an argument of a command in a goal; raises ValueError for what it cannot be.

    Messages themselves do not check their values.
    """
    kind = goal.get_fields_and_field_types()[name]
    if name in ARGUMENT_ENCODERS:
        value = ARGUMENT_ENCODERS[name](value)
    elif kind == 'double':
        value = number(value)
    elif kind.startswith('int'):
        value = _whole(value, int(kind[3:]))
    elif kind == 'boolean':
        value = bool(value)
    elif not isinstance(value, str):
        raise ValueError(f'a name is needed, not {str(value)[:40]!r}')
    setattr(goal, name, value)


def _whole(value: Any, bits: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= 1 << (bits - 1):
        raise ValueError(f'a whole number is needed, not {str(value)[:40]!r}')
    return value


# What commands give; a failed one gives None


class ValueField(NamedTuple):
    """A value that commands give: as fields of a message, and read from one."""

    encode: Callable[[Any], Mapping[str, Any]]
    decode: Callable[[Any], Any]


def _number_field(name: str) -> ValueField:
    def decode(message: Any) -> float | None:
        value: float = getattr(message, name)
        return None if math.isnan(value) else value

    return ValueField(lambda value: {name: math.nan if value is None else value}, decode)


def _encode_all(value: Any) -> Mapping[str, Any]:
    found = [value] if isinstance(value, DesignatorReport) else value or []
    return {'designators': list(map(designator_to_msg, found))}


def _encode_inside(value: Any) -> Mapping[str, Any]:
    if value is None or isinstance(value, DesignatorReport):
        return {'designator': designator_to_msg(value), 'bin': NOTHING}
    return {'designator': designator_to_msg(None), 'bin': value[1]}


def _decode_inside(message: Any) -> Any:
    if message.bin != NOTHING:
        return PartName(BIN, message.bin)
    return designator_from_msg(message.designator)


def _encode_part(value: tuple[str, int] | None) -> Mapping[str, Any]:
    kind, index = value or ('', NOTHING)
    return {'part_kind': kind, 'part': index}


VALUES: Mapping[str, ValueField] = {
    'value_in_force': _number_field('value_in_force'),
    'angle': _number_field('angle'),
    'place_type': ValueField(
        lambda value: {'place_type': value or ''}, lambda message: message.place_type or None
    ),
    'view': ValueField(
        lambda value: {'view': value or ()}, lambda message: tuple(message.view) or None
    ),
    'found': ValueField(
        lambda value: {'designator': designator_to_msg(value)},
        lambda message: designator_from_msg(message.designator),
    ),
    'designators': ValueField(
        _encode_all,
        lambda message: tuple(map(designator_from_msg, message.designators)) or None,
    ),
    'inside': ValueField(_encode_inside, _decode_inside),
    'part': ValueField(
        _encode_part,
        lambda message: PartName(message.part_kind, message.part) if message.part_kind else None,
    ),
    'value': ValueField(
        lambda value: {'value': attribute_to_msg('', value)},
        lambda message: value_from_msg(message.value),
    ),
    'interrupted': ValueField(
        lambda value: {'interrupted': bool(value)}, lambda message: message.interrupted
    ),
}


def put_value(message: Any, name: str, value: Any) -> None:
    """Set a value that a command gives in a message."""
    for field, content in VALUES[name].encode(value).items():
        setattr(message, field, content)


@dataclass(frozen=True)
class CommandMessage:
    """How a command travels.

    kind: the interface of its action or service; goal: the fields of the arguments, in order.
    """

    command: CommandInfo
    kind: Any
    goal: tuple[str, ...]

    def topic(self, index: int) -> str:
        """Return the name of the action or service of a part."""
        part, topic = self.command.part, self.command.topic
        return topic if part == 'robot' else f'{part}_{index}/{topic}'

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
        if self.kind is action.ArsManipulate:
            goal.part = request.part
        for name, word in self.command.chosen.items():
            setattr(goal, name, word)
        if len(request.arguments) != len(self.goal):
            raise ValueError(f'{request.command} takes {len(self.goal)} arguments')
        for name, value in zip(self.goal, request.arguments, strict=True):
            put_argument(goal, name, value)
        return goal


COMMAND_MESSAGES: Mapping[str, CommandMessage] = {
    name: CommandMessage(
        command,
        getattr(srv if command.message in ('Set', 'Grab') else action, f'Ars{command.message}'),
        tuple(_FIELDS.get(argument, argument) for argument in command.arguments),
    )
    for name, command in COMMANDS.items()
}


def command_of(commands: Sequence[str], goal: Any) -> str:
    """Return which of several commands of one name a goal means; raises ValueError for none."""
    for command in commands:
        chosen = COMMANDS[command].chosen
        if all((getattr(goal, name) or word) == word for name, word in chosen.items()):
            return command
    name = next(iter(COMMANDS[commands[0]].chosen))
    words = ' or '.join(COMMANDS[command].chosen[name] for command in commands)
    raise ValueError(f'{name} {getattr(goal, name)!r} is unknown; use {words}')


def report_to_msg(message: Any, report: CommandReport, sequence: int) -> Any:
    """Fill in a result, a response or, for a command that has started, a feedback; give it."""
    message.tick_issued, message.sequence = report.issued, sequence
    if report.kind == STARTED:
        message.tick = report.tick
        put_value(message, 'found', report.values[0] if report.values else None)
        return message
    message.code, message.code_name = wire_number(report.code), report.code
    message.tick_done = report.tick
    for name, value in zip(COMMANDS[report.command].values, report.values, strict=True):
        put_value(message, name, value)
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
        values = tuple(VALUES[name].decode(message) for name in form.command.values)
        if form.kind is action.ArsFind and values[0] and not request.arguments[-1]:
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
