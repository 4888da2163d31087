"""The robots of a trial, and what each of them is to do."""

import math
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from walking_robots.ars_magna.design.model import ThingDesign, WorldDesign
from walking_robots.ars_magna.design.schema import RobotPart
from walking_robots.ars_magna.simulation.ground import cell_of

BODY = {'size': 30.0, 'weight': 1000.0, 'obsmove': True}
"""Attributes of robots that a trial adds, and of those that it copies, as others perceive them."""
APART = 2
"""Cells between the robots that a trial adds, at least."""
_STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""To the neighbours of a cell, clockwise from x."""


class Role(NamedTuple):
    """What a robot is to do: a plan, or module:coroutine, and the words of its request."""

    plan: str
    what: str


def role_of(words: str) -> Role:
    """Read a plan with its request, such as 'robust color=red'."""
    plan, _, what = words.strip().partition(' ')
    return Role(plan, what.strip())


def with_robots(design: WorldDesign, first: str, count: int) -> tuple[WorldDesign, Sequence[str]]:
    """Return a design with at least so many robots, and their names, that of the first first.

    Those that the world does not have are copies of the first one in free cells near it; all
    robots without a body get one then. Raises ValueError where there is no room.
    """
    names = [first, *(robot.name for robot in design.robots if robot.name != first)][:count]
    if len(names) == count:
        return design, names
    model = next(robot for robot in design.robots if robot.name == first)
    robots, free = list(design.robots), _free_cells(design, model)
    for number in range(len(names) + 1, count + 1):
        place = next(free, None)
        if place is None:
            raise ValueError(f'there is no room for {count} robots near {first}; use fewer')
        name = f'{first}_{number}'
        robots.append(model.model_copy(update={'name': name, 'at': place}))
        names.append(name)
    bodies = {
        robot.name: design.bodies.get(robot.name, ThingDesign(robot.name, *robot.at, BODY))
        for robot in robots
    }
    return replace(design, robots=tuple(robots), bodies=bodies), names


def _free_cells(design: WorldDesign, model: RobotPart) -> Iterator[tuple[float, float]]:
    """Yield cells that can be reached from a robot, apart from each other.

    The nearest come first, and of these what is behind it and beside it before what is ahead.
    """
    grid, begin = design.grid, cell_of(*model.at)
    taken = [cell_of(*robot.at) for robot in design.robots]
    standing = {cell_of(thing.x or 0.0, thing.y or 0.0) for thing in design.things}
    queue, known = deque([begin]), {begin}
    ahead = round(model.angle / (math.pi / 2))
    steps = [_STEPS[(ahead + turn) % 4] for turn in (2, 1, 3, 0)]
    while queue:
        column, row = queue.popleft()
        is_apart = all(math.dist((column, row), other) >= APART for other in taken)
        if is_apart and (column, row) not in standing:
            taken.append((column, row))
            yield float(column), float(row)
        for dx, dy in steps:
            cell = across, down = column + dx, row + dy
            inside = 0 <= across < grid.columns and 0 <= down < grid.rows
            # The grid counts its rows from below.
            if inside and cell not in known and not grid.filled[grid.rows - 1 - down, across]:
                known.add(cell)
                queue.append(cell)
