"""Make designators: what is perceived of a thing or place, true or false (ars_magna.md §7.7)."""

import math
import random
from collections.abc import Callable, Mapping
from functools import partial
from operator import itemgetter

from walking_robots.ars_magna.agent.messages import LOCAL, NON_LOCAL
from walking_robots.ars_magna.sensing.attributes import Value
from walking_robots.ars_magna.sensing.false_descriptors import Inventor
from walking_robots.ars_magna.sensing.matching import descriptor, matches
from walking_robots.ars_magna.sensing.specifications import Constraint
from walking_robots.ars_magna.simulation.ground import GroundMap, cells_between
from walking_robots.ars_magna.simulation.robots import SimulatedCamera
from walking_robots.ars_magna.simulation.seeing import cells_seen, things_in_view
from walking_robots.ars_magna.simulation.things import DesignatorTruth, FalseTarget, Thing
from walking_robots.ars_magna.simulation.world_state import HERE, NEAR, WorldState
from walking_robots.geometry.se2 import wrap

Specification = tuple[Constraint, ...]
Candidate = tuple[float, Callable[[], DesignatorTruth]]
"""How far something is, cells, and how to make its designator."""
MOST = 200
"""Designators that a robot keeps; of more the oldest that nothing tracks is lost."""


def acquire_objects(
    world: WorldState,
    camera: SimulatedCamera,
    kind: str,
    specification: Specification,
    every: bool,
) -> list[DesignatorTruth]:
    """Search the field of view for things that fit; one, or with ``every`` all of them."""
    parameters, chance = world.parameters, camera.robot.streams.object
    attributes = world.definitions.attributes
    found: list[Candidate] = []
    missed = -1.0 if parameters.senses_exactly else parameters.miss_thing_prob
    for thing, way in things_in_view(world, camera, kind):
        if missed >= 0.0 and chance.random() < missed:
            continue
        readings = matches(specification, thing.attributes, attributes, way, parameters, chance)
        if readings is not None:
            found.append((way, partial(_of_thing, world, camera, kind, thing, way, readings)))
    # In a container nothing far is seen, nor seems to be (ars_magna.md §2.6).
    enclosed = camera.inside is not None and kind == NON_LOCAL
    probability = 0.0 if enclosed else parameters.false_object_prob
    for _ in range(_false_ones(world, probability, every, chance)):
        spot = _spot(world, camera, kind)
        way = 0.0 if camera.inside is not None else camera.robot.distance_to(spot.x, spot.y)
        things = _alike(world, camera)
        inventor = Inventor(attributes, things, world.design.substances, way, parameters, chance)
        data = inventor.descriptor(specification)
        found.append(_of_nothing(world, camera, kind, spot, data))
    return _picked(found, every, parameters.pick, chance)


def acquire_places(
    world: WorldState, camera: SimulatedCamera, kind: str, every: bool
) -> list[DesignatorTruth]:
    """Search the field of view for places of a type; one, or with ``every`` all of them."""
    parameters, chance = world.parameters, camera.robot.streams.object
    found: list[Candidate] = []
    for cell in cells_seen(world, camera, kind):
        if not parameters.senses_exactly and chance.random() < parameters.miss_place_prob:
            continue
        way = camera.robot.distance_to(*cell)
        found.append((way, partial(_designation, world, camera, NON_LOCAL, cell, cell, kind)))
    confusion = world.definitions.place_types[kind].confusion
    for _ in range(_false_ones(world, confusion, every, chance)):
        spot = _spot(world, camera, NON_LOCAL)
        found.append(_of_nothing(world, camera, NON_LOCAL, spot, kind))
    return _picked(found, every, parameters.pick, chance)


def perceive(world: WorldState, camera: SimulatedCamera, designation: DesignatorTruth) -> None:
    """Estimate anew where that is what a designator means; error by ars_magna.md §7.7 and §3.6."""
    robot, parameters = camera.robot, world.parameters
    x, y = world.where(designation)
    distance = robot.distance_to(x, y)
    bearing = robot.bearing_of(x, y) if distance >= HERE else wrap(camera.angle)
    if not parameters.senses_exactly:
        chance = robot.streams.track
        most, share = parameters.camera_angle_max_error, parameters.camera_distance_rel_error
        bearing += chance.uniform(-most, most)
        distance *= 1.0 + chance.uniform(-share, share)
    designation.angle, designation.distance = bearing, distance


def false_spot(
    ground: GroundMap, x: float, y: float, angle: float, stop: float, chance: random.Random
) -> tuple[FalseTarget, int]:
    """Walk a ray, stopping in each cell with a probability, at the map's edge at the latest.

    Gives where, and in the how manieth cell; walls do not stop the walk (ars_magna.md §7.7).
    """
    far = math.hypot(ground.columns, ground.rows) + 1.0
    crossed = cells_between(x, y, x + far * math.cos(angle), y + far * math.sin(angle))
    last, count = next(crossed), 0
    for index, (column, row, share) in enumerate(crossed, start=1):
        if not ground.contains(column, row):
            break
        last, count = (column, row, share), index
        if chance.random() < stop:
            break
    # A hair past the border, so that the spot lies in the cell.
    way = last[2] * far + 1e-6
    return FalseTarget(x + way * math.cos(angle), y + way * math.sin(angle)), count


def _alike(world: WorldState, camera: SimulatedCamera) -> list[Mapping[str, Value]]:
    """Return the attributes of things that are found where a camera is: held, or on the ground."""
    things = list(world.scene.things.values())
    held = camera.inside is not None
    return [one.attributes for one in things if (one.holder is not None) == held] or [
        one.attributes for one in things
    ]


def _false_ones(world: WorldState, probability: float, every: bool, chance: random.Random) -> int:
    """Return how many false designators a search yields (ars_magna.md §3.6, §7.7)."""
    if world.parameters.senses_exactly:
        return 0
    most = world.parameters.max_false_per_scan if every else 1
    count = 0
    while count < most and chance.random() < probability:
        count += 1
    return count


def _picked(
    found: list[Candidate], every: bool, pick: str, chance: random.Random
) -> list[DesignatorTruth]:
    """Make designators of all that was found, or of one, by chance or the nearest.

    Neither their order nor their numbers show which of all are false.
    """
    if every:
        chance.shuffle(found)
    elif found:
        nearest = pick == 'nearest'
        found = [min(found, key=itemgetter(0)) if nearest else chance.choice(found)]
    return [make() for _, make in found[:MOST]]


def _of_thing(
    world: WorldState,
    camera: SimulatedCamera,
    kind: str,
    thing: Thing,
    way: float,
    readings: dict[str, Value],
) -> DesignatorTruth:
    """Make a designator of a thing, with what is noticed of it (ars_magna.md §7.3)."""
    data = descriptor(
        thing.attributes,
        readings,
        world.definitions.attributes,
        way,
        world.parameters,
        camera.robot.streams.object,
    )
    return _designation(world, camera, kind, thing, world.scene.position(thing), data)


def _of_nothing(
    world: WorldState,
    camera: SimulatedCamera,
    kind: str,
    spot: FalseTarget,
    data: Mapping[str, Value] | str,
) -> Candidate:
    way = camera.robot.distance_to(spot.x, spot.y)
    return way, partial(_designation, world, camera, kind, spot, (spot.x, spot.y), data)


def _spot(world: WorldState, camera: SimulatedCamera, kind: str) -> FalseTarget:
    """Choose where a false designator is: in the field of view, or in the camera's container."""
    robot = camera.robot
    if camera.inside is not None:
        return FalseTarget(*world.scene.position(camera.inside))
    chance = robot.streams.object
    angle = robot.heading + camera.angle + camera.fov * (chance.random() - 0.5)
    if kind == LOCAL:
        way = NEAR * chance.random()
        return FalseTarget(robot.x + way * math.cos(angle), robot.y + way * math.sin(angle))
    stop = world.parameters.prob_stop
    return false_spot(world.ground, robot.x, robot.y, angle, stop, chance)[0]


def _designation(
    world: WorldState,
    camera: SimulatedCamera,
    kind: str,
    means: Thing | tuple[int, int] | FalseTarget,
    place: tuple[float, float],
    data: Mapping[str, Value] | str,
) -> DesignatorTruth:
    """Make a designator, and remember what it truly means."""
    robot = camera.robot
    if len(robot.designations) >= MOST:
        oldest = next(
            (one for one in robot.designations.values() if not (one.cameras or one.pending)), None
        )
        if oldest is not None:
            world.forget(robot, oldest, f'{robot.name} keeps {MOST} designators')
    number = robot.designators
    robot.designators += 1
    made = DesignatorTruth(number, kind, means, 0.0, 0.0, data, camera.index, camera.inside, place)
    perceive(world, camera, made)
    robot.designations[number] = made
    world.knowing.add(robot)
    return made
