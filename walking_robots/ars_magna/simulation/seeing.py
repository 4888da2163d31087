"""See from a robot: what rays of a camera meet, and pixels of views (ars_magna.md §7.4, §7.7)."""

import math

import numpy as np
from numpy.typing import NDArray

from walking_robots.ars_magna.simulation.ground import passages, spread
from walking_robots.ars_magna.simulation.robots import SimulatedCamera
from walking_robots.ars_magna.simulation.scene import location
from walking_robots.ars_magna.simulation.things import Thing
from walking_robots.ars_magna.simulation.world_state import HERE, NEAR, WorldState

Floats = NDArray[np.float64]


def things_near(world: WorldState, camera: SimulatedCamera) -> list[Thing]:
    """Return the local things that a camera sees, in the order of their making.

    A camera in a container sees what else is in it; one on its robot what lies on the ground at
    less than a cell, in the field of view unless the robot stands on it (ars_magna.md §2.6, §7.7).
    """
    robot = camera.robot
    if camera.inside is not None:
        return [thing for thing in world.scene.things.values() if location(thing) is camera.inside]
    here: list[Thing] = []
    beside: list[Thing] = []
    for thing in _about(world, camera):
        if thing is robot.body:
            continue
        distance = robot.distance_to(thing.x, thing.y)
        if distance < NEAR:
            (here if distance < HERE else beside).append(thing)
    places = np.array([(thing.x, thing.y) for thing in beside]).reshape(-1, 2)
    inside = _in_wedge(camera, places[:, 0], places[:, 1]).nonzero()[0]
    seen = _met(world, camera, beside, places, inside)
    return sorted(here + seen, key=lambda thing: thing.number)


def things_seen(world: WorldState, camera: SimulatedCamera) -> list[Thing]:
    """Return the things at a cell or more that a camera sees, in the order of their making."""
    things, places = world.scene.lying()
    if camera.inside is not None or not things:
        return []
    robot = camera.robot
    far = np.hypot(places[:, 0] - robot.x, places[:, 1] - robot.y) >= NEAR
    inside = (far & _in_wedge(camera, places[:, 0], places[:, 1])).nonzero()[0]
    return _met(world, camera, things, places, inside)


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
    things, places = world.scene.lying()
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


def _about(world: WorldState, camera: SimulatedCamera) -> list[Thing]:
    """Return the things on the ground in the cells about a robot."""
    column, row = camera.robot.cell
    return [
        thing
        for i in (-1, 0, 1)
        for j in (-1, 0, 1)
        for thing in world.scene.lying_in((column + i, row + j))
    ]


def _met(
    world: WorldState,
    camera: SimulatedCamera,
    things: list[Thing],
    places: Floats,
    inside: NDArray[np.intp],
) -> list[Thing]:
    """Return those of the things inside the wedge, by index, whose cells a ray meets."""
    if not inside.size:
        return []
    met = _is_met(world, camera, np.floor(places[inside] + 0.5))
    return [things[index] for index in inside[met]]


def _in_wedge(camera: SimulatedCamera, x: Floats, y: Floats) -> NDArray[np.bool_]:
    """Return which points lie in the field of view (ars_magna.md §13.5)."""
    robot = camera.robot
    bearing = np.arctan2(y - robot.y, x - robot.x) - (robot.heading + camera.angle)
    off = np.abs((bearing + math.pi) % math.tau - math.pi)
    inside: NDArray[np.bool_] = off <= camera.fov / 2 + 1e-12
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
    things, places = world.scene.lying()
    found = [index for index, thing in enumerate(things) if thing.blocks_view]
    return np.floor(places[found] + 0.5) if found else None
