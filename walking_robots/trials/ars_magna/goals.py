"""Where the truth must be at the end of a program for its goal to be reached."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from walking_robots.ars_magna.geometry.point import Point
from walking_robots.ars_magna.plans.errands import Errand, errands_of, request_of
from walking_robots.ars_magna.plans.programs import Goal
from walking_robots.ars_magna.sensing.matching import matches_truth
from walking_robots.ars_magna.sensing.specifications import specification
from walking_robots.ars_magna.simulation.ground import cell_of
from walking_robots.ars_magna.simulation.robots import SimulatedRobot
from walking_robots.ars_magna.simulation.things import Thing
from walking_robots.ars_magna.simulation.world_state import WorldState

Place = tuple[float, float]


@dataclass(frozen=True)
class Frame:
    """Where a robot begins, cells, and its heading there, rad, in the frame of the room."""

    x: float
    y: float
    heading: float

    @classmethod
    def of(cls, robot: SimulatedRobot) -> Self:
        """Return the frame of a robot that has not moved yet."""
        return cls(robot.x, robot.y, robot.heading)

    def to_room(self, place: Point) -> Place:
        """Return a place of the robot's own frame in that of the room."""
        cos, sin = math.cos(self.heading), math.sin(self.heading)
        return self.x + cos * place.x - sin * place.y, self.y + sin * place.x + cos * place.y

    def from_room(self, place: Place) -> Point:
        """Return a place of the room in the robot's own frame."""
        cos, sin = math.cos(self.heading), math.sin(self.heading)
        x, y = place[0] - self.x, place[1] - self.y
        return Point(cos * x + sin * y, cos * y - sin * x)


@dataclass(frozen=True)
class Target:
    """Things of which one is to be at a place, or the robot where there are none.

    labels: of the things; place: cells, in the frame of the room, None where the program is to
    find it.
    """

    labels: tuple[str, ...]
    place: Place | None

    def error(self, places: Mapping[str, Place], robot: str) -> float:
        """Return the distance of the nearest of them from its place, cells.

        places: of things by label, and of robots by name.
        """
        assert self.place is not None
        return min(math.dist(places[label], self.place) for label in self.labels or (robot,))


def targets_of(
    world: WorldState, robot: SimulatedRobot, goal: Goal, words: str, leader: Frame
) -> tuple[Sequence[Target], Any]:
    """Return the targets of a goal, and the request for the program of a robot.

    words: a description or errands; without them what `_suitable` chooses is described;
    leader: the frame of the places of errands. Raises ValueError for a description that nothing
    fits.
    """
    frame, home = Frame.of(robot), (robot.x, robot.y)
    request = request_of(words, world.definitions.attributes) if words else _suitable(world, robot)
    if isinstance(request, tuple) and not request:
        return (Target((), home),), ()
    errands = errands_of(request)
    if goal is Goal.THING and any(isinstance(one, Errand) for one in request):
        goal = Goal.ERRANDS
    if goal is Goal.LAST:
        last = errands[-1]
        return (Target(_labels(world, last, lying=False), home),), request
    fitting = [_labels(world, errand) for errand in errands]
    match goal:
        case Goal.ERRANDS:
            places = [leader.to_room(errand.place) for errand in errands]
            targets = [Target(*pair) for pair in zip(fitting, places, strict=True)]
            request = tuple(
                Errand(errand.what, frame.from_room(place))
                for errand, place in zip(errands, places, strict=True)
            )
        case Goal.FOUND:
            targets = [Target(labels, None) for labels in fitting]
        case Goal.ALL:
            can = [label for label in fitting[0] if not _is_beyond(world, robot, label)]
            targets = [Target((label,), home) for label in can]
        case Goal.THING:
            targets = [Target(fitting[0], home)]
        case _:
            targets = [Target((), home)]
    return targets, request


def _labels(world: WorldState, errand: Errand, lying: bool = True) -> tuple[str, ...]:
    """Return the labels of the things on the ground, or of all, that truly fit."""
    attributes, substances = world.definitions.attributes, world.design.substances
    wanted = specification(errand.what, attributes, substances=substances)
    things = world.scene.lying()[0] if lying else world.scene.things.values()
    fitting = tuple(
        thing.label
        for thing in things
        if matches_truth(wanted, thing.attributes, world.parameters, {}) is not None
    )
    if not fitting:
        words = ' '.join(f'{name}={value}' for name, value, *_ in errand.what)
        place = f'on the ground of {world.name}' if lying else f'in {world.name}'
        raise ValueError(f"nothing {place} fits '{words:.80}'; describe one of its things")
    return fitting


def _is_beyond(world: WorldState, robot: SimulatedRobot, found: str | Thing) -> bool:
    """Return whether a robot can never take a thing."""
    thing = next(world.scene.find(found)) if isinstance(found, str) else found
    strength = max((hand.strength for hand in robot.hands), default=0.0)
    room = max((one.capacity for one in robot.bins), default=0.0)
    walled = world.ground.is_filled(*cell_of(thing.x, thing.y))
    return thing.blocks_movement or walled or thing.weight > strength or thing.size > room


def _suitable(world: WorldState, robot: SimulatedRobot) -> Sequence[Any]:
    """Describe something that the robot can take, by its color or its size; () for nothing.

    What it could see from where it stands goes before what is behind walls, and the near before
    the far.
    """

    def rank(thing: Thing) -> tuple[bool, float]:
        hidden = not world.scene.is_visible(robot.x, robot.y, thing.x, thing.y)
        return hidden, robot.distance_to(thing.x, thing.y)

    suitable = [
        thing
        for thing in world.scene.lying()[0]
        if not _is_beyond(world, robot, thing)
        and ('color' in thing.attributes or 'size' in thing.attributes)
    ]
    if not suitable:
        return ()
    nearest = min(suitable, key=rank)
    name = 'color' if 'color' in nearest.attributes else 'size'
    return ((name, nearest.attributes[name]),)
