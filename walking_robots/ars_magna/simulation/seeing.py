"""See from a robot: what rays of a camera meet, and pixels of views (ars_magna.md §7.4, §7.7)."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from walking_robots.ars_magna.agent.messages import LOCAL
from walking_robots.ars_magna.simulation.ground import passages, spread
from walking_robots.ars_magna.simulation.robots import SimulatedCamera
from walking_robots.ars_magna.simulation.scene import location
from walking_robots.ars_magna.simulation.things import Thing
from walking_robots.ars_magna.simulation.world_state import HERE, NEAR, WorldState

Floats = NDArray[np.float64]

_MANY = 50
"""Things from which on they are compared with the field of view all at once."""
_HAIR = 1e-12
"""Angle, rad, by which what is on the border of a view belongs to it."""
_SLIGHT = 1e-6
"""Part of the angle between two rays that rounding may be."""


def things_in_view(
    world: WorldState, camera: SimulatedCamera, kind: str
) -> Sequence[tuple[Thing, float]]:
    """Return the local or other things that a camera sees, each with its distance, cells.

    In the same container a thing is at 0. Who looks again and again from one place, while nothing
    is moved, sees the same things.
    """
    robot = camera.robot
    version, rays = world.scene.version, world.parameters.scan_density
    pose = kind, robot.x, robot.y, robot.heading, camera.angle, camera.inside, version, rays
    if camera.looked_from != pose:
        look = things_near if kind == LOCAL else things_seen
        camera.looked_from, camera.in_view = pose, tuple(look(world, camera))
    return camera.in_view


def things_near(world: WorldState, camera: SimulatedCamera) -> Sequence[tuple[Thing, float]]:
    """Return the local things that a camera sees, in the order of their making.

    A camera in a container sees what else is in it; one on its robot what lies on the ground at
    less than a cell, in the field of view unless the robot stands on it (ars_magna.md §2.6, §7.7).
    """
    robot = camera.robot
    if camera.inside is not None:
        things = world.scene.things.values()
        return [(thing, 0.0) for thing in things if location(thing) is camera.inside]
    here: list[tuple[Thing, float]] = []
    beside: list[tuple[Thing, float]] = []
    for thing in _about(world, camera):
        if thing is robot.body:
            continue
        distance = robot.distance_to(thing.x, thing.y)
        if distance < NEAR:
            (here if distance < HERE else beside).append((thing, distance))
    places = np.array([(thing.x, thing.y) for thing, _ in beside]).reshape(-1, 2)
    inside = _in_wedge(camera, places[:, 0], places[:, 1]).nonzero()[0]
    if inside.size:
        met = _is_met(world, camera, np.floor(places[inside] + 0.5))
        here += [beside[index] for index in inside[met]]
    return _sorted(here)


def things_seen(world: WorldState, camera: SimulatedCamera) -> Sequence[tuple[Thing, float]]:
    """Return the things at a cell or more that a camera sees, in the order of their making."""
    lying = world.scene.lying()
    if camera.inside is not None or not lying.things:
        return []
    robot, spots = camera.robot, lying.spots
    if len(spots) > _MANY:
        near = _in_wedge(camera, lying.places[:, 0], lying.places[:, 1], 1e-9).nonzero()[0]
        spots = [spots[index] for index in near]
    robot_x, robot_y, half = robot.x, robot.y, camera.fov / 2 + _HAIR
    ahead = robot.heading + camera.angle - math.pi
    ux, uy, least = -math.cos(ahead), -math.sin(ahead), math.cos(min(half, math.pi))
    outside, inside = least - 1e-9, least + 1e-9
    before: list[tuple[Thing, float, int, int]] = []
    left, top = right, bottom = robot.cell
    for thing, x, y, column, row in spots:
        dx, dy = x - robot_x, y - robot_y
        way = math.hypot(dx, dy)
        # The cosine is found faster than the angle, and decides most often.
        cosine = dx * ux + dy * uy
        if (
            way < NEAR
            or cosine < way * outside
            or (
                cosine < way * inside
                and abs((math.atan2(dy, dx) - ahead) % math.tau - math.pi) > half
            )
        ):
            continue
        before.append((thing, way, column, row))
        if column < left:
            left = column
        elif column > right:
            right = column
        if row < top:
            top = row
        elif row > bottom:
            bottom = row
    is_open = _is_open(world, left, top, right, bottom)
    seen: list[tuple[Thing, float]] = []
    unsure: list[tuple[Thing, float, int, int]] = []
    rays = world.parameters.scan_density
    for thing, way, column, row in before:
        met = _surely_crossed(camera, rays, column, row) and (
            is_open or _is_clear(world, camera, column, row)
        )
        if met:
            seen.append((thing, way))
        elif met is None:
            unsure.append((thing, way, column, row))
    if not unsure:
        return seen
    met_too = _is_met(world, camera, np.array([spot[2:] for spot in unsure], dtype=np.float64))
    seen += [(thing, way) for (thing, way, *_), met in zip(unsure, met_too, strict=True) if met]
    return _sorted(seen)


def cells_seen(world: WorldState, camera: SimulatedCamera, kind: str) -> list[tuple[int, int]]:
    """Return (column, row) of the places of a type that a camera sees, but the robot's own."""
    cells = world.ground.places_of(kind)
    if camera.inside is not None or not len(cells):
        return []
    robot = camera.robot
    inside = _in_wedge(camera, cells[:, 0], cells[:, 1])
    inside &= (cells[:, 0] != robot.cell[0]) | (cells[:, 1] != robot.cell[1])
    cells = cells[inside]
    if not len(cells):
        return []
    met = _is_met(world, camera, cells)
    return [(int(column), int(row)) for column, row in cells[met]]


def view(world: WorldState, camera: SimulatedCamera) -> tuple[float, ...]:
    """Return the pixels of a view without noise (ars_magna.md §7.4)."""
    if camera.inside is not None:
        inside = camera.inside.parameter if isinstance(camera.inside, Thing) else None
        return (inside or 0.0,) * camera.resolution
    robot = camera.robot
    angles = spread(robot.heading + camera.angle, camera.fov, camera.resolution)
    sight = world.ground.look(robot.x, robot.y, angles)
    things, places = world.scene.lying()[:2]
    pixels = sight.parameter.copy()
    if not things:
        return tuple(pixels.tolist())
    enter, leave = passages(robot.x, robot.y, angles, np.floor(places + 0.5))
    crossed = (enter < leave) & (enter <= sight.distance + 1e-9)
    distance = np.hypot(places[:, 0] - robot.x, places[:, 1] - robot.y)
    weight = world.parameters.transparent_weight
    for ray in np.flatnonzero(crossed.any(axis=0)):
        met = np.flatnonzero(crossed[:, ray])
        opaque = [index for index in met if things[index].blocks_view]
        end = math.inf
        if opaque:
            nearest = min(opaque, key=lambda index: (enter[index, ray], index))
            end = enter[nearest, ray]
            pixels[ray] = things[nearest].parameter or 0.0
        for index in met[np.lexsort((met, -distance[met]))]:
            parameter = things[index].parameter
            if (
                parameter is not None
                and not things[index].blocks_view
                and enter[index, ray] <= end
            ):
                pixels[ray] = (1 - weight) * pixels[ray] + weight * parameter
    return tuple(pixels.tolist())


def _sorted(seen: list[tuple[Thing, float]]) -> Sequence[tuple[Thing, float]]:
    """Return things in the order of their making."""
    return sorted(seen, key=lambda one: one[0].number)


def _about(world: WorldState, camera: SimulatedCamera) -> list[Thing]:
    """Return the things on the ground in the cells about a robot."""
    column, row = camera.robot.cell
    return [
        thing
        for i in (-1, 0, 1)
        for j in (-1, 0, 1)
        for thing in world.scene.lying_in((column + i, row + j))
    ]


def _surely_crossed(camera: SimulatedCamera, rays: int, column: int, row: int) -> bool | None:
    """Return whether a ray of a search crosses a cell; None where rounding may decide."""
    robot = camera.robot
    x, y = column - robot.x, row - robot.y
    if max(abs(x), abs(y)) <= 0.5:
        return True
    start, step = robot.heading + camera.angle - camera.fov / 2, camera.fov / rays
    # First the ray that leads past its middle most closely.
    nearest = min(int((math.atan2(y, x) - start) % math.tau / step), rays - 1)
    ray = start + (nearest + 0.5) * step
    cos, sin = math.cos(ray), math.sin(ray)
    off = abs(x * sin - y * cos)
    if off < 0.5 * (abs(cos) + abs(sin)) - _SLIGHT and x * cos + y * sin > 0.0:
        return True
    # Which corners of the cell are the outermost as seen from the robot.
    side_x, side_y = math.copysign(0.5, x), math.copysign(0.5, y)
    if abs(y) <= 0.5:
        first, second = (x - side_x, y - 0.5), (x - side_x, y + 0.5)
    elif abs(x) <= 0.5:
        first, second = (x - 0.5, y - side_y), (x + 0.5, y - side_y)
    else:
        first, second = (x - side_x, y + side_y), (x + side_x, y - side_y)
    start = robot.heading + camera.angle - math.pi
    a = (math.atan2(first[1], first[0]) - start) % math.tau - math.pi
    b = (math.atan2(second[1], second[0]) - start) % math.tau - math.pi
    low, high = (a, b) if a < b else (b, a)
    if high - low > math.pi - _SLIGHT or camera.fov > math.pi:
        return None
    # Numbers of rays, of which the first is half a step from the border of the view.
    least = max(low / camera.fov * rays + (rays - 1) / 2, -0.5)
    most = min(high / camera.fov * rays + (rays - 1) / 2, rays - 0.5)
    if math.ceil(least + _SLIGHT) <= most - _SLIGHT:
        return True
    return None if math.ceil(least - _SLIGHT) <= most + _SLIGHT else False


def _is_open(world: WorldState, left: int, top: int, right: int, bottom: int) -> bool:
    """Return whether nothing hides anything in a rectangle, its borders included."""
    ground = world.ground
    if not (ground.contains(left, top) and ground.contains(right, bottom)):
        return False
    if ground.walls_within(left, top, right, bottom):
        return False
    for column, row in world.scene.lying().opaque:
        if left <= column <= right and top <= row <= bottom:
            return False
    return True


def _is_clear(world: WorldState, camera: SimulatedCamera, column: int, row: int) -> bool | None:
    """Return True where nothing is between a robot and a cell, None where something may be."""
    ground, (at_column, at_row) = world.ground, camera.robot.cell
    left, right = (at_column, column) if at_column < column else (column, at_column)
    top, bottom = (at_row, row) if at_row < row else (row, at_row)
    if not (ground.contains(left, top) and ground.contains(right, bottom)):
        return None
    if ground.walls_within(left, top, right, bottom) > ground.is_filled(column, row):
        return None
    for other in world.scene.lying().opaque:
        if other != (column, row) and left <= other[0] <= right and top <= other[1] <= bottom:
            return None
    return True


def _in_wedge(
    camera: SimulatedCamera, x: Floats, y: Floats, slack: float = _HAIR
) -> NDArray[np.bool_]:
    """Return which points lie in the field of view (ars_magna.md §13.5)."""
    robot = camera.robot
    bearing = np.arctan2(y - robot.y, x - robot.x) - (robot.heading + camera.angle)
    off = np.abs((bearing + math.pi) % math.tau - math.pi)
    inside: NDArray[np.bool_] = off <= camera.fov / 2 + slack
    return inside


def _is_met(world: WorldState, camera: SimulatedCamera, cells: Floats) -> NDArray[np.bool_]:
    """Return which cells a ray of a search meets before it ends: (cells,)."""
    robot = camera.robot
    angles = spread(robot.heading + camera.angle, camera.fov, world.parameters.scan_density)
    enter, leave = passages(robot.x, robot.y, angles, cells)
    crossed = enter < leave
    # Only rays that could meet something are followed.
    rays = np.nonzero(crossed.any(axis=0))[0]
    if not rays.size:
        return np.zeros(len(cells), dtype=np.bool_)
    enter, crossed, angles = enter[:, rays], crossed[:, rays], angles[rays]
    farthest = enter[crossed].max() + 1.0
    reach = world.ground.look(robot.x, robot.y, angles, farthest).distance
    opaque = _opaque_cells(world)
    if opaque is not None:
        begin, end = passages(robot.x, robot.y, angles, opaque)
        reach = np.minimum(reach, np.where(begin < end, begin, math.inf).min(axis=0))
    # The first wall and what hides the rest are themselves seen, and so is what stands with them.
    met = crossed & (enter <= reach + 1e-9)
    return np.asarray(met.any(axis=1), dtype=np.bool_)


def _opaque_cells(world: WorldState) -> Floats | None:
    """Return column and row of the cells with a thing that hides what is behind it."""
    found = world.scene.lying().opaque
    return np.array(found, dtype=np.float64) if found else None
