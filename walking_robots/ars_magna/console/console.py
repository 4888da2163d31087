"""The command line itself: lines in, lines out, ticks in between (ars_magna.md §5.3)."""

from collections.abc import Iterator, Sequence
from typing import Any

from walking_robots.ars_magna.agent.handles import Command, Outcome
from walking_robots.ars_magna.codes import Code, phrase
from walking_robots.ars_magna.console.helping import BUILT_IN, MENUS, help_on, main_menu, menu
from walking_robots.ars_magna.console.inquiries import INQUIRIES, Inquiry
from walking_robots.ars_magna.console.operations import OPERATIONS
from walking_robots.ars_magna.console.session import ARGUMENTS, ConsoleSession, Ended, Operation
from walking_robots.ars_magna.console.words import count
from walking_robots.ars_magna.inputs import suggestion
from walking_robots.ars_magna.simulation.experimenter import Experimenter
from walking_robots.ars_magna.simulation.local import connect
from walking_robots.ars_magna.simulation.messages import ERROR, PREFIXES, WARNING
from walking_robots.ars_magna.simulation.simulator import Simulator

PROMPT = 'Robot> '
MOST_REPEATS, MOST_ALIASES = 1000, 10
PATIENCE = 100_000
"""Ticks after which an operation is no longer waited for."""


class Console:
    """A command line for one robot; the simulator ticks while an operation is under way.

    finished: whether somebody wanted to quit.
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
        self.finished = False

    def execute(self, line: str) -> list[str]:
        """Carry out a line, and give all that is to be shown."""
        return list(self.lines(line))

    def lines(self, line: str) -> Iterator[str]:
        """Carry out a line, and yield what is to be shown as it comes."""
        yield from self._line(line, 0, False)

    def news(self) -> list[str]:
        """Return the messages that nobody has seen yet, and what has ended by itself."""
        return list(self._news(None))

    # Lines

    def _line(self, line: str, aliases: int, repeated: bool) -> Iterator[str]:
        words = line.split()
        if not words or words[0].startswith('#'):
            return
        name = words[0].lower().replace('_', '-')
        if words[0].startswith('('):
            name, words = 'eval', ['eval', *words]
        rest = words[1:]
        try:
            if name in self._aliases:
                if aliases == MOST_ALIASES:
                    raise ValueError('aliases lead to aliases without an end; define one anew')
                meant = ' '.join((self._aliases[name], *rest))
                yield from self._line(meant, aliases + 1, repeated)
            elif name == 'repeat':
                yield from self._repeat(rest, aliases, repeated)
            elif name in OPERATIONS:
                yield from self._operate(OPERATIONS[name], rest)
            elif name == 'wait':
                yield from self._wait(rest)
            elif name in INQUIRIES:
                yield from self._answer(INQUIRIES[name], rest)
            else:
                yield from self._built_in(name, rest)
        except ValueError as error:
            yield f'{PREFIXES[ERROR]}{name}: {_sentence(error)}'

    def _built_in(self, name: str, words: Sequence[str]) -> list[str]:
        """Do what is about the command line itself."""
        if name == 'help':
            return help_on(words[0]) if words else main_menu()
        if name in MENUS:
            return menu(MENUS[name])
        if name == 'quit':
            self.finished = True
            return []
        if name == 'alias':
            return self._alias(words)
        known = (*BUILT_IN, *INQUIRIES, *OPERATIONS, *self._aliases)
        raise ValueError(f'there is no such command, see help; {suggestion(name, known)}')

    def _alias(self, words: Sequence[str]) -> list[str]:
        if not words:
            return [f'{name} = {meant}' for name, meant in self._aliases.items()]
        name = words[0].lower().replace('_', '-')
        if len(words) == 1:
            raise ValueError('write a name and what it stands for, such as alias l turn-left')
        if name in (*BUILT_IN, *INQUIRIES, *OPERATIONS):
            raise ValueError(f"'{name}' is a command already; take another name")
        self._aliases[name] = ' '.join(words[1:])
        return []

    def _repeat(self, words: Sequence[str], aliases: int, repeated: bool) -> Iterator[str]:
        if repeated:
            raise ValueError('a repeat cannot be repeated; multiply the numbers')
        times = count(words[0], MOST_REPEATS) if len(words) > 1 else 0
        if not times:
            raise ValueError(f'write a number up to {MOST_REPEATS} and a command')
        for _ in range(times):
            if not self.finished:
                yield from self._line(' '.join(words[1:]), aliases, True)

    def _answer(self, inquiry: Inquiry, words: Sequence[str]) -> list[str]:
        if not inquiry.least <= len(words) <= inquiry.most:
            raise ValueError(f'write {inquiry.name} {inquiry.usage}'.rstrip())
        return inquiry.answer(self._session, words)

    # Operations

    def _operate(self, operation: Operation, words: Sequence[str]) -> Iterator[str]:
        """Issue a command, let ticks pass until it has ended or begun to last, and report it."""
        session = self._session
        arguments = self._arguments(operation, words)
        before = session.state
        command = operation.begin(session, *arguments)
        self._under_way[command] = ' '.join((operation.name, *words))
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
            words = operation.describe(Ended(session, arguments, outcome, before))
            yield f'{operation.name}: {words}.'
        else:
            gives = '' if outcome.value is None else f'; it gives {_shown(outcome.value)}'
            yield f'{PREFIXES[ERROR]}{operation.name}: {phrase(outcome.code)}{gives}.'

    def _arguments(self, operation: Operation, words: Sequence[str]) -> tuple[Any, ...]:
        left, values = list(words), []
        for name in operation.arguments:
            argument = ARGUMENTS[name]
            if argument.read_all is not None:
                values.append(argument.read_all(self._session, left))
                left = []
            elif not left or argument.read is None:
                break
            else:
                values.append(argument.read(self._session, left.pop(0)))
        if left or len(values) < len(operation.arguments):
            raise ValueError(f'write {operation.name} {" ".join(operation.arguments)}'.rstrip())
        return tuple(values)

    def _wait(self, words: Sequence[str]) -> Iterator[str]:
        if len(words) != 1:
            raise ValueError('write wait ticks')
        for _ in range(count(words[0], self._patience)):
            self._simulator.tick()
            yield from self._news(None)

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


def _sentence(error: ValueError) -> str:
    text = str(error)
    return text if text.endswith(('.', '?')) else f'{text}.'


def _shown(value: Any) -> str:
    """Write what a command gave."""
    kind = getattr(value, 'kind', '')
    return f'{kind} {value.index}' if kind else f'{value:g}' if isinstance(value, float) else value
