"""The command line itself: lines in, lines out, ticks in between (ars_magna.md §5.3)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from walking_robots.ars_magna.agent.handles import Command, Outcome
from walking_robots.ars_magna.agent.messages import ERROR, WARNING
from walking_robots.ars_magna.codes import Code, phrase
from walking_robots.ars_magna.console.inquiries import INQUIRIES
from walking_robots.ars_magna.console.operations import MOVING, OPERATIONS, TURNING
from walking_robots.ars_magna.console.session import (
    ARGUMENTS,
    BUILT_IN,
    WORDS,
    ConsoleCommand,
    ConsoleSession,
    Ended,
)
from walking_robots.ars_magna.console.words import count
from walking_robots.ars_magna.inputs import named, suggestion
from walking_robots.ars_magna.simulation.experimenter import Experimenter
from walking_robots.ars_magna.simulation.local import connect
from walking_robots.ars_magna.simulation.messages import PREFIXES
from walking_robots.ars_magna.simulation.simulator import Simulator

PROMPT = 'Robot> '
MOST_REPEATS, MOST_ALIASES = 1000, 10
PATIENCE = 100_000
"""Ticks after which an operation is no longer waited for."""


class Console:
    """A command line for one robot; the simulator ticks while an operation is under way.

    commands: by name; finished: whether quit was given.
    """

    def __init__(self, simulator: Simulator, robot: str, patience: int = PATIENCE) -> None:
        """Take a robot; raise ValueError when there is none of that name.

        patience: ticks that one line lets pass at most.
        """
        self._simulator = simulator
        handle = connect(simulator, robot)
        odometers = {handle.main_odometer.name: handle.main_odometer}
        attributes = simulator.world.definitions.attributes
        self._session = ConsoleSession(handle, Experimenter(simulator), attributes, odometers)
        self._patience = patience
        self._aliases: dict[str, str] = {}
        self._under_way: dict[Command, str] = {}
        self._repeating = self.finished = False
        own = {command.name: command for command in self._own_commands()}
        self.commands: Mapping[str, ConsoleCommand] = {**own, **INQUIRIES, **OPERATIONS}

    def execute(self, line: str) -> list[str]:
        """Carry out a line, and give all that is to be shown."""
        return list(self.lines(line))

    def lines(self, line: str) -> Iterator[str]:
        """Carry out a line, and yield what is to be shown as it comes."""
        yield from self._line(line)

    def news(self) -> list[str]:
        """Return the messages not shown yet, and what has ended by itself."""
        return list(self._news(None))

    # Lines

    def _line(self, line: str, aliases: int = 0) -> Iterator[str]:
        words = line.split()
        if not words or words[0].startswith('#'):
            return
        if words[0].startswith('('):
            words = ['eval', *words]
        name, rest = _command_name(words[0]), words[1:]
        try:
            if name in self._aliases:
                if aliases == MOST_ALIASES:
                    raise ValueError('aliases lead to aliases without an end; define one anew')
                yield from self._line(' '.join((self._aliases[name], *rest)), aliases + 1)
                return
            command = self.commands.get(name)
            if command is None:
                known = (*self.commands, *self._aliases)
                raise ValueError(f'there is no such command, see help; {suggestion(name, known)}')
            arguments = self._arguments(command, rest)
            if command.says is None:
                yield from command.act(self._session, *arguments)
            else:
                yield from self._operate(command, command.says, arguments, ' '.join((name, *rest)))
        except ValueError as error:
            yield f'{PREFIXES[ERROR]}{name}: {_sentence(error)}'

    def _arguments(self, command: ConsoleCommand, words: Sequence[str]) -> tuple[Any, ...]:
        left, values = list(words), []
        for name in command.arguments:
            argument = ARGUMENTS.get(name, WORDS)
            if argument.takes_rest:
                values.append(argument.read(self._session, left))
                left = []
            elif left:
                values.append(argument.read(self._session, left.pop(0)))
        if left or len(values) < len(command.arguments):
            raise ValueError(f'write {command.usage}')
        return tuple(values)

    # Commands about the command line itself

    def _own_commands(self) -> Iterator[ConsoleCommand]:
        def own(name: str, arguments: tuple[str, ...], help: str, act: Any) -> ConsoleCommand:
            return ConsoleCommand(name, BUILT_IN, arguments, help, lambda _, *given: act(*given))

        naming = 'List the aliases, or define a name for a command.'
        yield own('alias', ('[name command]',), naming, self._alias)
        yield own('repeat', ('number', 'command'), 'Run a command several times.', self._repeat)
        yield own(
            'help', ('[command]',), 'Show the main menu, or the help of a command.', self._help
        )
        yield own('quit', (), 'Leave.', self._quit)
        yield own('wait', ('ticks',), 'Advance time by some ticks.', self._wait)
        for part, more in (('bin', ''), ('camera', ''), ('hand', ', and manipulations')):
            summary = f'Show the commands for {part}s{more}.'
            yield own(f'menu-{part}', (), summary, partial(self._menu, part))

    def _alias(self, words: Sequence[str]) -> list[str]:
        if not words:
            return [f'{name} = {meant}' for name, meant in self._aliases.items()]
        name = _command_name(words[0])
        if len(words) == 1:
            raise ValueError('write a name and what it stands for, such as alias l turn-left')
        if name in self.commands:
            raise ValueError(f"'{name}' is a command already; take another name")
        self._aliases[name] = ' '.join(words[1:])
        return []

    def _repeat(self, number: int, words: Sequence[str]) -> Iterator[str]:
        if self._repeating:
            raise ValueError('a repeat cannot be repeated; multiply the numbers')
        if not (words and number):
            raise ValueError(f'write a number up to {MOST_REPEATS} and a command')
        times = count(str(number), MOST_REPEATS)
        self._repeating = True
        try:
            for _ in range(times):
                if not self.finished:
                    yield from self._line(' '.join(words))
        finally:
            self._repeating = False

    def _quit(self) -> list[str]:
        self.finished = True
        return []

    def _wait(self, ticks: int) -> Iterator[str]:
        for _ in range(count(str(ticks), self._patience)):
            self._simulator.tick()
            yield from self._news(None)

    def _menu(self, name: str) -> list[str]:
        """List the commands of a menu."""
        return [f'  {found.usage}' for found in self.commands.values() if found.menu == name]

    def _help(self, words: Sequence[str]) -> list[str]:
        """Return the main menu, or the help of a command."""
        if words:
            name = _command_name(words[0])
            command = named('command', name, self.commands)
            notes = (ARGUMENTS.get(argument, WORDS).note for argument in command.arguments)
            lines = [line for note in notes for line in note.splitlines()]
            return [command.usage, command.help, *lines]
        return [
            'Built in:',
            *self._menu(BUILT_IN),
            'Moving:',
            *self._menu(MOVING),
            'Turning:',
            *self._menu(TURNING),
            'Cameras, hands and bins: menu-camera, menu-hand, menu-bin. Of one command: help '
            'command.',
        ]

    # Operations

    def _operate(
        self,
        operation: ConsoleCommand,
        says: Callable[[Ended], str],
        arguments: tuple[Any, ...],
        line: str,
    ) -> Iterator[str]:
        """Issue a command, let ticks pass until it has ended or begun to last, and report it."""
        session = self._session
        before = session.state
        command: Command = operation.act(session, *arguments)
        self._under_way[command] = line
        awaited = command.started if operation.lasts else command
        for _ in range(self._patience):
            self._simulator.tick()
            yield from self._news(command)
            if awaited.done:
                break
        else:
            raise ValueError(
                f'it has not ended after {self._patience} ticks; wait for it, or stop'
            )
        if command.done:
            del self._under_way[command]
        outcome = command.result() if command.done else Outcome(Code.NIL, ())
        if outcome.ok or outcome.code in operation.readings:
            yield f'{operation.name}: {says(Ended(session, arguments, outcome, before))}.'
        else:
            gives = '' if outcome.value is None else f'; it gives {_shown(outcome.value)}'
            yield f'{PREFIXES[ERROR]}{operation.name}: {phrase(outcome.code)}{gives}.'

    def _news(self, own: Command | None) -> Iterator[str]:
        """Yield messages, and of operations that have ended, but not of ``own``."""
        robot, shown = self._session.robot.name, self._session.experimenter.parameters
        for message in self._simulator.world.messages.take():
            if not shown.flush_all_errors:
                owner = '' if message.robot in ('', robot) else f'{message.robot}: '
                yield f'{owner}{message}'
        for command in [found for found in self._under_way if found.done and found is not own]:
            line = self._under_way.pop(command)
            yield f'{PREFIXES[WARNING]}{line} has ended: {phrase(command.result().code)}.'


def _command_name(word: str) -> str:
    return word.lower().replace('_', '-')


def _sentence(error: ValueError) -> str:
    text = str(error)
    return text if text.endswith(('.', '?')) else f'{text}.'


def _shown(value: Any) -> str:
    """Write what a command gave."""
    kind = getattr(value, 'kind', '')
    return f'{kind} {value.index}' if kind else f'{value:g}' if isinstance(value, float) else value
