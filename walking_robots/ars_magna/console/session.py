"""What operations of the command line work on: a robot's handle, and what is true of it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from walking_robots.ars_magna.agent.handles import Command, Designator, Odometer, Outcome
from walking_robots.ars_magna.agent.robot import Bin, Camera, Hand, Robot
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.console.words import (
    count,
    designator_type,
    real,
    specification_of,
)
from walking_robots.ars_magna.sensing.attributes import Attribute
from walking_robots.ars_magna.simulation.experimenter import Experimenter
from walking_robots.ars_magna.simulation.snapshots import RobotSnapshot

SOME_TICKS = '[ticks]'
DESIGNATORS_AND_VALUES = 'designators [with values]'
"""Arguments that take all the words that are left, as they are shown."""


@dataclass(frozen=True)
class ConsoleSession:
    """A robot as its program holds it, and the experimenter beside.

    odometers: those that were made by name.
    """

    robot: Robot
    experimenter: Experimenter
    attributes: Mapping[str, Attribute]
    odometers: dict[str, Odometer]

    @property
    def state(self) -> RobotSnapshot:
        """Return what is true of the robot."""
        return self.experimenter.status(self.robot.name)

    def tracked(self, camera: Camera) -> Designator:
        """Return what a camera tracks; raise ValueError when that is nothing."""
        found = self.state.cameras[camera.index].tracks
        if found is None:
            raise ValueError(
                f'camera {camera.index} tracks nothing; let it track something by cam-track'
            )
        return self.designator(found.number)

    def designator(self, number: int) -> Designator:
        """Return a designator; raise ValueError for one that is not, or no longer, valid."""
        sighting = self.robot.port.sighting(number)
        if sighting is None:
            raise ValueError(
                f'there is no designator {number}; find one by obj-desig or place-desig'
            )
        found: Designator = self.robot.known(sighting)
        return found


class Ended(NamedTuple):
    """An operation that has ended: its arguments, its outcome, and what was true before."""

    desk: ConsoleSession
    arguments: tuple[Any, ...]
    outcome: Outcome
    before: RobotSnapshot


class CommandArgument(NamedTuple):
    """An argument of an operation, read from a word, or from all that are left."""

    name: str
    read: Callable[[ConsoleSession, str], Any] | None = None
    read_all: Callable[[ConsoleSession, Sequence[str]], Any] | None = None


@dataclass(frozen=True)
class Operation:
    """A command of the robot as a line gives it.

    arguments: names among ``ARGUMENTS``; begin: issues the command; describe: says what
    came of it;
    readings: codes that are no failures; lasts: whether it goes on once it has begun.
    """

    name: str
    menu: str
    arguments: tuple[str, ...]
    help: str
    begin: Callable[..., Command]
    describe: Callable[[Ended], str]
    readings: tuple[Code, ...] = ()
    lasts: bool = False


def _part(parts: Sequence[Any], kind: str, word: str) -> Any:
    index = count(word)
    if index >= len(parts):
        raise ValueError(f'there is no {kind} {index}; there are {len(parts)}, counted from 0')
    return parts[index]


def _camera(desk: ConsoleSession, word: str) -> Camera:
    found: Camera = _part(desk.robot.cameras, 'camera', word)
    return found


def _hand(desk: ConsoleSession, word: str) -> Hand:
    found: Hand = _part(desk.robot.hands, 'hand', word)
    return found


def _bin(desk: ConsoleSession, word: str) -> Bin:
    found: Bin = _part(desk.robot.bins, 'bin', word)
    return found


def _words(desk: ConsoleSession, words: Sequence[str]) -> tuple[str, ...]:
    return tuple(words)


ARGUMENTS: Mapping[str, CommandArgument] = {
    argument.name: argument
    for argument in (
        CommandArgument('cam', _camera),
        CommandArgument('hand', _hand),
        CommandArgument('bin', _bin),
        CommandArgument('desig', lambda desk, word: desk.designator(count(word))),
        CommandArgument('type', lambda desk, word: designator_type(word)),
        CommandArgument('place', lambda desk, word: word),
        CommandArgument('angle', lambda desk, word: real(word)),
        CommandArgument('speed', lambda desk, word: real(word)),
        CommandArgument('ticks', lambda desk, word: count(word)),
        CommandArgument('side', lambda desk, word: word.lower()),
        CommandArgument('name', lambda desk, word: word),
        CommandArgument('part', lambda desk, word: word.lower()),
        CommandArgument('number', lambda desk, word: count(word)),
        CommandArgument(
            'specs', None, lambda desk, words: specification_of(words, desk.attributes)
        ),
        CommandArgument(SOME_TICKS, None, _words),
        CommandArgument(DESIGNATORS_AND_VALUES, None, _words),
    )
}
