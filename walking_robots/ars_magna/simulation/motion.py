"""Move a robot for a tick: distance or rotation, noise and walls (ars_magna.md §13.3)."""

import math

from walking_robots.ars_magna.geometry.odometer import motion_interval
from walking_robots.ars_magna.simulation.ground import cells_between
from walking_robots.ars_magna.simulation.realm import Realm
from walking_robots.ars_magna.simulation.robots import Robot

__all__ = ['OBJECT', 'WALL', 'advance', 'rotate']

WALL, OBJECT = 'wall', 'object'

_GAP = 1e-9
"""Cells by which a robot that is stopped stays away from the cell in its way."""


def advance(realm: Realm, robot: Robot, distance: float) -> str | None:
    """Move a robot ahead for a tick, meaning a distance, cells; tell what stopped it, if anything.

    It stops just before the border of the cell in its way (ars_magna.md §2.7).
    """
    parameters, chance = realm.parameters, robot.streams.motion
    noise = parameters.motion_noise
    way = distance * (1.0 + noise * (2.0 * chance.random() - 1.0)) if noise else distance
    x, y = robot.x, robot.y
    cosine, sine = math.cos(robot.heading), math.sin(robot.heading)
    to_x, to_y = x + way * cosine, y + way * sine
    block = None
    if math.floor(x + 0.5) != math.floor(to_x + 0.5) or math.floor(y + 0.5) != math.floor(
        to_y + 0.5
    ):
        block, share = _obstacle(realm, (x, y), (to_x, to_y))
        if block is not None:
            way = max(way * share - _GAP, 0.0)
            to_x, to_y = x + way * cosine, y + way * sine
    robot.x, robot.y = to_x, to_y
    robot.moved = robot.moved or way > 0.0
    robot.last_change = (way, 0.0)
    mode = parameters.odometry_interval_mode
    low, high = motion_interval(way, distance, noise, mode, chance)
    if block is not None:
        low = min(low, way) if mode != 'sound' else 0.0
    robot.last_estimate = ((low + high) / 2, 0.0)
    for odometer in robot.odometers.values():
        odometer.moved(low, high)
    return block


def rotate(realm: Realm, robot: Robot, angle: float) -> tuple[float, float]:
    """Turn a robot for a tick, meaning an angle, rad; give an interval with the true rotation."""
    parameters, chance = realm.parameters, robot.streams.motion
    noise = parameters.robot_turn_max_error
    turned = angle * (1.0 + noise * (2.0 * chance.random() - 1.0)) if noise else angle
    robot.heading += turned
    robot.moved = True
    robot.last_change = (0.0, turned)
    mode = parameters.odometry_interval_mode
    low, high = motion_interval(turned, angle, noise, mode, chance)
    robot.last_estimate = (0.0, (low + high) / 2)
    for odometer in robot.odometers.values():
        odometer.turned(low, high)
    return low, high


def _obstacle(
    realm: Realm, start: tuple[float, float], end: tuple[float, float]
) -> tuple[str | None, float]:
    """Find what is in the way from one point to another, and at which share of the way."""
    crossed = list(cells_between(*start, *end))[1:]
    if realm.parameters.collision == 'endpoint' and not _block(realm, crossed[-1][:2]):
        return None, 1.0
    for column, row, share in crossed:
        block = _block(realm, (column, row))
        if block is not None:
            return block, share
    return None, 1.0


def _block(realm: Realm, cell: tuple[int, int]) -> str | None:
    if realm.ground.is_filled(*cell):
        return WALL
    return OBJECT if realm.scene.is_obstructed(cell) else None
