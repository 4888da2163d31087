"""The side of who may know and change the truth: between ticks, and apart from robot programs."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from walking_robots.ars_magna.design.files import kicker_of
from walking_robots.ars_magna.design.model import Kicker, ThingDesign
from walking_robots.ars_magna.design.things import overfull
from walking_robots.ars_magna.inputs import finite, named, normal_name, shown, suggestion
from walking_robots.ars_magna.parameters import Parameters
from walking_robots.ars_magna.sensing.attributes import Value, checked
from walking_robots.ars_magna.simulation.ground import cell_of
from walking_robots.ars_magna.simulation.robots import SimulatedHand, SimulatedRobot
from walking_robots.ars_magna.simulation.simulator import Simulator
from walking_robots.ars_magna.simulation.snapshots import (
    RobotSnapshot,
    ThingSnapshot,
    state_of_robot,
    state_of_thing,
)
from walking_robots.ars_magna.simulation.things import Holder, Thing
from walking_robots.ars_magna.simulation.world_state import WorldState

_NAME = re.compile(r'[a-z][a-z0-9_]{0,79}')
_PART = re.compile(r'(?:(.+)/)?(hand|bin)[/ ](\d{1,4})')

MOST = 1e6
"""Headings, rad, are below it, so that rounding does not show."""


@dataclass(frozen=True)
class Beside:
    """Where another thing is."""

    thing: str


@dataclass(frozen=True)
class Inside:
    """In a container such as box or box#3, a hand or a bin such as robbie/hand/0 or bin/1."""

    holder: str


Location = tuple[float, float] | Beside | Inside
"""A point of the map, cells, or where another thing is, or in something."""


def thing_named(world: WorldState, name: str) -> Thing:
    """Return the only thing with a name or label; raise ValueError where there is not just one."""
    found = list(world.scene.find(name))
    if len(found) == 1:
        return found[0]
    if not found:
        known = {thing.name for thing in world.scene.things.values()}
        raise ValueError(f"there is no thing '{name:.40}'; {suggestion(normal_name(name), known)}")
    labels = ', '.join(thing.label for thing in found[:10])
    raise ValueError(
        f"there are {len(found)} things '{name:.40}'; say which one, such as {labels}"
    )


def spot_of(world: WorldState, location: Location) -> Holder | tuple[float, float]:
    """Return what a location means; raise ValueError for one that is not there."""
    match location:
        case Inside(name):
            return _holder(world, name)
        case Beside(name):
            other = thing_named(world, name)
            return world.scene.position(other) if other.holder is None else _free(other.holder)
        case x, y:
            return point(world, x, y)
    raise ValueError(f'a location is a point, Beside a thing or Inside one, not {shown(location)}')


def point(world: WorldState, x: object, y: object) -> tuple[float, float]:
    """Return a point of the map, walls included; raise ValueError for any other."""
    to_x, to_y = finite(x), finite(y)
    if to_x is None or to_y is None:
        raise ValueError(f'a point needs two finite numbers, not {shown(x)} and {shown(y)}')
    there = to_x, to_y
    if not world.ground.contains(*cell_of(*there)):
        raise ValueError(
            f'the point ({there[0]:g}, {there[1]:g}) is not on the map; its cells go from (0, 0) '
            f'to ({world.ground.columns - 1}, {world.ground.rows - 1})'
        )
    return there


def attributes_of(
    world: WorldState, owner: str, values: Mapping[str, object]
) -> dict[str, Value | None]:
    """Read attributes of a thing, None for one that it is not to have; ``owner``: for errors."""
    known = world.definitions.attributes
    found: dict[str, Value | None] = {}
    for written, value in values.items():
        name = normal_name(str(written))
        if name not in known:
            raise ValueError(
                f"'{owner}' cannot have '{name:.40}', which is no attribute; "
                f'{suggestion(name, known)}'
            )
        found[name] = (
            None if value is None else checked(known[name], value, world.design.substances)
        )
    return found


def design_of(
    world: WorldState, name: str, attributes: Mapping[str, object], prototype: str | None
) -> ThingDesign:
    """Return the design of a thing: what its prototype has, and then other attributes.

    Raises ValueError for what cannot be.
    """
    key = normal_name(name)
    if not _NAME.fullmatch(key):
        raise ValueError(
            f"a thing cannot be called '{name:.40}'; use letters, digits, _ and -, a letter first"
        )
    model = None
    if prototype is not None:
        model = world.prototypes.get(normal_name(prototype))
        if model is None:
            raise ValueError(
                f"'{key}' builds on '{prototype:.40}', which is no prototype; "
                f'{suggestion(prototype, world.prototypes)}'
            )
    own = attributes_of(world, key, attributes)
    given = {**(model.attributes if model else {}), **own}
    return ThingDesign(
        key,
        None,
        None,
        {name: value for name, value in given.items() if value is not None},
        model.contents if model else (),
        model.kickers if model else (),
    )


def _holder(world: WorldState, name: str) -> Holder:
    """Find a container, hand or bin by name."""
    part = _PART.fullmatch(name.strip().lower())
    if part is None:
        return thing_named(world, name)
    robot = _robot_of_part(world, part[1], name)
    parts: Sequence[Holder] = robot.hands if part[2] == 'hand' else robot.bins
    index = int(part[3])
    if index >= len(parts):
        raise ValueError(
            f'{robot.name} has no {part[2]} {index}; it has {len(parts)}, counted from 0'
        )
    return _free(parts[index])


def _free(holder: Holder) -> Holder:
    """Return a holder; raise ValueError for a hand that is full."""
    if isinstance(holder, SimulatedHand) and holder.held is not None:
        raise ValueError(
            f'{holder.label} of {holder.robot.name} holds {holder.held.label} already; move that '
            'first'
        )
    return holder


def _robot_of_part(world: WorldState, robot: str | None, name: str) -> SimulatedRobot:
    if robot is not None:
        return named(
            'robot', {key.lower(): key for key in world.robots}.get(robot, robot), world.robots
        )
    if len(world.robots) != 1:
        raise ValueError(
            f"'{name}' may belong to any of {len(world.robots)} robots; write it with the robot's "
            'name, such as robbie/bin/0'
        )
    return next(iter(world.robots.values()))


class Experimenter:
    """Returns what is true, and changes it at once (ars_magna.md §1.11, §4.4, §4.5, §5.3).

    Things go by name, or where several have it by label, such as box#3. What cannot be is refused
    by a ValueError of one sentence, and then nothing has changed.
    """

    def __init__(self, simulator: Simulator) -> None:
        """Take a world; several experimenters may share one."""
        self._world, self._simulator = simulator.world, simulator

    # What is true

    @property
    def parameters(self) -> Parameters:
        """Return the parameters in force."""
        return self._world.parameters

    def things(self) -> tuple[ThingSnapshot, ...]:
        """Return snapshots of all things, in the order of their making."""
        return tuple(
            state_of_thing(self._world, thing) for thing in self._world.scene.things.values()
        )

    def thing(self, name: str) -> ThingSnapshot:
        """Return a snapshot of a thing."""
        return state_of_thing(self._world, thing_named(self._world, name))

    def status(self, robot: str) -> RobotSnapshot:
        """Return a snapshot of a robot."""
        return state_of_robot(self._world, named('robot', robot, self._world.robots))

    # Robots

    def set_position(self, robot: str, x: float, y: float) -> None:
        """Put a robot somewhere on the map, whatever is there; its odometers do not notice."""
        self.set_pose(robot, (x, y), None)

    def set_angle(self, robot: str, angle: float) -> None:
        """Turn a robot to a heading, rad, clockwise from x; its odometers do not notice."""
        self.set_pose(robot, None, angle)

    def set_pose(
        self, robot: str, position: tuple[float, float] | None, angle: float | None
    ) -> None:
        """Set position, heading or both at once; None leaves one as it is."""
        found = named('robot', robot, self._world.robots)
        x, y = (found.x, found.y) if position is None else point(self._world, *position)
        heading = found.heading if angle is None else finite(angle)
        if heading is None or not (angle is None or abs(heading) < MOST):
            raise ValueError(f'a heading needs a number below {MOST:g} rad, not {shown(angle)}')
        found.x, found.y, found.heading = x, y, heading
        self._world.carry_body(found)
        found.moved = found.stirred = self._world.now + 1

    # Things

    def new_thing(
        self,
        name: str,
        location: Location | None,
        attributes: Mapping[str, object] | None = None,
        prototype: str | None = None,
    ) -> str:
        """Make a thing and give its label; with None for a location a prototype, by its name.

        The prototype's attributes and contents come first, then the attributes given here. More
        contents than fit are warned of.
        """
        world = self._world
        place = None if location is None else spot_of(world, location)
        design = design_of(world, name, attributes or {}, prototype)
        if design.contents and overfull(design):
            world.messages.warning(f'more is in {design.name} than fits.')
        if place is None:
            world.prototypes[design.name] = design
            return design.name
        made = world.make(design, place)
        self._warn(place)
        return made.label

    def set_attributes(self, thing: str, attributes: Mapping[str, object]) -> None:
        """Set attributes of a thing; None removes one."""
        found = thing_named(self._world, thing)
        self._world.scene.change(found, attributes_of(self._world, found.label, attributes))

    def move_thing(self, thing: str, location: Location) -> None:
        """Put a thing, with all that is in it, somewhere else."""
        world = self._world
        found, place = thing_named(world, thing), spot_of(world, location)
        if isinstance(place, Holder):
            if any(inner is place for inner in found.within()):
                raise ValueError(f'{found.label} cannot be put into itself; name another place')
            world.scene.put(found, place)
            self._warn(place)
        else:
            world.scene.drop(found, *place)

    def destroy_thing(self, thing: str) -> None:
        """Take a thing out of the world; what it held stays."""
        self._world.scene.destroy(thing_named(self._world, thing))

    # Kickers

    def set_kicker(self, thing: str, name: str) -> None:
        """Attach a kicker of the world's definitions to a thing."""
        found, key = thing_named(self._world, thing), normal_name(name)
        self._put(found, named('kicker', key, self._world.definitions.kickers))

    def put_kicker(
        self, thing: str, name: str, kicker: Kicker | Mapping[str, object] | None
    ) -> None:
        """Attach a kicker to one thing, in place of one of the same name there.

        kicker: a mapping is what a file says below the name of a kicker, such as
        {'prob': 0.1, 'body': [{'kick': {'dx': 1}}]}; None, or one with nothing in its body, takes
        that of the name away from this thing alone.
        """
        world = self._world
        found, key = thing_named(world, thing), normal_name(name)
        if isinstance(kicker, Mapping):
            kicker = kicker_of(key, kicker, world.design, tuple(world.prototypes))
        if kicker is not None and kicker.body:
            self._put(found, replace(kicker, name=key))
        elif key in found.kickers:
            del found.kickers[key]
            found.reruns.pop(key, None)
        else:
            raise ValueError(
                f"{found.label} has no kicker '{key:.40}'; {suggestion(key, found.kickers)}"
            )

    # Messages and events

    def error_set(self, *items: object) -> None:
        """Queue an error of the items, with blanks between them (S01)."""
        self._world.messages.error(' '.join(map(str, items)))

    def warning_set(self, *items: object) -> None:
        """Queue a warning (S02)."""
        self._world.messages.warning(' '.join(map(str, items)))

    def message_set(self, *items: object) -> None:
        """Queue a plain message (S03)."""
        self._world.messages.plain(' '.join(map(str, items)))

    def schedule(
        self,
        resource: str,
        body: Callable[[], None],
        *,
        priority: int = 0,
        interrupt: Callable[[], None] | None = None,
        when: Callable[[], bool] | None = None,
        timeout: int | None = None,
        timer: int = 1,
    ) -> bool:
        """Queue an event, see `Scheduler.schedule`; resources are such as robbie/hand/0."""
        return self._simulator.scheduler.schedule(
            resource,
            body,
            priority=priority,
            interrupt=interrupt,
            when=when,
            timeout=timeout,
            timer=timer,
        )

    # Parameters

    def set_parameters(self, /, **values: Any) -> None:
        """Change parameters, by their names here or in the manual."""
        self._world.parameters = self._world.parameters.with_values(**values)

    def clean(self) -> None:
        """Remove all noise, and remember the parameters from before the first time."""
        world = self._world
        if world.before_clean is None:
            world.before_clean = world.parameters
        world.parameters = world.parameters.cleaned()

    def dirty(self) -> None:
        """Restore the parameters from before ``clean``; what was changed since then is lost."""
        world = self._world
        if world.before_clean is not None:
            world.parameters, world.before_clean = world.before_clean, None

    def _put(self, thing: Thing, kicker: Kicker) -> None:
        self._world.attach(thing, kicker)

    def _warn(self, place: Holder | tuple[float, float]) -> None:
        """Warn of more in a holder than fits."""
        if isinstance(place, Holder) and place.free < -1e-9:
            self._world.messages.warning(f'more is in {place.label} than fits.')
