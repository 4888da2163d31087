"""How each command of ARS MAGNA travels: as which action or service, in which fields."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from walking_robots_interfaces import action, srv

from walking_robots.ars_magna.agent.messages import STARTED, CommandReport, CommandRequest
from walking_robots.ars_magna.codes import Code, code_name, wire_number
from walking_robots.ars_magna.commands import COMMANDS, CommandInfo
from walking_robots.nodes.ars_magna.command_fields import (
    ARGUMENT_DECODERS,
    VALUES,
    put_argument,
    put_value,
)
from walking_robots.nodes.ars_magna.conversions import designator_from_msg

REFUSED = -1
"""Code of a command that no robot could be given."""
WORLD_ENDS = 'the simulation ends'
"""Why commands under way end when the world ends."""

SERVICES = (srv.ArsSet, srv.ArsGrab)

_FIELDS = {'speed': 'value', 'rate': 'value', 'place': 'place_type'}
"""Fields of arguments that have another name in messages."""


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
