"""Find things and robots by name, and put things where somebody says (ars_magna.md §4.4)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from walking_robots.ars_magna.design.model import ThingDesign
from walking_robots.ars_magna.inputs import finite, normal_name, shown, suggestion
from walking_robots.ars_magna.sensing.attributes import Value, checked
from walking_robots.ars_magna.simulation.ground import cell_of
from walking_robots.ars_magna.simulation.robots import SimulatedHand, SimulatedRobot
from walking_robots.ars_magna.simulation.things import Holder, Thing
from walking_robots.ars_magna.simulation.world_state import WorldState

_NAME = re.compile(r'[a-z][a-z0-9_]{0,79}')
_PART = re.compile(r'(?:(.+)/)?(hand|bin)[/ ](\d{1,4})')


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


def robot_named(world: WorldState, name: str) -> SimulatedRobot:
    """Return a robot; raise ValueError where there is none of that name."""
    if name not in world.robots:
        raise ValueError(f"there is no robot '{name:.40}'; {suggestion(name, world.robots)}")
    return world.robots[name]


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
        return robot_named(world, {key.lower(): key for key in world.robots}.get(robot, robot))
    if len(world.robots) != 1:
        raise ValueError(
            f"'{name}' may belong to any of {len(world.robots)} robots; write it with the robot's "
            'name, such as robbie/bin/0'
        )
    return next(iter(world.robots.values()))
