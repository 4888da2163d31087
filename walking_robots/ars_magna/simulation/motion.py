"""Move a robot for a tick: distance or rotation, noise and walls (ars_magna.md §13.3)."""

import math
from itertools import pairwise

from walking_robots.ars_magna.geometry.odometer import motion_interval
from walking_robots.ars_magna.simulation.ground import cells_between
from walking_robots.ars_magna.simulation.robots import SimulatedRobot
from walking_robots.ars_magna.simulation.world_state import WorldState

WALL, OBJECT = 'wall', 'object'

_GAP = 1e-9
"""Cells by which a robot that is stopped stays away from borders."""


def advance(world: WorldState, robot: SimulatedRobot, distance: float) -> str | None:
    """Move a robot ahead by about a distance, cells; return what stopped it, if anything.

    It stops just before the border of the cell in its way (ars_magna.md §2.7).
    """
    parameters, chance = world.parameters, robot.streams.motion
    noise = parameters.motion_noise
    way = distance * (1.0 + noise * (2.0 * chance.random() - 1.0)) if noise else distance
    x, y, heading = robot.x, robot.y, robot.heading
    to_x, to_y = x + way * math.cos(heading), y + way * math.sin(heading)
    block = None
    column, row = math.floor(x + 0.5), math.floor(y + 0.5)
    if not (column <= to_x + 0.5 < column + 1 and row <= to_y + 0.5 < row + 1):
        block, to_x, to_y = _obstacle(world, (x, y), (to_x, to_y))
        if block is not None:
            way = math.hypot(to_x - x, to_y - y)
    robot.x, robot.y = to_x, to_y
    if robot.body is not None:
        world.carry_body(robot)
    if way > 0.0:
        robot.moved = robot.stirred = world.now
    robot.last_change = (way, 0.0)
    mode = parameters.odometry_interval_mode
    low, high = motion_interval(way, distance, noise, mode, chance)
    if block is not None:
        low = min(low, way) if mode != 'sound' else 0.0
    robot.last_estimate = ((low + high) / 2, 0.0)
    for odometer in robot.odometers.values():
        odometer.moved(low, high)
    return block


def rotate(world: WorldState, robot: SimulatedRobot, angle: float) -> tuple[float, float]:
    """Turn a robot for a tick, meaning an angle, rad; give an interval with the true rotation."""
    parameters, chance = world.parameters, robot.streams.motion
    noise = parameters.robot_turn_max_error
    turned = angle * (1.0 + noise * (2.0 * chance.random() - 1.0)) if noise else angle
    robot.heading += turned
    robot.moved = robot.stirred = world.now
    robot.last_change = (0.0, turned)
    mode = parameters.odometry_interval_mode
    low, high = motion_interval(turned, angle, noise, mode, chance)
    robot.last_estimate = (0.0, (low + high) / 2)
    for odometer in robot.odometers.values():
        odometer.turned(low, high)
    return low, high


def _obstacle(
    world: WorldState, start: tuple[float, float], end: tuple[float, float]
) -> tuple[str | None, float, float]:
    """Find what is in the way from one point to another, and where the way ends.

    An end before something in the way lies for certain in the last free cell, however flat the
    angle at which its border is met.
    """
    (x, y), (to_x, to_y) = start, end
    crossed = list(cells_between(x, y, to_x, to_y))
    if world.parameters.collision == 'endpoint' and _block(world, crossed[-1][:2]) is None:
        return None, to_x, to_y
    for (column, row, _), (ahead_column, ahead_row, share) in pairwise(crossed):
        block = _block(world, (ahead_column, ahead_row))
        if block is not None:
            return (
                block,
                _within(x + share * (to_x - x), column),
                _within(y + share * (to_y - y), row),
            )
    return None, to_x, to_y


def _within(place: float, cell: int) -> float:
    """Return the place nearest to one that is within a cell, a hair from its borders."""
    return min(max(place, cell - 0.5 + _GAP), cell + 0.5 - _GAP)


def _block(world: WorldState, cell: tuple[int, int]) -> str | None:
    if world.ground.is_filled(*cell):
        return WALL
    return OBJECT if world.scene.is_obstructed(cell) else None
