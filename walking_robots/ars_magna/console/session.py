"""What operations of the command line work on: a robot's handle, and what is true of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from walking_robots.ars_magna.agent.handles import Designator, Odometer, Outcome
from walking_robots.ars_magna.agent.robot import Camera, Robot
from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.console.tables import location_of
from walking_robots.ars_magna.console.words import (
    SPECIFICATIONS,
    count,
    designator_type,
    real,
    specification_of,
)
from walking_robots.ars_magna.sensing.attributes import Attribute
from walking_robots.ars_magna.simulation.experimenter import Experimenter
from walking_robots.ars_magna.simulation.snapshots import RobotSnapshot

BUILT_IN = 'built in'
"""Menu of commands that do not take the robot any time."""
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

    session: ConsoleSession
    arguments: tuple[Any, ...]
    outcome: Outcome
    before: RobotSnapshot

    @property
    def value(self) -> Any:
        """Return the first value that it gave."""
        return self.outcome.value

    @property
    def part(self) -> str:
        """Return the part that did it, in words."""
        return f'{self.arguments[0].kind} {self.arguments[0].index}'

    @property
    def location(self) -> str:
        """Say in what the camera or hand is."""
        return location_of(self.before.name, self._of(self.session.state).inside)

    @property
    def former_location(self) -> str:
        """Say in what the camera or hand was."""
        return location_of(self.before.name, self._of(self.before).inside)

    @property
    def held(self) -> str:
        """Return what the hand holds."""
        return str(self._of(self.session.state).held)

    @property
    def dropped(self) -> str:
        """Say what the hand held, and in what it is now."""
        hand = self._of(self.before)
        return f'{hand.held} into {location_of(self.before.name, hand.inside, "the ground")}'

    def _of(self, state: RobotSnapshot) -> Any:
        """Return what is true of the camera or hand."""
        part = self.arguments[0]
        parts = state.cameras if part.kind == Camera.kind else state.hands
        return parts[part.index]


@dataclass(frozen=True)
class ConsoleCommand:
    """A command as a line gives it.

    menu: which lists it; arguments: names among ``ARGUMENTS``, or of all the words that are left;
    act: takes the session and the arguments, and returns the lines to show, or issues a command of
    the robot; says: what came of the latter; readings: codes that are no failures; lasts: whether
    it goes on once it has begun.
    """

    name: str
    menu: str
    arguments: tuple[str, ...]
    help: str
    act: Callable[..., Any]
    says: Callable[[Ended], str] | None = None
    readings: tuple[Code, ...] = ()
    lasts: bool = False

    @property
    def usage(self) -> str:
        """Return its name and arguments."""
        return ' '.join((self.name, *self.arguments))


class CommandArgument(NamedTuple):
    """How an argument is read, from a word or from all that are left; note: on help."""

    read: Callable[[ConsoleSession, Any], Any]
    note: str = ''
    takes_rest: bool = False


def _part(kind: str) -> Callable[[ConsoleSession, str], Any]:
    """Return what reads the number of a part of a kind."""

    def read(session: ConsoleSession, word: str) -> Any:
        parts, index = session.robot.parts[kind], count(word)
        if index >= len(parts):
            raise ValueError(f'there is no {kind} {index}; there are {len(parts)}, counted from 0')
        return parts[index]

    return read


def _plain(read: Callable[[str], Any], note: str = '') -> CommandArgument:
    return CommandArgument(lambda session, word: read(word), note)


def _rest(note: str = '') -> CommandArgument:
    return CommandArgument(lambda session, words: tuple(words), note, takes_rest=True)


WORDS = _rest()
"""Words of which the command itself makes something."""

ARGUMENTS: Mapping[str, CommandArgument] = {
    'cam': CommandArgument(_part('camera'), 'cam: number of a camera, from 0'),
    'hand': CommandArgument(_part('hand'), 'hand: number of a hand, from 0'),
    'bin': CommandArgument(_part('bin'), 'bin: number of a bin, from 0'),
    'desig': CommandArgument(
        lambda session, word: session.designator(count(word)), 'desig: number of a designator'
    ),
    'type': _plain(
        designator_type,
        'type: local for what is at less than a cell, non-local for what is farther away',
    ),
    'place': _plain(str, 'place: type of a place, such as doorway'),
    'angle': _plain(real, 'angle: rad, clockwise'),
    'speed': _plain(real, 'speed: cells a tick'),
    'x': _plain(real),
    'y': _plain(real),
    'ticks': _plain(count),
    'side': _plain(str.lower, 'side: left or right'),
    'name': _plain(str),
    'part': _plain(str.lower, 'part: robot, camera, hand or bin, and then its number'),
    'number': _plain(count),
    'specs': CommandArgument(
        lambda session, words: specification_of(words, session.attributes),
        SPECIFICATIONS,
        takes_rest=True,
    ),
    SOME_TICKS: _rest('ticks: for how many; without a number, to the end of the wall'),
    DESIGNATORS_AND_VALUES: _rest('designators: their numbers; values: further numbers or words'),
}
