"""A robot and its parts as their program holds them, with all commands (ars_magna.md §2)."""

import math
from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, Signature
from types import MappingProxyType
from typing import Any
from weakref import WeakValueDictionary

from walking_robots.ars_magna.agent.futures import Future, errors_of, raise_first
from walking_robots.ars_magna.agent.handles import (
    Command,
    Continuation,
    Designator,
    Latest,
    Odometer,
    Outcome,
)
from walking_robots.ars_magna.agent.messages import (
    ERROR,
    PLAIN,
    STARTED,
    WARNING,
    CommandReport,
    CommandRequest,
    DesignatorReport,
    PartName,
)
from walking_robots.ars_magna.agent.port import Port
from walking_robots.ars_magna.agent.radio import Radio
from walking_robots.ars_magna.commands import BIN, COMMANDS, DESIGNATOR
from walking_robots.ars_magna.inputs import finite, shown
from walking_robots.ars_magna.sensing.sensor_model import SensorModel
from walking_robots.ars_magna.sensing.specifications import askable

_KIND = Parameter.POSITIONAL_OR_KEYWORD


class PartHandle:
    """A part of a robot, or the robot itself: a resource, on which one command runs at a time."""

    kind = 'robot'

    def __init__(self, robot: 'Robot', index: int = 0) -> None:
        """Take the robot and the number of the part."""
        self.robot, self.index = robot, index

    def grab(self, then: Continuation | None = None) -> Command:
        """End what runs on this part with INTERRUPT; gives whether something did."""
        return self.robot.issue(self, f'{self.kind}_grab', (), then)


def _command(
    command: str, summary: str, *, defaults: Mapping[str, Any] = MappingProxyType({}), **fixed: Any
) -> Callable[..., Command]:
    """Return the method of a part that issues a command of ``COMMANDS``.

    It takes the command's arguments and a continuation ``then``. defaults: of arguments that may
    be left out; fixed: arguments that the method decides.
    """
    info = COMMANDS[command]
    names = [name for name in info.arguments if name != 'number']
    signature = Signature(
        [
            Parameter('self', _KIND),
            *(
                Parameter(name, _KIND, default=defaults.get(name, Parameter.empty))
                for name in names
                if name not in fixed
            ),
            Parameter('then', _KIND, default=None),
        ]
    )
    offered = tuple(one.default for one in signature.parameters.values())
    least = offered.count(Parameter.empty)
    order = (*signature.parameters, *fixed)
    places = [(name, order.index(name)) for name in names]

    def method(*args: Any, **options: Any) -> Command:
        if options or not least <= len(args) <= len(offered):
            bound = signature.bind(*args, **options)
            bound.apply_defaults()
            args = bound.args
        values = (*args, *offered[len(args) :], *fixed.values())
        part, then = args[0], values[len(offered) - 1]
        plain: list[Any] = []
        for name, index in places:
            plain += part.robot.plain(name, values[index])
        found: Command = part.robot.issue(part, command, plain, then)
        return found

    gives = ', '.join(info.values).replace('_', ' ')
    method.__doc__ = f'{summary}\n\nGives {gives}.' if gives else summary
    method.__signature__ = signature  # type: ignore[attr-defined]
    return method


def _latest(value: Any) -> Any:
    return value.read() if isinstance(value, Latest) else value


def _named(value: object) -> str:
    """Say what somebody gave in place of something else."""
    return f'{value.kind} {value.index}' if isinstance(value, PartHandle) else shown(value)


class Camera(PartHandle):
    """A camera, which gives views and designators (ars_magna.md §2.6)."""

    kind = 'camera'

    @property
    def field_of_view(self) -> float:
        """Return the field of view, rad."""
        return self.robot.build.cameras[self.index][0]

    @property
    def resolution(self) -> int:
        """Return the number of pixels of a view."""
        return self.robot.build.cameras[self.index][1]

    @property
    def angle(self) -> float:
        """Return where it points, rad, relative to the heading; not normalised."""
        return self.robot.port.readings.camera_angles[self.index]

    @property
    def last_view(self) -> tuple[float, ...]:
        """Return the last view."""
        return self.robot.port.readings.views[self.index]

    view = _command('camera_view', 'Look through a camera.')
    get_object_designator = _command(
        'find_object',
        'Search for a thing, local or non-local, that fits specifications.',
        defaults={'specification': ()},
        all=False,
    )
    get_all_object_designators = _command(
        'find_object',
        'Search for all things that fit specifications.',
        defaults={'specification': ()},
        all=True,
    )
    get_place_designator = _command(
        'find_place', 'Search for a place of a type, such as doorway.', all=False
    )
    get_all_place_designators = _command(
        'find_place', 'Search for all places of a type.', all=True
    )
    track = _command('camera_track', 'Keep a camera pointed at what a designator means.')
    untrack = _command('camera_untrack', 'End the track of a camera.')
    turn = _command('camera_turn', 'Turn a camera by an angle, rad, clockwise.')
    align_robot = _command('camera_align_robot', 'Point a camera ahead.')
    align_place = _command(
        'camera_align_place', 'Point a camera along the nearest direction of the place.'
    )
    insert = _command('camera_insert', 'Put a camera into a thing that it tracks, or into a bin.')
    remove = _command('camera_remove', 'Take a camera out of what it is in.')


class Hand(PartHandle):
    """A hand, which grasps (ars_magna.md §2.8)."""

    kind = 'hand'

    @property
    def strength(self) -> float:
        """Return the weight that it can lift."""
        return self.robot.build.hands[self.index]

    grasp = _command('hand_grasp', 'Grasp what a camera tracks.')
    ungrasp = _command('hand_ungrasp', 'Let go of what a hand holds.')
    grasp_check = _command('hand_grasp_check', 'Feel whether a hand holds something.')
    track = _command('hand_track', 'Watch the grip of a hand until it is lost.')
    insert = _command('hand_insert', 'Put a hand into a thing, or into a bin.')
    remove = _command('hand_remove', 'Take a hand out of what it is in, with what it holds.')


class Bin(PartHandle):
    """A bin with a lid (ars_magna.md §2.8)."""

    kind = 'bin'

    @property
    def capacity(self) -> float:
        """Return how much size fits into the empty bin."""
        return self.robot.build.bins[self.index]

    @property
    def free_capacity(self) -> float:
        """Return how much size still fits."""
        return self.robot.port.readings.free_capacities[self.index]

    @property
    def closed(self) -> bool:
        """Return whether the lid is closed."""
        return self.robot.port.readings.bins_closed[self.index]

    open = _command('bin_open', 'Open the lid of a bin.')
    close = _command('bin_close', 'Close the lid of a bin.')


class Robot(PartHandle):
    """A robot as its program knows it (ars_magna.md §2.7).

    Every command returns at once; awaited it gives an Outcome, and a continuation ``then`` is
    called with the code, the part and the values. parts: those of each kind, the robot itself
    among them; radio: for messages to the programs of other robots, which a trial puts on one
    channel; listeners: called with every report; due: the tick for which something waits first.
    """

    def __init__(self, port: Port) -> None:
        """Take hold of a robot."""
        super().__init__(self)
        self.port = port
        self.build = port.build
        self.name = self.build.name
        self.cameras = tuple(Camera(self, index) for index in range(len(self.build.cameras)))
        self.hands = tuple(Hand(self, index) for index in range(len(self.build.hands)))
        self.bins = tuple(Bin(self, index) for index in range(len(self.build.bins)))
        self.parts: Mapping[str, Sequence[PartHandle]] = {
            'robot': (self,),
            'camera': self.cameras,
            'hand': self.hands,
            'bin': self.bins,
        }
        self.main_odometer = Odometer(port, port.odometers()[0], 0)
        self.radio = Radio(self.name, lambda: port.now)
        self._designators: WeakValueDictionary[int, Designator] = WeakValueDictionary()
        self.listeners: list[Callable[[CommandReport], None]] = []
        self.issued = 0
        self._commands: dict[int, Command] = {}
        self._waiting: list[tuple[float, Future[int]]] = []
        self.due = math.inf

    @property
    def now(self) -> int:
        """Return the number of the last tick."""
        return self.port.now

    @property
    def designators(self) -> tuple[Designator, ...]:
        """Return the valid designators that the program holds, by number."""
        held = sorted(self._designators.items())
        return tuple(designator for _, designator in held if designator.valid)

    def designator(self, number: int) -> Designator | None:
        """Return the designator of a number, None when it is not valid."""
        sighting = self.port.sighting(number)
        return None if sighting is None else self._handle(sighting)

    @property
    def speed(self) -> float:
        """Return the speed set, cells a tick."""
        return self.port.readings.speed

    @property
    def turn_angle(self) -> float:
        """Return the rotation set, rad a tick."""
        return self.port.readings.turn_angle

    # Commands

    set_speed = _command('set_speed', 'Set the speed, cells a tick.')
    set_turn_angle = _command('set_turn_angle', 'Set by how much the robot turns in a tick, rad.')
    turn = _command('turn', 'Turn by an angle, rad, clockwise.')
    about_face = _command('turn', 'Turn round.', angle=math.pi)
    turn_left = _command('turn', 'Turn to the left by a quarter.', angle=-math.pi / 2)
    turn_right = _command('turn', 'Turn to the right by a quarter.', angle=math.pi / 2)
    align_place = _command('align_place', 'Turn to the nearest direction of the place.')
    turn_corner = _command('turn_corner', 'Turn around a corner.')
    go_forward = _command('go_forward', 'Move straight ahead for some ticks.')
    goto_wall = _command('goto_wall', 'Move straight ahead up to a wall.')
    follow_wall = _command(
        'follow_wall',
        'Go along the wall at the left or right, to its end or for some ticks.',
        defaults={'ticks': 0},
    )
    goto_designator = _command('goto_designator', 'Turn to what a camera tracks and move there.')
    stop = _command('stop', 'Stop, which takes the time of braking.')
    place = _command('place', 'Sense the type of the place.')

    def manipulate(
        self,
        name: str,
        designators: Sequence[Designator] | Latest,
        by: PartHandle,
        *others: Any,
        then: Continuation | None = None,
    ) -> Command:
        """Do something that the world's design defines to things, by a part; gives its value."""
        self.part(by)
        designators, values = _latest(designators), tuple(map(_latest, others))
        if not isinstance(designators, Sequence):
            raise ValueError(f'a list of designators is needed, not {_named(designators)}')
        numbers = tuple(map(self.own, designators))
        return self.issue(by, 'manipulate', (name, numbers, by.kind, values), then)

    def new_odometer(self, name: str) -> Odometer:
        """Make an odometer that counts from here; one of the same name is no longer valid."""
        return Odometer(self.port, name, self.port.new_odometer(name))

    def sensor_model(self) -> SensorModel:
        """Return how its cameras err: hit rates of searches and errors of readings."""
        return self.port.sensor_model()

    # Messages for people

    def error_set(self, *items: object) -> None:
        """Queue an error of the items, with blanks between them (S01)."""
        self.port.say(ERROR, ' '.join(map(str, items)))

    def warning_set(self, *items: object) -> None:
        """Queue a warning (S02)."""
        self.port.say(WARNING, ' '.join(map(str, items)))

    def message_set(self, *items: object) -> None:
        """Queue a plain message (S03)."""
        self.port.say(PLAIN, ' '.join(map(str, items)))

    # Time

    def wait(self, ticks: int) -> Future[int]:
        """Return the tick when so many have passed; raise ValueError for what is no number."""
        number = finite(ticks)
        if number is None:
            raise ValueError(f'a finite number of ticks is needed, not {shown(ticks)}')
        found: Future[int] = Future()
        self._waiting.append((self.now + number, found))
        self.due = min(self.due, self.now + number)
        return found

    # The two ways of the port

    def issue(
        self, part: PartHandle, command: str, arguments: Sequence[Any], then: Continuation | None
    ) -> Command:
        """Send a command; raise ValueError with one sentence for one that cannot be."""
        made = Command(part, then)
        number = self.issued
        self.port.issue(CommandRequest(self.name, number, command, part.index, tuple(arguments)))
        self.issued = number + 1
        self._commands[number] = made
        return made

    def receive(self, report: CommandReport) -> None:
        """Take a report; what awaits the command continues.

        An error of a listener, or of what waits, is raised after all have been called.
        """
        errors = errors_of(self.listeners, report) if self.listeners else []
        command = self._commands.get(report.number)
        if command is not None and report.kind == STARTED:
            errors += errors_of([command.started.resolve], True)
        elif command is not None:
            del self._commands[report.number]
            outcome = Outcome(report.code, tuple(map(self.known, report.values)))
            errors += errors_of([command.end], outcome)
        raise_first(errors)

    def ticked(self) -> None:
        """Resolve what waits for the present tick; after all reports of the tick."""
        if self.now < self.due:
            return
        due = [entry for entry in self._waiting if entry[0] <= self.now]
        self._waiting = [entry for entry in self._waiting if entry[0] > self.now]
        self.due = min((entry[0] for entry in self._waiting), default=math.inf)
        raise_first(errors_of([future.resolve for _, future in due], self.now))

    def own(self, designator: Designator) -> int:
        """Return the number of a designator; raise ValueError for another robot's, or for none."""
        designator = _latest(designator)
        if not isinstance(designator, Designator):
            raise ValueError(
                f'a designator is needed, not {_named(designator)}; was anything found?'
            )
        if not designator.is_of(self.port):
            raise ValueError(f'designator {designator.number} is not one of {self.name}')
        return designator.number

    def part(self, part: PartHandle, kind: type[PartHandle] = PartHandle) -> int:
        """Return the number of a part; raise ValueError for another robot's, or another kind."""
        if not isinstance(part, kind):
            needed = 'part of the robot' if kind is PartHandle else kind.kind
            raise ValueError(f'a {needed} is needed, not {_named(part)}')
        if part.robot is not self:
            raise ValueError(f'{part.kind} {part.index} is not one of {self.name}')
        return part.index

    def plain(self, name: str, value: Any) -> tuple[Any, ...]:
        """Return an argument as requests hold it; raise ValueError for a wrong one."""
        if isinstance(value, Latest):
            value = value.read()
        match name:
            case 'camera':
                return (self.part(value, Camera),)
            case 'designator':
                return (self.own(value),)
            case 'specification':
                return (askable(value),)
            case 'into' if isinstance(value, Bin):
                return BIN, self.part(value)
            case 'into' if not isinstance(value, Designator):
                raise ValueError(
                    f'a designator or bin is needed, not {_named(value)}; was anything found?'
                )
            case 'into':
                return DESIGNATOR, self.own(value)
        return (value,)

    def known(self, value: Any) -> Any:
        """Return a value with handles in place of sightings and of parts."""
        if isinstance(value, DesignatorReport):
            return self._handle(value)
        if isinstance(value, PartName):
            return self.parts[value.kind][value.number]
        if type(value) is tuple:
            return tuple(map(self.known, value))
        return value

    def _handle(self, sighting: DesignatorReport) -> Designator:
        """Return the one handle of a designator."""
        return self._designators.setdefault(sighting.number, Designator(self.port, sighting))
