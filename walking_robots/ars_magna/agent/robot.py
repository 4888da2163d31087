"""A robot and its parts as their program holds them, with all commands (ars_magna.md §2)."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

from walking_robots.ars_magna.agent.futures import Future, call_all
from walking_robots.ars_magna.agent.handles import (
    Command,
    Continuation,
    Designator,
    Odometer,
    Outcome,
)
from walking_robots.ars_magna.agent.messages import (
    STARTED,
    CommandReport,
    CommandRequest,
    DesignatorReport,
    PartName,
)
from walking_robots.ars_magna.agent.port import Port
from walking_robots.ars_magna.quantities import finite, shown
from walking_robots.ars_magna.sensing.specifications import askable


class PartHandle:
    """A part of a robot, or the robot itself: a resource, on which one command runs at a time."""

    kind = 'robot'

    def __init__(self, robot: 'Robot', index: int = 0) -> None:
        """Take the robot and the number of the part."""
        self.robot, self.index = robot, index

    def grab(self, then: Continuation | None = None) -> Command:
        """End what runs on this part with INTERRUPT; gives whether something did."""
        return self._do(f'{self.kind}_grab', (), then)

    def _do(
        self, command: str, arguments: Sequence[Any] = (), then: Continuation | None = None
    ) -> Command:
        return self.robot.issue(self, command, arguments, then)


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
        return self.robot.port.camera_angle(self.index)

    @property
    def last_view(self) -> tuple[float, ...]:
        """Return the last view."""
        return self.robot.port.last_view(self.index)

    def view(self, then: Continuation | None = None) -> Command:
        """Look; gives as many substance parameters as the camera has pixels."""
        return self._do('camera_view', (), then)

    def get_object_designator(
        self, type: str, specification: Any = (), then: Continuation | None = None
    ) -> Command:
        """Search for a thing that fits a specification; gives a designator."""
        return self._do('find_object', (type, askable(specification), False), then)

    def get_all_object_designators(
        self, type: str, specification: Any = (), then: Continuation | None = None
    ) -> Command:
        """Search for all things that fit a specification; gives a tuple of designators."""
        return self._do('find_object', (type, askable(specification), True), then)

    def get_place_designator(self, place: str, then: Continuation | None = None) -> Command:
        """Search for a place of a type; gives a designator."""
        return self._do('find_place', (place, False), then)

    def get_all_place_designators(self, place: str, then: Continuation | None = None) -> Command:
        """Search for all places of a type; gives a tuple of designators."""
        return self._do('find_place', (place, True), then)

    def track(self, designator: Designator, then: Continuation | None = None) -> Command:
        """Keep pointed at something; the command starts to last then, and ends with the track."""
        return self._do('camera_track', (self.robot.own(designator),), then)

    def untrack(self, then: Continuation | None = None) -> Command:
        """End the track."""
        return self._do('camera_untrack', (), then)

    def turn(self, angle: float, then: Continuation | None = None) -> Command:
        """Turn by an angle, rad, clockwise; gives a reading of it."""
        return self._do('camera_turn', (angle,), then)

    def align_robot(self, then: Continuation | None = None) -> Command:
        """Point ahead; gives a reading of the rotation."""
        return self._do('camera_align_robot', (), then)

    def align_place(self, then: Continuation | None = None) -> Command:
        """Point along the nearest canonical direction; gives the rotation and the place type."""
        return self._do('camera_align_place', (), then)

    def insert(self, into: 'Designator | Bin', then: Continuation | None = None) -> Command:
        """Put the camera into the container that it tracks, or into a bin."""
        return self._do('camera_insert', self.robot.destination(into), then)

    def remove(self, then: Continuation | None = None) -> Command:
        """Take the camera out."""
        return self._do('camera_remove', (), then)


class Hand(PartHandle):
    """A hand, which grasps (ars_magna.md §2.8)."""

    kind = 'hand'

    @property
    def strength(self) -> float:
        """Return the weight that it can lift."""
        return self.robot.build.hands[self.index]

    def grasp(
        self, camera: Camera, designator: Designator, then: Continuation | None = None
    ) -> Command:
        """Grasp what a camera tracks by a designator."""
        return self._do(
            'hand_grasp', (self.robot.part(camera, Camera), self.robot.own(designator)), then
        )

    def ungrasp(self, then: Continuation | None = None) -> Command:
        """Let go."""
        return self._do('hand_ungrasp', (), then)

    def grasp_check(self, then: Continuation | None = None) -> Command:
        """Feel whether something is held: the code is GRASPING or NOT-GRASPING."""
        return self._do('hand_grasp_check', (), then)

    def track(self, then: Continuation | None = None) -> Command:
        """Watch the grip; the command ends when it is lost."""
        return self._do('hand_track', (), then)

    def insert(self, into: 'Designator | Bin', then: Continuation | None = None) -> Command:
        """Put the hand into a container, or into a bin."""
        return self._do('hand_insert', self.robot.destination(into), then)

    def remove(self, then: Continuation | None = None) -> Command:
        """Take the hand out, with what it holds."""
        return self._do('hand_remove', (), then)


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
        return self.robot.port.free_capacity(self.index)

    @property
    def closed(self) -> bool:
        """Return whether the lid is closed."""
        return self.robot.port.is_bin_closed(self.index)

    def open(self, then: Continuation | None = None) -> Command:
        """Open the lid."""
        return self._do('bin_open', (), then)

    def close(self, then: Continuation | None = None) -> Command:
        """Close the lid; gives the kind and number of a part that is in the way."""
        return self._do('bin_close', (), then)


class Robot(PartHandle):
    """A robot as its program knows it (ars_magna.md §2.7).

    Every command returns at once; awaited it gives an Outcome, and a continuation ``then`` is
    called with the code, the part and the values. listeners: called with every report.
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
        self.main_odometer = Odometer(port, port.odometers()[0], 0)
        self._designators: WeakValueDictionary[int, Designator] = WeakValueDictionary()
        self.listeners: list[Callable[[CommandReport], None]] = []
        self.issued = 0
        self._commands: dict[int, Command] = {}
        self._waiting: list[tuple[float, Future[int]]] = []

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
        return self.port.speed()

    @property
    def turn_angle(self) -> float:
        """Return the rotation set, rad a tick."""
        return self.port.turn_angle()

    # Commands

    def set_speed(self, speed: float, then: Continuation | None = None) -> Command:
        """Set the speed, cells a tick; gives the value in force."""
        return self._do('set_speed', (speed,), then)

    def set_turn_angle(self, angle: float, then: Continuation | None = None) -> Command:
        """Set the rotation, rad a tick; gives the value in force."""
        return self._do('set_turn_angle', (angle,), then)

    def turn(self, angle: float, then: Continuation | None = None) -> Command:
        """Turn in place by an angle, rad, clockwise; gives a reading of it."""
        return self._do('turn', (angle,), then)

    def about_face(self, then: Continuation | None = None) -> Command:
        """Turn round."""
        return self.turn(math.pi, then)

    def turn_left(self, then: Continuation | None = None) -> Command:
        """Turn to the left by a quarter."""
        return self.turn(-math.pi / 2, then)

    def turn_right(self, then: Continuation | None = None) -> Command:
        """Turn to the right by a quarter."""
        return self.turn(math.pi / 2, then)

    def align_place(self, then: Continuation | None = None) -> Command:
        """Turn to the nearest canonical direction of the place; gives a reading of the angle."""
        return self._do('align_place', (), then)

    def turn_corner(self, then: Continuation | None = None) -> Command:
        """Turn around a convex or concave corner; gives a reading of the rotation."""
        return self._do('turn_corner', (), then)

    def go_forward(self, ticks: int, then: Continuation | None = None) -> Command:
        """Move straight ahead for some ticks."""
        return self._do('go_forward', (ticks,), then)

    def goto_wall(self, then: Continuation | None = None) -> Command:
        """Move straight ahead up to a wall."""
        return self._do('goto_wall', (), then)

    def follow_wall(self, side: str, ticks: int = 0, then: Continuation | None = None) -> Command:
        """Go along the wall at the left or right, for some ticks or, with 0, to its end."""
        return self._do('follow_wall', (side, ticks), then)

    def goto_designator(self, camera: Camera, then: Continuation | None = None) -> Command:
        """Approach what a camera tracks; gives the designator reached."""
        return self._do('goto_designator', (self.part(camera, Camera),), then)

    def stop(self, then: Continuation | None = None) -> Command:
        """Stop; this takes the time of braking."""
        return self._do('stop', (), then)

    def place(self, then: Continuation | None = None) -> Command:
        """Sense the type of the place here, whatever moves meanwhile; gives its name or None."""
        return self._do('place', (), then)

    def manipulate(
        self,
        name: str,
        designators: Sequence[Designator],
        by: PartHandle,
        *others: Any,
        then: Continuation | None = None,
    ) -> Command:
        """Do something that the world's design defines to things, by a part; gives its value."""
        self.part(by)
        if not isinstance(designators, Sequence):
            raise ValueError(f'a list of designators is needed, not {_named(designators)}')
        numbers = tuple(map(self.own, designators))
        return self.issue(by, 'manipulate', (name, numbers, by.kind, others), then)

    def new_odometer(self, name: str) -> Odometer:
        """Make an odometer that counts from here; one of the same name is no longer valid."""
        return Odometer(self.port, name, self.port.new_odometer(name))

    # Time

    def wait(self, ticks: int) -> Future[int]:
        """Return the tick when so many have passed; raise ValueError for what is no number."""
        number = finite(ticks)
        if number is None:
            raise ValueError(f'a finite number of ticks is needed, not {shown(ticks)}')
        found: Future[int] = Future()
        self._waiting.append((self.now + number, found))
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
        """Take a report: commands that end let what awaits them go on.

        An error of a listener, or of what waits, is raised after all have been called.
        """
        calls: list[Callable[[], None]] = [
            partial(listener, report) for listener in self.listeners
        ]
        command = self._commands.get(report.number)
        if command is not None and report.kind == STARTED:
            calls.append(partial(command.started.resolve, True))
        elif command is not None:
            del self._commands[report.number]
            outcome = Outcome(report.code, tuple(map(self.known, report.values)))
            calls += [partial(command.resolve, outcome), partial(command.started.resolve, False)]
        call_all(calls)

    def ticked(self) -> None:
        """Let those go on who wait for the present tick; after all reports of the tick."""
        due = [entry for entry in self._waiting if entry[0] <= self.now]
        self._waiting = [entry for entry in self._waiting if entry[0] > self.now]
        call_all([partial(future.resolve, self.now) for _, future in due])

    def own(self, designator: Designator) -> int:
        """Return the number of a designator; raise ValueError for another robot's, or for none."""
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

    def destination(self, into: Designator | Bin) -> tuple[str, int]:
        """Return what something is put into, in words; raise ValueError for another robot's."""
        if isinstance(into, Bin):
            return 'bin', self.part(into)
        if not isinstance(into, Designator):
            raise ValueError(
                f'a designator or bin is needed, not {_named(into)}; was anything found?'
            )
        return 'designator', self.own(into)

    def known(self, value: Any) -> Any:
        """Return a value with handles in place of sightings and of parts."""
        if isinstance(value, DesignatorReport):
            return self._handle(value)
        if isinstance(value, PartName):
            parts: Mapping[str, Sequence[PartHandle]] = {
                'robot': (self,),
                'camera': self.cameras,
                'hand': self.hands,
                'bin': self.bins,
            }
            return parts[value.kind][value.number]
        if type(value) is tuple:
            return tuple(map(self.known, value))
        return value

    def _handle(self, sighting: DesignatorReport) -> Designator:
        """Return the one handle of a designator."""
        return self._designators.setdefault(sighting.number, Designator(self.port, sighting))
