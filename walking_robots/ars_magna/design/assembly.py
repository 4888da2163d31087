"""Put what files say together into the design of one world."""

import math
import re
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

from walking_robots.ars_magna.design.behaviors import Behaviors
from walking_robots.ars_magna.design.bodies import Known
from walking_robots.ars_magna.design.definitions import (
    BehaviorFinder,
    attribute,
    check_support,
    kicker,
    manipulation,
    place_type,
)
from walking_robots.ars_magna.design.model import (
    Definitions,
    Kicker,
    ThingDesign,
    WorldDesign,
)
from walking_robots.ars_magna.design.place_types import standard_place_types
from walking_robots.ars_magna.design.places_in_files import PlacedError, at, check_name
from walking_robots.ars_magna.design.schema import DesignDocument, DesignWorldPart, RobotPart
from walking_robots.ars_magna.design.things import MOST, ThingMaker, all_things, overfull
from walking_robots.ars_magna.inputs import normal_name
from walking_robots.ars_magna.parameters import Parameters
from walking_robots.ars_magna.sensing.attributes import STANDARD
from walking_robots.worlds import World

Documents = Sequence[DesignDocument]
Made = TypeVar('Made')

_ROBOT_NAME = re.compile(r'[a-z][a-z0-9]*(_[a-z0-9]+)*')
_TAKEN = ('admin', 'display')
"""Names below which the graph has what is no robot's."""


def assemble(documents: Documents, behaviors: Behaviors | None = None) -> WorldDesign:
    """Return the design that documents make together; of what they name alike the last counts.

    Raises PlacedError whose place begins with the number of a document.
    """
    home, world = _world(documents)
    attributes = _made(documents, 'attributes', attribute, dict(STANDARD))
    for number, document in enumerate(documents):
        with at(number, 'attributes'):
            check_support(attributes, tuple(document.attributes))
    known = Known(attributes, world.substances, tuple(world.prototypes))
    finder = BehaviorFinder(behaviors)
    kickers = _made(documents, 'kickers', partial(kicker, known, finder), {})
    manipulations = _made(documents, 'manipulations', partial(manipulation, known, finder), {})
    # A standard type that is redefined keeps its rank.
    standard = standard_place_types(literal_doorway_diagonals=world.literal_doorway_diagonals)
    types = {found.name: found for found in standard}
    place_types = _made(documents, 'place_types', partial(place_type, finder), types)
    grid = world.world()
    with at(home, 'world'):
        things, prototypes = _things(world, known, kickers)
        warnings = [*grid.warnings, *_thing_warnings(world, things, grid)]
    robots: list[RobotPart] = []
    bodies: dict[str, ThingDesign] = {}
    for number, document in enumerate(documents):
        with at(number, 'robots'):
            for index, robot in enumerate(document.robots):
                with at(index):
                    others = [other.name for other in robots]
                    _check_robot(robot, world, others)
                    robots.append(robot)
                    if robot.body:
                        with at('body'):
                            bodies[robot.name] = _body(robot, known)
                    warnings += _place_warnings(
                        f"robot '{robot.name}'", robot.at, grid, world.strict
                    )
    return WorldDesign(
        world.name,
        grid,
        things,
        prototypes,
        world.substances,
        Definitions(attributes, place_types, kickers, manipulations, finder.used),
        tuple(robots),
        _parameters(documents),
        tuple(warnings),
        bodies,
    )


def _world(documents: Documents) -> tuple[int, DesignWorldPart]:
    """Return the only world and the number of its document."""
    found = [
        (number, document.content)
        for number, document in enumerate(documents)
        if document.content is not None
    ]
    if not found:
        raise PlacedError((0, 'world'), 'is missing; write it here or give its file as well')
    if len(found) > 1:
        raise PlacedError((found[1][0], 'world'), 'must be given once; leave this file out')
    return found[0]


def _made(
    documents: Documents, kind: str, make: Callable[[str, Any], Made], made: dict[str, Made]
) -> dict[str, Made]:
    """Return what documents define of a kind, by name, with those made before."""
    for number, document in enumerate(documents):
        for name, part in getattr(document, kind).items():
            with at(number, kind, name):
                made[name] = make(name, part)
    return made


def _things(
    world: DesignWorldPart, known: Known, kickers: dict[str, Kicker]
) -> tuple[tuple[ThingDesign, ...], dict[str, ThingDesign]]:
    """Return the things on the map and all prototypes."""
    used: dict[str, list[str]] = {}
    for number, entry in enumerate(world.kickers):
        with at('kickers', number, 'use'):
            check_name(entry.use, kickers, 'no kicker')
        used.setdefault(entry.on, []).append(entry.use)
    maker = ThingMaker(world.prototypes, known, used)
    with at('prototypes'):
        prototypes = maker.prototypes()
    things = []
    with at('objects'):
        for number, part in enumerate(world.objects):
            with at(number):
                things.append(maker.thing(part))
        if sum(thing.count for thing in things) > MOST:
            raise ValueError(f'must come to at most {MOST} things; leave some out')
    names = {thing.name for thing in all_things(things)}
    for number, entry in enumerate(world.kickers):
        with at('kickers', number, 'on'):
            check_name(entry.on, names, 'no thing')
    return tuple(things), prototypes


def _thing_warnings(
    world: DesignWorldPart, things: Sequence[ThingDesign], grid: World
) -> Iterator[str]:
    """Yield a sentence for each thing in a wall, and for each that holds too much."""
    for number, part in enumerate(world.objects):
        with at('objects', number):
            yield from _place_warnings(f"object '{part.name}'", part.at, grid, world.strict)
    for thing in all_things(things):
        if overfull(thing):
            yield f"object '{thing.name}' holds more than its capacity; nothing more fits in."


def _place_warnings(
    title: str, place: tuple[float, float], grid: World, strict: bool
) -> Iterator[str]:
    """Yield a sentence where something stands in a wall; refuse what is outside the map."""
    column, row = (math.floor(value + 0.5) for value in place)
    with at('at'):
        if not grid.contains(row, column):
            raise ValueError(
                f'lies outside the map; write x from 0 to {grid.columns - 1} and '
                f'y from 0 to {grid.rows - 1}'
            )
        # The map counts its rows from below.
        if grid.filled[grid.rows - 1 - row, column]:
            if strict:
                raise ValueError('lies in a wall; move it, or leave strict out')
            yield (
                f'{title} at ({place[0]:g}, {place[1]:g}) stands in a wall, '
                'where no robot moves; move it unless that is meant.'
            )


def _check_robot(part: RobotPart, world: DesignWorldPart, others: Sequence[str]) -> None:
    """Refuse a robot whose name is taken or unfit, or that is of another world."""
    with at('name'):
        if part.name in others:
            raise ValueError(f"names '{part.name}' twice; give each robot a name of its own")
        if part.name in _TAKEN or not _ROBOT_NAME.fullmatch(part.name):
            raise ValueError(
                f"names '{part.name[:40]}', which no robot can be called on the graph; use "
                f'letters, digits and single _, a letter first, and none of {", ".join(_TAKEN)}'
            )
    if part.world not in (None, normal_name(world.name)):
        with at('world'):
            raise ValueError(
                f"names '{part.world}', but the world is '{world.name}'; name that, or none"
            )


def _body(robot: RobotPart, known: Known) -> ThingDesign:
    """Return a robot as a thing in the sight and in the way of others."""
    attributes = known.values(robot.body)
    if attributes.get('obsview') is True:
        with at('obsview'):
            raise ValueError('must be false: a robot would hide everything from itself')
    return ThingDesign(robot.name, *robot.at, attributes)


def _parameters(documents: Documents) -> Parameters:
    """Return the parameters, those that are not named at their defaults."""
    parameters = Parameters()
    for number, document in enumerate(documents):
        try:
            parameters = parameters.with_values(**document.parameters)
        except ValueError as error:
            names = sorted(document.parameters, key=len, reverse=True)
            place = [name for name in names if name.rstrip('*') in str(error)][:1]
            with at(number, 'parameters', *place):
                raise
    return parameters
