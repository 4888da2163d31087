"""All things in the world, where each is, and what stands in the way (ars_magna.md §2.8)."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from walking_robots.ars_magna.codes import Code
from walking_robots.ars_magna.design.model import ThingDesign
from walking_robots.ars_magna.design.things import LEVELS
from walking_robots.ars_magna.sensing.attributes import Value
from walking_robots.ars_magna.simulation.ground import GroundMap, cell_of, cells_between
from walking_robots.ars_magna.simulation.robots import (
    SimulatedCamera,
    SimulatedHand,
    SimulatedPart,
    SimulatedRobot,
)
from walking_robots.ars_magna.simulation.things import Holder, Thing

Cell = tuple[int, int]


class Lying(NamedTuple):
    """The things on the ground in the order of their making.

    places: x and y of each, (n, 2); spots: each with its x and y, and column and row of its cell;
    opaque: column and row of the cells with a thing that hides what is behind it.
    """

    things: list[Thing]
    places: NDArray[np.float64]
    spots: list[tuple[Thing, float, float, int, int]]
    opaque: list[Cell]


class ThingScene:
    """The only place where things are made, moved and changed; so that each is in one place.

    things: by number, in the order of their making; version: changes with where anything is.
    """

    def __init__(self, ground: GroundMap) -> None:
        """Begin without things."""
        self.ground = ground
        self.things: dict[int, Thing] = {}
        self.version = 0
        self._made = 0
        self._cells: dict[Cell, list[Thing]] = {}
        self._obstacles: dict[Cell, int] = {}
        self._loose: Lying | None = None

    # Making and unmaking

    def make(self, design: ThingDesign, place: Holder | tuple[float, float]) -> Thing:
        """Make a thing at a point of the ground or in a holder, its contents before itself.

        Raises ValueError for a holder that is gone or too deep in others.
        """
        if isinstance(place, Holder):
            self._check_holder(place, design.depth)
        return self._make(design, place)

    def _make(self, design: ThingDesign, place: Holder | tuple[float, float]) -> Thing:
        thing = Thing(design.name, dict(design.attributes))
        for content in design.contents:
            self._make(content, thing)
        self._made += 1
        thing.number = self._made
        thing.alive = True
        self.things[thing.number] = thing
        if isinstance(place, Holder):
            self._enter(thing, place)
        else:
            self._lay(thing, *place)
        return thing

    def destroy(self, thing: Thing) -> None:
        """Take a thing out of the world; what it held stays where it was."""
        self._check_alive(thing)
        outer, x, y = location(thing), *self.position(thing)
        for content in list(thing.contents):
            if outer is None:
                self.drop(content, x, y)
            else:
                self.put(content, outer)
        self._leave(thing)
        thing.alive = False
        del self.things[thing.number]

    # Moving

    def put(self, thing: Thing, holder: Holder) -> None:
        """Put a thing into a container, a bin or a hand.

        Raises ValueError for a holder within it, or one that is gone or too deep in others.
        """
        self._check_alive(thing)
        if is_within(holder, thing):
            raise ValueError(f'{thing.label} cannot be put into itself')
        self._check_holder(holder, thing.depth)
        self._leave(thing)
        self._enter(thing, holder)

    def drop(self, thing: Thing, x: float, y: float) -> None:
        """Lay a thing on the ground; cells. Raises ValueError for one that is gone."""
        self._check_alive(thing)
        self._leave(thing)
        self._lay(thing, x, y)

    def change(self, thing: Thing, values: Mapping[str, Value | None]) -> None:
        """Set attributes of a thing; None takes one away."""
        self._check_alive(thing)
        lying = thing.holder is None
        if lying:
            self._count(thing, -1)
            self._loose = None
            self.version += 1
        for name, value in values.items():
            if value is None:
                thing.attributes.pop(name, None)
            else:
                thing.attributes[name] = value
        if lying:
            self._count(thing, 1)

    # Asking

    def position(self, found: Holder) -> tuple[float, float]:
        """Return where a thing, a hand or a bin is, cells: at the outermost of what it is in."""
        if isinstance(found, Thing) and found.holder is None:
            return found.x, found.y
        *_, outermost = around(found)
        if isinstance(outermost, Thing):
            return outermost.x, outermost.y
        robot = robot_of(outermost)
        return robot.x, robot.y

    def lying(self) -> Lying:
        """Return the things on the ground."""
        if self._loose is None:
            things = [thing for thing in self.things.values() if thing.holder is None]
            places = np.array([(thing.x, thing.y) for thing in things]).reshape(-1, 2)
            spots = [(thing, thing.x, thing.y, *_cell(thing)) for thing in things]
            opaque = [_cell(thing) for thing in things if thing.blocks_view]
            self._loose = Lying(things, places, spots, opaque)
        return self._loose

    def lying_in(self, cell: Cell) -> list[Thing]:
        """Return the things on the ground in a cell."""
        return self._cells.get(cell, [])

    def is_obstructed(self, cell: Cell) -> bool:
        """Return whether a thing in a cell keeps robots out."""
        return cell in self._obstacles

    def is_visible(self, x: float, y: float, to_x: float, to_y: float) -> bool:
        """Return whether the ground hides no point from the other (ars_magna.md §13.5)."""
        end = cell_of(to_x, to_y)
        for column, row, _ in cells_between(x, y, to_x, to_y):
            if (column, row) != end and (
                self.ground.is_filled(column, row) or self.hides((column, row))
            ):
                return False
        return True

    def hides(self, cell: Cell) -> bool:
        """Return whether a thing in a cell hides what is behind it."""
        found = self._cells.get(cell)
        return found is not None and any(thing.blocks_view for thing in found)

    def find(self, name: str) -> Iterator[Thing]:
        """Yield the things of a name, or the one with a label such as box#3."""
        name = name.lower().replace('-', '_')
        for thing in self.things.values():
            if name in (thing.name, f'{thing.name}#{thing.number}'):
                yield thing

    # Bookkeeping

    def _check_alive(self, thing: Thing) -> None:
        if not thing.alive:
            raise ValueError(f'{thing.label} is gone')

    def _check_holder(self, holder: Holder, depth: int) -> None:
        """Refuse a holder that is gone, or in which ``depth`` more levels were too many."""
        if isinstance(holder, Thing):
            self._check_alive(holder)
        if depth + sum(1 for _ in around(holder)) > LEVELS:
            raise ValueError(f'{holder.label} is too deep: things nest at most {LEVELS} deep')

    def _enter(self, thing: Thing, holder: Holder) -> None:
        thing.holder = holder
        holder.contents.append(thing)
        self.version += 1

    def _lay(self, thing: Thing, x: float, y: float) -> None:
        thing.holder, thing.x, thing.y = None, x, y
        self._cells.setdefault(_cell(thing), []).append(thing)
        self._count(thing, 1)
        self._loose = None
        self.version += 1

    def _leave(self, thing: Thing) -> None:
        self.version += 1
        if thing.holder is not None:
            thing.holder.contents.remove(thing)
            thing.holder = None
            return
        cell = _cell(thing)
        self._count(thing, -1)
        self._cells[cell].remove(thing)
        if not self._cells[cell]:
            del self._cells[cell]
        self._loose = None

    def _count(self, thing: Thing, change: int) -> None:
        """Count what keeps robots out of a cell."""
        if thing.blocks_movement:
            cell = _cell(thing)
            count = self._obstacles.get(cell, 0) + change
            if count:
                self._obstacles[cell] = count
            else:
                del self._obstacles[cell]


def robot_of(holder: Holder) -> SimulatedRobot:
    """Return the robot that a hand or bin belongs to."""
    if isinstance(holder, SimulatedPart):
        return holder.robot
    raise ValueError(f'{holder.label} is no part of a robot')


def is_within(holder: Holder, outer: Holder) -> bool:
    """Return whether a holder is another one, or anywhere within it."""
    return any(found is outer for found in around(holder))


def around(holder: Holder) -> Iterator[Holder]:
    """Yield a holder, and from within to without all that it is in."""
    found: Holder | None = holder
    while found is not None:
        yield found
        if isinstance(found, Thing):
            found = found.holder
        else:
            found = found.inside if isinstance(found, SimulatedHand) else None


def location(found: Thing | SimulatedCamera | SimulatedHand) -> Holder | None:
    """Return the container or bin in which something is, None for the open ground and the robot.

    What a hand holds is where the hand is (ars_magna.md §2.8).
    """
    if not isinstance(found, Thing):
        return found.inside
    return found.holder.inside if isinstance(found.holder, SimulatedHand) else found.holder


def _cell(thing: Thing) -> Cell:
    return cell_of(thing.x, thing.y)


def hindrance(part: SimulatedCamera | SimulatedHand, holder: Holder, size: float) -> Code | None:
    """Say what keeps a part of a size, with what it holds, from being put into a holder."""
    held = part.held if isinstance(part, SimulatedHand) else None
    if holder.closed:
        return Code.BIN_CLOSED
    if held is not None and is_within(holder, held):
        return Code.HOLDING_THING
    here = location(holder) if isinstance(holder, Thing) else None
    if here is not part.inside:
        return Code.DIFFERENT_LOCATION
    if holder.capacity <= 0.0 or size + (held.size if held else 0.0) > holder.free + 1e-9:
        return Code.INSUFFICIENT_CAPACITY
    return None
