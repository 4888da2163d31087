"""Robots as they truly are, with cameras, hands and bins (ars_magna.md §1.3 and §2.8)."""

import math
import random
import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, Self

from walking_robots.ars_magna.design.schema import RobotPart
from walking_robots.ars_magna.geometry.odometer import IntervalOdometer
from walking_robots.ars_magna.inputs import shown
from walking_robots.ars_magna.parameters import Parameters
from walking_robots.ars_magna.simulation.things import DesignatorTruth, Holder, Thing
from walking_robots.geometry.se2 import wrap

MAIN_ODOMETER = 'main'
_ODOMETER_NAME = re.compile(r'[A-Za-z][A-Za-z0-9_]{0,49}')


class Momentum(NamedTuple):
    """What a robot makes in every tick while a motion goes on: distance, cells, and angle, rad."""

    distance: float
    angle: float


class SimulatedPart:
    """A camera, hand or bin of a robot; index: which of its kind."""

    kind: ClassVar[str]

    def __init__(self, robot: 'SimulatedRobot', index: int) -> None:
        """Mount it."""
        self.robot, self.index = robot, index
        self.resource = f'{robot.name}/{self.kind}/{index}'
        self._inside: Holder | None = None

    @property
    def inside(self) -> Holder | None:
        """Return the container or bin that it has been put into."""
        return self._inside

    @inside.setter
    def inside(self, holder: Holder | None) -> None:
        self._inside = holder
        self.robot.engaged.add(self.robot)

    @property
    def label(self) -> str:
        """Say what this is called in messages."""
        return f'{self.kind} {self.index}'


class SimulatedCamera(SimulatedPart):
    """A camera; ``angle``, rad, is relative to the robot's heading and not normalised.

    track: what it is kept pointed at; sight: direction of that in the frame of the room, rad;
    moved: the tick in which it moved last; in_view: the things that it saw when it looked last,
    each with its distance, and looked_from: all that this depends on.
    """

    kind = 'camera'

    def __init__(self, robot: 'SimulatedRobot', index: int, fov: float, resolution: int) -> None:
        """Mount a camera that looks ahead."""
        super().__init__(robot, index)
        self.fov, self.resolution = fov, resolution
        self.angle = 0.0
        self.track: DesignatorTruth | None = None
        self.sight = 0.0
        self.moved = -1
        self.view: tuple[float, ...] = ()
        self.track_resource = f'{self.resource}/track'
        self.looked_from: tuple[object, ...] = ()
        self.in_view: Sequence[tuple[Thing, float]] = ()


class SimulatedHand(SimulatedPart, Holder):
    """A hand; watched: what must not slip."""

    kind = 'hand'
    closed = False

    def __init__(
        self, robot: 'SimulatedRobot', index: int, strength: float, max_size: float
    ) -> None:
        """Mount an empty hand."""
        super().__init__(robot, index)
        Holder.__init__(self)
        self.strength, self.max_size = strength, max_size
        self.watched: Thing | None = None

    @property
    def held(self) -> Thing | None:
        """Return what it holds."""
        return self.contents[0] if self.contents else None

    @property
    def capacity(self) -> float:
        """Say how large a thing it can hold."""
        return self.max_size


class SimulatedBin(SimulatedPart, Holder):
    """A container with a lid on a robot."""

    kind = 'bin'
    capacity = 0.0
    closed = False

    def __init__(self, robot: 'SimulatedRobot', index: int, capacity: float) -> None:
        """Mount an empty, open bin."""
        super().__init__(robot, index)
        Holder.__init__(self)
        self.capacity = capacity


class Streams(NamedTuple):
    """One generator for each kind of chance, so that kinds and robots do not disturb one another.

    Source: ars_magna.md §3.6, ``rng_seed``.
    """

    motion: random.Random
    place: random.Random
    object: random.Random
    view: random.Random
    track: random.Random
    hand: random.Random
    bin: random.Random
    manipulation: random.Random

    @classmethod
    def of(cls, seed: int, name: str) -> Self:
        """Derive the generators of a robot from a seed."""
        return cls(*(random.Random(f'{seed}/{name}/{stream}') for stream in cls._fields))


class SimulatedRobot:
    """A robot: position, cells, and heading, rad, in the frame of the room; not normalised.

    speed: cells a tick; turn_angle: rad a tick; momentum: of the motion that goes on; coasting: of
    the one that a stop has just ended; designations: what its designators truly mean, by number;
    moved: the tick in which it moved or turned last; stirred: the same of it and its cameras;
    order: its place among the robots; engaged: see `WorldState`; generations: how often an
    odometer of a name was made anew; fading: whether designators wait to be lost; version: of the
    scene when they were last looked through; body: the thing that other robots perceive; parts:
    those of each kind, the robot itself among them; movable: those that can be put into something.
    """

    kind: ClassVar = 'robot'
    # A tick of a thousand robots waits for memory most, of which slots take least.
    __slots__ = (
        'bins',
        'body',
        'cameras',
        'coasting',
        'designations',
        'designators',
        'engaged',
        'fading',
        'generations',
        'hands',
        'heading',
        'last_change',
        'last_estimate',
        'main_odometer',
        'momentum',
        'movable',
        'moved',
        'name',
        'odometers',
        'order',
        'parts',
        'resource',
        'sense_resource',
        'speed',
        'stirred',
        'streams',
        'turn_angle',
        'version',
        'x',
        'y',
    )

    def __init__(
        self,
        design: RobotPart,
        parameters: Parameters,
        seed: int,
        order: int,
        engaged: set['SimulatedRobot'],
    ) -> None:
        """Build a robot at its start; its first odometer is the main one."""
        self.name, self.order, self.engaged = design.name, order, engaged
        (self.x, self.y), self.heading = design.at, design.angle
        self.speed = parameters.starting_speed
        self.turn_angle = parameters.starting_turn_angle
        self.cameras = [
            SimulatedCamera(self, i, camera.fov, camera.resolution)
            for i, camera in enumerate(design.cameras)
        ]
        self.hands = [
            SimulatedHand(
                self, i, hand.strength, math.inf if hand.max_size is None else hand.max_size
            )
            for i, hand in enumerate(design.hands)
        ]
        self.bins = [SimulatedBin(self, i, found.capacity) for i, found in enumerate(design.bins)]
        self.movable: Sequence[SimulatedCamera | SimulatedHand] = (*self.cameras, *self.hands)
        self.parts: Mapping[str, Sequence[Any]] = {
            'robot': (self,),
            'camera': self.cameras,
            'hand': self.hands,
            'bin': self.bins,
        }
        self.main_odometer = IntervalOdometer(MAIN_ODOMETER)
        self.odometers = {MAIN_ODOMETER: self.main_odometer}
        self.generations: dict[str, int] = {}
        self.momentum = Momentum(0.0, 0.0)
        self.coasting: Momentum | None = None
        self.moved = self.stirred = -1
        self.fading = False
        self.version = -1
        self.designations: dict[int, DesignatorTruth] = {}
        self.designators = 0
        self.body: Thing | None = None
        self.last_change = (0.0, 0.0)
        self.last_estimate = (0.0, 0.0)
        self.streams = Streams.of(seed, self.name)
        self.resource = f'{self.name}/robot'
        self.sense_resource = f'{self.resource}/sense'

    @property
    def cell(self) -> tuple[int, int]:
        """Return column and row of the cell it stands in."""
        return math.floor(self.x + 0.5), math.floor(self.y + 0.5)

    def new_odometer(self, name: str) -> int:
        """Make an odometer, in place of one of the same name; give the how manieth it is.

        Raises ValueError for the name of the main one, which every robot keeps, and for what is no
        name.
        """
        if not (isinstance(name, str) and _ODOMETER_NAME.fullmatch(name)):
            raise ValueError(
                f'odometer {shown(name)} cannot be made: use letters, digits and _ for a name, a '
                'letter first'
            )
        if name == MAIN_ODOMETER:
            raise ValueError(
                f'{name} is the odometer of the robot itself: reset it, or choose a name'
            )
        self.odometers[name] = IntervalOdometer(name)
        self.generations[name] = self.generations.get(name, 0) + 1
        return self.generations[name]

    def designation(self, number: int) -> DesignatorTruth | None:
        """Return what a designator means that the robot knows of, None for any other number.

        What a search has found is not known of before the search is over.
        """
        found = self.designations.get(number)
        return None if found is None or found.pending else found

    def distance_to(self, x: float, y: float) -> float:
        """Return the way to a point, cells."""
        return math.hypot(x - self.x, y - self.y)

    def bearing_of(self, x: float, y: float) -> float:
        """Return the direction of a point relative to the heading, rad, in (-pi, pi]."""
        return wrap(math.atan2(y - self.y, x - self.x) - self.heading)
